import { queryClient } from '#app/calls/query-client.ts';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { ManageProducts } from '#app/products/manage-products.tsx';
import { productListQueryOptions } from '#app/products/queries.ts';

export const clientMiddleware = [requirePermission(pagePolicies['manage-products'])];

/** Starts the list; the page shows it as it comes. */
export function clientLoader() {
  void queryClient.prefetchInfiniteQuery(productListQueryOptions());
  return null;
}

export default function ManageProductsPage() {
  return <ManageProducts />;
}
