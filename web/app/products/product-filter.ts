import { MAX_CURSOR, PAGE_SIZE } from '@parts-forge/contract/bounds';
import { type ProductSort, SORTS } from '@parts-forge/contract/part-rules';
import { readSearchText } from '#app/ui/search-text.ts';

/** What /all-products shows, as its address says it. */
export interface ProductFilter {
  /** Anywhere in the name; empty for all. */
  q: string;
  sort: ProductSort;
  /** Only parts of which a batch can be ordered. */
  available: boolean;
  /** The cursor of a further page; null for the first. */
  after: string | null;
}

/** The sort orders and their names, the default first. */
export const sortNames: Record<ProductSort, string> = {
  newest: 'Newest first',
  name: 'Name, A to Z',
  price: 'Price, low to high',
  '-price': 'Price, high to low',
};

/** Reads the filter from an address; parameters that are wrong count as absent. */
export function readProductFilter(query: URLSearchParams): ProductFilter {
  const sort = SORTS.find((each) => each === query.get('sort')) ?? SORTS[0];
  const after = query.get('after') ?? '';
  return {
    q: readSearchText(query),
    sort,
    available: query.get('available') === 'true',
    after: after.length > 0 && after.length <= MAX_CURSOR ? after : null,
  };
}

/** The filter as a query string that leaves out defaults: '' or '?…'. */
export function buildFilterQuery({ q, sort, available, after }: ProductFilter): string {
  const query = new URLSearchParams();
  if (q) query.set('q', q);
  if (sort !== SORTS[0]) query.set('sort', sort);
  if (available) query.set('available', 'true');
  if (after) query.set('after', after);
  const text = query.toString();
  return text && `?${text}`;
}

/** The path of the call that lists what matches the filter, one page of it. */
export function buildListPath(filter: ProductFilter): string {
  const query = buildFilterQuery(filter);
  return `/product?limit=${PAGE_SIZE}${query && `&${query.slice(1)}`}`;
}
