import { queryClient } from '#app/calls/query-client.ts';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { PaymentPage } from '#app/payments/payment-page.tsx';
import type { Route } from './+types/payment';

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(orderQueryOptions(params.id));
  return null;
}

export default function Payment({ params }: Route.ComponentProps) {
  return <PaymentPage id={params.id} />;
}
