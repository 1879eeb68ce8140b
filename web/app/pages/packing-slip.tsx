import { queryClient } from '#app/calls/query-client.ts';
import { PackingSlip } from '#app/orders/pick-list/packing-slip.tsx';
import { orderQueryOptions } from '#app/orders/queries.ts';
import type { Route } from './+types/packing-slip';

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(orderQueryOptions(params.id));
  return null;
}

export default function PackingSlipPage({ params }: Route.ComponentProps) {
  return <PackingSlip id={params.id} />;
}
