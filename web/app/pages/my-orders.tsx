import { queryClient } from '#app/calls/query-client.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { MyOrders } from '#app/orders/mine/my-orders.tsx';
import { readOwnFilter } from '#app/orders/order-filter.ts';
import { allOrdersQueryOptions } from '#app/orders/queries.ts';
import { session } from '#app/session/session.ts';
import type { Route } from './+types/my-orders';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const state = await session.resolve();
  if (state.status === 'signed-in') {
    const filter = readOwnFilter(new URL(request.url).searchParams, state.user.email);
    void queryClient.prefetchInfiniteQuery(allOrdersQueryOptions(filter));
  }
  return null;
}

export default function MyOrdersPage() {
  const { email } = useSignedInUser();
  return <MyOrders email={email} />;
}
