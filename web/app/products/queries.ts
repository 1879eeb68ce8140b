import { listActivity } from '@parts-forge/contract/events/trail';
import { type ProductSort, SORTS } from '@parts-forge/contract/products/part-rules';
import {
  listProducts,
  type Product,
  readProduct,
  readProductFacets,
  STOCKS,
} from '@parts-forge/contract/products/products';
import { countWishes } from '@parts-forge/contract/products/wishes';
import { queryOptions } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';

/** Absent: any stock, newest first. */
export interface ManagedFilter {
  stock?: (typeof STOCKS)[number];
  sort?: ProductSort;
}

/** Drops unknown values of the address. */
export function readManagedFilter(search: URLSearchParams): ManagedFilter {
  const stock = STOCKS.find((each) => each === search.get('stock'));
  const sort = SORTS.find((each) => each === search.get('sort'));
  return { ...(stock && { stock }), ...(sort && { sort }) };
}

/** `not-found` for an unknown or deleted product. */
export const productQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: async ({ signal }) => (await callShop(readProduct, { params: { id }, signal })).data,
    // A page starts reading before it mounts; this avoids a second request.
    staleTime: 5_000,
  });

/** @param q the search; empty for all */
export const productListQueryOptions = (q: string, more: ManagedFilter = {}) =>
  listQueryOptions(['products', 'all', q, more], (page, signal) =>
    callList(listProducts, { query: { ...page, q, ...more }, signal }),
  );

/** A few parts on sale, the best match first; near ones if none matches. */
export const foundPartsQueryOptions = (q: string) =>
  queryOptions({
    queryKey: ['products', 'found', q],
    queryFn: async ({ signal }) => {
      const { rows } = await callList(listProducts, { query: { q, limit: '8', similar: 'true' }, signal });
      return rows;
    },
  });

/** Waiting customers by part. */
export const wishCountsQueryOptions = () =>
  queryOptions({
    queryKey: ['products', 'wishes'],
    queryFn: async ({ signal }) => {
      const { data } = await callShop(countWishes, { signal });
      return new Map(data.map(({ product, count }) => [product, count]));
    },
  });

/** The phone models of parts on sale, by name. */
export const modelsQueryOptions = () =>
  queryOptions({
    queryKey: ['products', 'models'],
    queryFn: async ({ signal }) => {
      const { fits } = await callShop(readProductFacets, { query: {}, signal });
      return fits.map(({ model }) => model);
    },
  });

/** The last edit from the activity log; null for none. */
export const lastEditQueryOptions = ({ _id, version }: Pick<Product, '_id' | 'version'>) =>
  queryOptions({
    queryKey: ['products', 'edit', _id, version],
    queryFn: async ({ signal }) => {
      const query = { what: 'product-changed' as const, q: _id, limit: '1' };
      const { rows } = await callList(listActivity, { query, signal });
      return rows[0] ?? null;
    },
  });
