import { queryClient } from '#app/calls/query-client.ts';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { ClerkOrder } from '#app/orders/clerk-order.tsx';
import { orderEvenClosedQueryOptions } from '#app/orders/queries.ts';
import type { Route } from './+types/order';

export const clientMiddleware = [requirePermission(pagePolicies['manage-orders'])];

/** Starts the reading; the page shows it as it comes. */
export function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(orderEvenClosedQueryOptions(id));
  return null;
}

export default function OrderPage({ params: { id } }: Route.ComponentProps) {
  return <ClerkOrder key={id} id={id} />;
}
