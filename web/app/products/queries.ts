import { listProducts, readProduct } from '@parts-forge/contract/products';
import { queryOptions } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';

/** One product, with its price and stock as they are now. `not-found` for an unknown or deleted one. */
export const productQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: async ({ signal }) => (await callShop(readProduct, { params: { id }, signal })).data,
    // A page starts reading before it is shown; that is one reading, not two.
    staleTime: 5_000,
  });

/** Products as Manage Products lists them, newest first. @param q what is searched for; empty for all */
export const productListQueryOptions = (q: string) =>
  listQueryOptions(['products', 'all', q], (page, signal) =>
    callList(listProducts, { query: { ...page, q }, signal }),
  );
