import { queryClient } from '#app/calls/query-client.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { MyOrders } from '#app/orders/my-orders.tsx';
import { customerOrdersQueryOptions } from '#app/orders/queries.ts';
import { session } from '#app/session/session.ts';

export const clientMiddleware = [requirePermission(pagePolicies['my-orders'])];

/** Starts the list; the page shows it as it comes. */
export async function clientLoader() {
  const state = await session.resolve();
  if (state.status === 'signed-in')
    void queryClient.prefetchInfiniteQuery(customerOrdersQueryOptions(state.user.email));
  return null;
}

export default function MyOrdersPage() {
  const { email } = useSignedInUser();
  return (
    <>
      <PageHeading title="My Orders" />
      <MyOrders email={email} />
    </>
  );
}
