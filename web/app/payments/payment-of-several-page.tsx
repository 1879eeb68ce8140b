import { MAX_PAID_TOGETHER } from '@parts-forge/contract/calls/bounds';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQueries } from '@tanstack/react-query';
import { PackageX } from 'lucide';
import { redirect } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { joinQueries, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { getPaymentPath, readPaidOrders } from '#app/orders/order-path.ts';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';
import type { Route } from './+types/payment-of-several-page';
import { PayForOrders, PaymentHeading, PaymentSkeleton } from './pay-for-orders.tsx';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const ids = readPaidOrders(new URL(request.url).searchParams).slice(0, MAX_PAID_TOGETHER);
  // A truncated address has no orders.
  if (ids.length === 0) throw redirect('/dashboard/my-orders');
  prefetch(...ids.map(orderQueryOptions));
  return { ids };
}

export default function PaymentOfSeveralPage({ loaderData: { ids } }: Route.ComponentProps) {
  const results = useQueries({ queries: ids.map(orderQueryOptions) });
  const left = results.flatMap(({ data }) => data ?? []);
  return (
    <QueryPanel
      query={joinQueries<Order[]>(...results)}
      what="The orders"
      heading={<PaymentHeading heading="Payment" />}
      skeleton={<PaymentSkeleton />}
      missing={<SomeGone left={left} missing={ids.length - left.length} />}
    >
      {([first, ...others]) => <>{first && <PayForOrders key={ids.join()} orders={[first, ...others]} />}</>}
    </QueryPanel>
  );
}

function SomeGone({ left, missing }: { left: readonly Order[]; missing: number }) {
  return (
    <Notice
      icon={PackageX}
      alert
      title={missing === 1 ? 'One of these orders is not there' : 'Some of these orders are not there'}
      action={
        left.length > 0 ? (
          <PrimaryLink to={getPaymentPath(left)}>
            {`Pay for ${left.length === 1 ? 'the other one' : `the other ${left.length}`}`}
          </PrimaryLink>
        ) : (
          <PrimaryLink to="/dashboard/my-orders">My Orders</PrimaryLink>
        )
      }
    >
      Orders that were cancelled or have expired cannot be paid for. Nothing was charged.
    </Notice>
  );
}
