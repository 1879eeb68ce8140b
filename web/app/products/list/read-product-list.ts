import { PAGE_SIZE } from '@parts-forge/contract/calls/bounds';
import type { Product, ProductFacets } from '@parts-forge/contract/products/products';
import {
  type ListFailure,
  type ListPage,
  readListPage,
  readListPageOrFailure,
} from '#app/calls/list-page.ts';
import { buildFacetsPath, buildListPath, type ProductFilter } from '#app/products/product-filter.ts';

type CallShop = (path: string) => Promise<Response>;

export interface ProductListData {
  filter: ProductFilter;
  page: ListPage<Product> | ListFailure;
  /** The rows only resemble the search. */
  isSimilar: boolean;
  /** Earlier pages, for a full page load; empty when unavailable. */
  before: readonly ListPage<Product>[];
  /** Null when reading failed: the list works without them. */
  facets: ProductFacets | null;
}

/** A rest of at most this many rows joins the page before. */
const SHORT_REST = 8;
const MAX_PAGES_BEFORE = 20;

/**
 * @param isDocument whether this is a full page load; then earlier pages are read too, so that a reload keeps
 *   a long list
 */
export async function readProductList(
  call: CallShop,
  filter: ProductFilter,
  isDocument: boolean,
): Promise<ProductListData> {
  const facets = readFacets(call, filter);
  const response = await call(buildListPath(filter));
  // The address is outdated: start at the first page.
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

async function addShortRest(
  call: CallShop,
  filter: ProductFilter,
  page: ListPage<Product>,
): Promise<ListPage<Product>> {
  const left = Number.parseInt(page.total, 10) - page.rows.length;
  // A further page does not know how many rows are left.
  if (page.nextCursor === null || (filter.after === null && left > SHORT_REST)) return page;
  const rest = await readListPageOrFailure<Product>(
    call(buildListPath({ ...filter, after: page.nextCursor }, SHORT_REST)),
  );
  if (!rest.rows || rest.nextCursor !== null) return page;
  return { ...page, rows: [...page.rows, ...rest.rows], nextCursor: null };
}

/** The pages before `filter.after`; empty when the first pages do not lead to it. */
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
