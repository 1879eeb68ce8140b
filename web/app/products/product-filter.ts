import { MAX_CURSOR, MAX_MODEL, PAGE_SIZE } from '@parts-forge/contract/calls/bounds';
import { KINDS, type Kind, type ProductSort, SORTS } from '@parts-forge/contract/products/part-rules';
import { readSearchText } from '#app/ui/search-text.ts';

export interface ProductFilter {
  /** Search words, all required; empty for all parts. */
  q: string;
  /** Null for all kinds. */
  kind: Kind | null;
  /** A phone model; empty for all. */
  fits: string;
  sort: ProductSort;
  /** Only parts that can be ordered. */
  available: boolean;
  /** Null for the first page. */
  after: string | null;
}

/** In the address's order. */
export const filterParameters = ['q', 'kind', 'fits', 'sort', 'available', 'after'];

const sortNames: Record<ProductSort, string> = {
  match: 'Best match',
  newest: 'Newest first',
  name: 'Name, A to Z',
  price: 'Price, low to high',
  '-price': 'Price, high to low',
};

/**
 * The default first. Without a search that is "newest", sent as "match", so that a search from the form
 * without script sorts by best match.
 */
export const listSorts = (q: string): { sort: ProductSort; name: string }[] =>
  q
    ? SORTS.map((sort) => ({ sort, name: sortNames[sort] }))
    : SORTS.filter((sort) => sort !== 'newest').map((sort) => ({
        sort,
        name: sortNames[sort === 'match' ? 'newest' : sort],
      }));

/** Invalid parameters count as absent. */
export function readProductFilter(query: URLSearchParams): ProductFilter {
  const sort = SORTS.find((each) => each === query.get('sort')) ?? SORTS[0];
  const after = query.get('after') ?? '';
  return {
    q: readSearchText(query),
    kind: KINDS.find((each) => each === query.get('kind')) ?? null,
    fits: [...(query.get('fits') ?? '').trim()].slice(0, MAX_MODEL).join(''),
    sort,
    available: query.get('available') === 'true',
    after: after.length > 0 && after.length <= MAX_CURSOR ? after : null,
  };
}

/** Leaves out defaults: '' or '?…'. */
export function buildFilterQuery({ q, kind, fits, sort, available, after }: ProductFilter): string {
  const query = new URLSearchParams();
  if (q) query.set('q', q);
  if (kind) query.set('kind', kind);
  if (fits) query.set('fits', fits);
  if (sort !== SORTS[0]) query.set('sort', sort);
  if (available) query.set('available', 'true');
  if (after) query.set('after', after);
  const text = query.toString();
  return text && `?${text}`;
}

/** The title of the tab. The filters come first, as tabs cut off the rest. */
export const nameList = ({ q, kind, fits, available }: ProductFilter): string =>
  [kind, fits, q && `“${q}”`, available && 'in stock', 'All Products'].filter(Boolean).join(' · ');

export const buildListAddress = (filter: ProductFilter): string => `/all-products${buildFilterQuery(filter)}`;

/**
 * A search without matches returns similar parts.
 * @param limit rows of the page
 */
export function buildListPath(filter: ProductFilter, limit: number = PAGE_SIZE): string {
  const query = buildFilterQuery(filter);
  return `/product?limit=${limit}${query && `&${query.slice(1)}`}${filter.q && '&similar=true'}`;
}

export const buildFacetsPath = (filter: ProductFilter): string =>
  `/product/facets${buildFilterQuery({ ...filter, sort: SORTS[0], after: null })}`;

/** Counts the filters that phones show behind one button. */
export const countFilters = ({ kind, fits, available }: ProductFilter): number =>
  [kind !== null, fits !== '', available].filter(Boolean).length;
