import { MAX_PAID_TOGETHER } from '@parts-forge/contract/calls/bounds';
import { redirect } from 'react-router';
import { queryClient } from '#app/calls/query-client.ts';
import { readPaidOrders } from '#app/orders/order-path.ts';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { PaymentOfSeveralPage } from '#app/payments/payment-of-several-page.tsx';
import type { Route } from './+types/payment-of-several';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const ids = readPaidOrders(new URL(request.url).searchParams).slice(0, MAX_PAID_TOGETHER);
  // A truncated address has no orders.
  if (ids.length === 0) throw redirect('/dashboard/my-orders');
  for (const id of ids) void queryClient.prefetchQuery(orderQueryOptions(id));
  return { ids };
}

export default function PaymentOfSeveral({ loaderData }: Route.ComponentProps) {
  return <PaymentOfSeveralPage ids={loaderData.ids} />;
}
