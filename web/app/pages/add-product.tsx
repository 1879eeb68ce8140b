import { queryClient } from '#app/calls/query-client.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { AddProduct } from '#app/products/add-product.tsx';

export const clientMiddleware = [requirePermission(pagePolicies['add-product'])];

/** Starts reading what the shop says about pictures. */
export function clientLoader() {
  void queryClient.prefetchQuery(configQueryOptions());
  return null;
}

export default function AddProductPage() {
  return <AddProduct />;
}
