import type { Product } from '@parts-forge/contract/products';
import { useEffect } from 'react';
import type { ListPage } from '#app/calls/list-page.ts';
import { buildFilterQuery, type ProductFilter } from '#app/products/product-filter.ts';
import type { ProductListData } from './read-product-list.ts';

type Pages = readonly ListPage<Product>[];

/** Pages that were shown in this browser, by the filter's address; the longest unused go first. */
const pageCache = new Map<string, ListPage<Product>>();
const MAX_CACHED_PAGES = 60;

/**
 * The products of this page after those of the pages before it, as "Load more" adds to the list. Back shows one
 * page less. Where neither this browser nor the server has the pages before, that page stands alone: `isPartial`.
 */
export function useLoadedPages({
  filter,
  page,
  before,
}: Pick<ProductListData, 'filter' | 'page' | 'before'>) {
  useEffect(() => {
    let after: string | null = null;
    for (const pageBefore of before) {
      cachePage(buildFilterQuery({ ...filter, after }), pageBefore);
      after = pageBefore.nextCursor;
    }
    if (page.rows) cachePage(buildFilterQuery(filter), page);
  }, [filter, page, before]);
  const pagesBefore = findPagesBefore(filter) ?? (before.length > 0 ? before : null);
  const rows = [...(pagesBefore ?? []), page].flatMap((each) => each.rows ?? []);
  // A product that was added meanwhile moves the others: none is shown twice.
  const products = [...new Map(rows.map((product) => [product._id, product])).values()];
  return { products, isPartial: pagesBefore === null };
}

/** The pages from the first up to the one before `filter.after`; null when one of them is not in the cache. */
function findPagesBefore(filter: ProductFilter): Pages | null {
  const pages: ListPage<Product>[] = [];
  let after: string | null = null;
  while (after !== filter.after) {
    const page = pageCache.get(buildFilterQuery({ ...filter, after }));
    if (!page?.nextCursor || pages.length > MAX_CACHED_PAGES) return null;
    pages.push(page);
    after = page.nextCursor;
  }
  return pages;
}

function cachePage(key: string, page: ListPage<Product>): void {
  pageCache.delete(key);
  pageCache.set(key, page);
  const oldest = pageCache.keys().next().value;
  if (pageCache.size > MAX_CACHED_PAGES && oldest !== undefined) pageCache.delete(oldest);
}
