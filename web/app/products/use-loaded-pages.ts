import type { Product } from '@parts-forge/contract/products';
import { useEffect } from 'react';
import type { ListPage } from '#app/list-page.ts';
import { buildFilterQuery, type ProductFilter } from './product-filter.ts';

/** Pages that were shown in this browser, by the filter's address; the oldest go first. */
const seen = new Map<string, ListPage<Product>>();
const KEPT = 60;

/**
 * The parts of this page after those of the pages before it, as "Load more" adds to the list. Back shows one
 * page less. Someone who opens a further page by its address sees that page alone: `startsLate`.
 */
export function useLoadedPages(filter: ProductFilter, page: ListPage<Product> | null) {
  const key = buildFilterQuery(filter);
  useEffect(() => {
    if (page) remember(key, page);
  }, [key, page]);
  const before = pagesBefore(filter);
  const rows = [...(before ?? []), ...(page ? [page] : [])].flatMap((each) => each.rows);
  // A part that was added meanwhile moves the others: nobody is shown twice.
  const parts = [...new Map(rows.map((part) => [part._id, part])).values()];
  return { parts, startsLate: before === null };
}

/** The pages from the first up to the one before `filter.after`; null when one of them is not known. */
function pagesBefore(filter: ProductFilter): ListPage<Product>[] | null {
  const pages: ListPage<Product>[] = [];
  let after: string | null = null;
  while (after !== filter.after) {
    const page = seen.get(buildFilterQuery({ ...filter, after }));
    if (!page?.after || pages.length > KEPT) return null;
    pages.push(page);
    after = page.after;
  }
  return pages;
}

function remember(key: string, page: ListPage<Product>): void {
  seen.delete(key);
  seen.set(key, page);
  const oldest = seen.keys().next().value;
  if (seen.size > KEPT && oldest !== undefined) seen.delete(oldest);
}
