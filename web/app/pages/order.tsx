import { queryClient } from '#app/calls/query-client.ts';
import { useRole } from '#app/identity/signed-in-user.ts';
import { ClerkOrder } from '#app/orders/clerk/clerk-order.tsx';
import { OrderPage } from '#app/orders/mine/order-page.tsx';
import { anyOrderQueryOptions, orderTrailQueryOptions } from '#app/orders/queries.ts';
import type { Route } from './+types/order';

/** Starts reading the order; the page shows it as it comes. */
export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(anyOrderQueryOptions(params.id));
  void queryClient.prefetchQuery(orderTrailQueryOptions(params.id));
  return null;
}

/** An order, as its customer sees it or as an administrator does. */
export default function OrderRoute({ params: { id } }: Route.ComponentProps) {
  return useRole() === 'admin' ? <ClerkOrder key={id} id={id} /> : <OrderPage key={id} id={id} />;
}
