import { PAGE_SIZE } from '@parts-forge/contract/bounds';
import type { Product, ProductFacets } from '@parts-forge/contract/products';
import {
  type ListFailure,
  type ListPage,
  readListPage,
  readListPageOrFailure,
} from '#app/calls/list-page.ts';
import { buildFacetsPath, buildListPath, type ProductFilter } from '#app/products/product-filter.ts';

type CallShop = (path: string) => Promise<Response>;

/** What /all-products shows. */
export interface ProductListData {
  filter: ProductFilter;
  page: ListPage<Product> | ListFailure;
  /** The rows do not match the search, their names only resemble it. */
  isSimilar: boolean;
  /** The pages before this one, where the whole document was asked for; empty where they are not to be had. */
  before: readonly ListPage<Product>[];
  /** Null when they could not be read: the list does without them. */
  facets: ProductFacets | null;
}

/** At most so many rows are left for no page of their own: they stand on the page before. */
const SHORT_REST = 8;
/** How many pages a document shows before its own. */
const MAX_PAGES_BEFORE = 20;

/**
 * The page of the list that an address asks for, and the counts beside it.
 * @param isDocument whether the browser has nothing yet: then the pages before are read, too, so that a reload of a long
 *   list leaves it as it was
 */
export async function readProductList(
  call: CallShop,
  filter: ProductFilter,
  isDocument: boolean,
): Promise<ProductListData> {
  const facets = readFacets(call, filter);
  const response = await call(buildListPath(filter));
  // An old link to a further page: the list is shown from its beginning.
  if (response.status === 422 && filter.after)
    return readProductList(call, { ...filter, after: null }, isDocument);
  const page = await readListPageOrFailure<Product>(response);
  const isSimilar = response.headers.get('x-match') === 'similar';
  const [whole, before] = await Promise.all([
    page.rows ? addShortRest(call, filter, page) : page,
    isDocument && filter.after ? readPagesBefore(call, filter) : [],
  ]);
  return { filter, page: whole, isSimilar, before, facets: await facets };
}

async function readFacets(call: CallShop, filter: ProductFilter): Promise<ProductFacets | null> {
  try {
    const response = await call(buildFacetsPath(filter));
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** The page, with what follows it when that is little. */
async function addShortRest(
  call: CallShop,
  filter: ProductFilter,
  page: ListPage<Product>,
): Promise<ListPage<Product>> {
  const left = Number.parseInt(page.total, 10) - page.rows.length;
  // On a further page it is not known how many are left; of more than a few there is one more page at least.
  if (page.nextCursor === null || (filter.after === null && left > SHORT_REST)) return page;
  const rest = await readListPageOrFailure<Product>(
    call(buildListPath({ ...filter, after: page.nextCursor }, SHORT_REST)),
  );
  if (!rest.rows || rest.nextCursor !== null) return page;
  return { ...page, rows: [...page.rows, ...rest.rows], nextCursor: null };
}

/** The pages from the first up to the one before `filter.after`; empty when it is none of those that follow the first. */
async function readPagesBefore(call: CallShop, filter: ProductFilter): Promise<ListPage<Product>[]> {
  const pages: ListPage<Product>[] = [];
  let after: string | null = null;
  try {
    while (after !== filter.after) {
      const page: ListPage<Product> = await readListPage<Product>(
        await call(buildListPath({ ...filter, after }, PAGE_SIZE)),
      );
      if (page.nextCursor === null || pages.length === MAX_PAGES_BEFORE) return [];
      pages.push(page);
      after = page.nextCursor;
    }
  } catch {
    return [];
  }
  return pages;
}
