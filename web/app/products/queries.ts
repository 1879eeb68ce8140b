import { PAGE_SIZE } from '@parts-forge/contract/bounds';
import { listProducts, type ProductQuery, readProduct } from '@parts-forge/contract/products';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callPage, callShop } from '#app/api-client.ts';

/** What narrows and orders a list of products; empty texts and absent fields mean nothing. */
export type ProductFilter = Pick<ProductQuery, 'q' | 'sort' | 'available'>;

/** One product, with its price and stock as they are now. `not-found` for an unknown or deleted one. */
export const productQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: async ({ signal }) => (await callShop(readProduct, { params: { id }, signal })).data,
    // A page starts reading before it is shown; that is one reading, not two.
    staleTime: 5_000,
  });

/** The products page by page, for the signed-in pages; the public list is rendered on the server. */
export const productListQueryOptions = (filter: ProductFilter) =>
  infiniteQueryOptions({
    queryKey: ['products', 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      callPage(listProducts, { query: productCallQuery(filter, pageParam), signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

function productCallQuery({ q, sort, available }: ProductFilter, after: string | null) {
  return {
    limit: String(PAGE_SIZE),
    ...(q && { q }),
    ...(sort && { sort }),
    ...(available && { available }),
    ...(after && { after }),
  };
}
