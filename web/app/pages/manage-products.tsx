import { queryClient } from '#app/calls/query-client.ts';
import { ManageProducts } from '#app/products/manage/manage-products.tsx';
import { productListQueryOptions } from '#app/products/queries.ts';
import { readSearchText } from '#app/ui/search-text.ts';
import type { Route } from './+types/manage-products';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const q = readSearchText(new URL(request.url).searchParams);
  void queryClient.prefetchInfiniteQuery(productListQueryOptions(q));
  return null;
}

export default function ManageProductsPage() {
  return <ManageProducts />;
}
