import { queryClient } from '#app/calls/query-client.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { MyOrders } from '#app/orders/mine/my-orders.tsx';
import { readOrderFilter } from '#app/orders/order-filter.ts';
import { customerOrdersQueryOptions } from '#app/orders/queries.ts';
import { session } from '#app/session/session.ts';
import type { Route } from './+types/my-orders';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const state = await session.resolve();
  if (state.status === 'signed-in') {
    const filter = readOrderFilter(new URL(request.url).searchParams, 'show');
    void queryClient.prefetchInfiniteQuery(customerOrdersQueryOptions(state.user.email, filter));
  }
  return null;
}

export default function MyOrdersPage() {
  const { email } = useSignedInUser();
  return <MyOrders email={email} />;
}
