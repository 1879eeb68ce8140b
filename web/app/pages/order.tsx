import { prefetch } from '#app/calls/prefetch.ts';
import { useRole } from '#app/identity/signed-in-user.ts';
import { ClerkOrder } from '#app/orders/clerk/clerk-order.tsx';
import { OrderPage } from '#app/orders/mine/order-page.tsx';
import { anyOrderQueryOptions, orderTrailQueryOptions } from '#app/orders/queries.ts';
import type { Route } from './+types/order';

export const clientLoader = ({ params: { id } }: Route.ClientLoaderArgs) =>
  prefetch(anyOrderQueryOptions(id), orderTrailQueryOptions(id));

export default function OrderRoute({ params: { id } }: Route.ComponentProps) {
  return useRole() === 'admin' ? <ClerkOrder key={id} id={id} /> : <OrderPage key={id} id={id} />;
}
