import { queryClient } from '#app/calls/query-client.ts';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { OrderPage } from '#app/orders/order-page.tsx';
import { anyOrderQueryOptions, orderTrailQueryOptions } from '#app/orders/queries.ts';
import type { Route } from './+types/order';

export const clientMiddleware = [requirePermission(pagePolicies.order)];

/** Starts reading the order; the page shows it as it comes. */
export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(anyOrderQueryOptions(params.id));
  void queryClient.prefetchQuery(orderTrailQueryOptions(params.id));
  return null;
}

export default function OrderRoute({ params }: Route.ComponentProps) {
  return <OrderPage id={params.id} />;
}
