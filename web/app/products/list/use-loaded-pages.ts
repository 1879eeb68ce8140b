import type { Product } from '@parts-forge/contract/products/products';
import { useEffect } from 'react';
import type { ListPage } from '#app/calls/list-page.ts';
import { buildFilterQuery, type ProductFilter } from '#app/products/product-filter.ts';
import type { ProductListData } from './read-product-list.ts';

type Pages = readonly ListPage<Product>[];

/** By the filter's address; the least recently used are evicted first. */
const pageCache = new Map<string, ListPage<Product>>();
const MAX_CACHED_PAGES = 60;

/**
 * This page's products after those of earlier pages, for "Load more". `isPartial`: earlier pages are
 * unavailable.
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
  // A product added in the meantime shifts the others, so remove duplicates.
  const products = [...new Map(rows.map((product) => [product._id, product])).values()];
  return { products, isPartial: pagesBefore === null };
}

/** Null when the cache lacks one. */
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
