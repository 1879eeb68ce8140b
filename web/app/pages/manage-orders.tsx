import { queryClient } from '#app/calls/query-client.ts';
import { readOrderFilter } from '#app/orders/order-filter.ts';
import { allOrdersQueryOptions } from '#app/orders/queries.ts';
import type { Route } from './+types/manage-orders';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  void queryClient.prefetchInfiniteQuery(
    allOrdersQueryOptions(readOrderFilter(new URL(request.url).searchParams, 'status')),
  );
  return null;
}

export { ManageOrders as default } from '#app/orders/clerk/manage-orders.tsx';
