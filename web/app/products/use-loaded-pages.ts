import type { Product } from '@parts-forge/contract/products';
import { useEffect, useState } from 'react';
import { type ListFailure, type ListPage, readListPage } from '#app/calls/list-page.ts';
import { readCursors, storeCursors } from './page-cursors.ts';
import { buildFilterQuery, buildListPath, type ProductFilter } from './product-filter.ts';

/** Pages that were shown in this browser, by the filter's address; the longest unused go first. */
const pageCache = new Map<string, ListPage<Product>>();
const MAX_CACHED_PAGES = 60;

/**
 * The products of this page after those of the pages before it, as "Load more" adds to the list. Back shows one
 * page less, and after a reload the pages before are read again. Someone who opens a further page by its address sees
 * that page alone: `isPartial`.
 */
export function useLoadedPages(filter: ProductFilter, page: ListPage<Product> | ListFailure) {
  const key = buildFilterQuery(filter);
  useEffect(() => {
    if (page.rows) cachePage(key, page);
  }, [key, page]);
  useReloadedPages(filter);
  const pagesBefore = findPagesBefore(filter);
  const rows = [...(pagesBefore ?? []), page].flatMap((each) => each.rows ?? []);
  // A product that was added meanwhile moves the others: none is shown twice.
  const products = [...new Map(rows.map((product) => [product._id, product])).values()];
  return { products, isPartial: pagesBefore === null };
}

/** Reads the pages before this one again when they were shown in this tab before a reload. */
function useReloadedPages({ q, sort, available, after }: ProductFilter): void {
  const [, setReloads] = useState(0);
  useEffect(() => {
    if (after === null) return;
    const filter = { q, sort, available, after };
    const list = buildFilterQuery({ ...filter, after: null });
    const shown = findPagesBefore(filter);
    if (shown) {
      storeCursors(list, [...shown.slice(1).map((_, index) => String(shown[index]?.nextCursor)), after]);
      return;
    }
    const cursors = readCursors(list);
    if (!cursors.includes(after)) return;
    const before = [null, ...cursors.slice(0, cursors.indexOf(after))].map((cursor) => ({
      ...filter,
      after: cursor,
    }));
    let isLeft = false;
    void Promise.all(before.map(async (each) => cachePage(buildFilterQuery(each), await readPage(each))))
      .then(() => !isLeft && setReloads((count) => count + 1))
      // Without them the page stands alone, with the way to the first.
      .catch(() => undefined);
    return () => {
      isLeft = true;
    };
  }, [q, sort, available, after]);
}

const readPage = async (filter: ProductFilter) => readListPage<Product>(await fetch(buildListPath(filter)));

/** The pages from the first up to the one before `filter.after`; null when one of them is not in the cache. */
function findPagesBefore(filter: ProductFilter): ListPage<Product>[] | null {
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
