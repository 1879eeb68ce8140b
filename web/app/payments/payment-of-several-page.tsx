import { MAX_PAID_TOGETHER } from '@parts-forge/contract/calls/bounds';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQueries } from '@tanstack/react-query';
import { PackageX } from 'lucide';
import { redirect } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { LoadError } from '#app/errors/load-error.tsx';
import { getPaymentPath, readPaidOrders } from '#app/orders/order-path.ts';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';
import { useSkeleton } from '#app/ui/use-skeleton.ts';
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
  const isPending = results.some((order) => order.isPending);
  const loading = useSkeleton(isPending);
  const orders = results.flatMap(({ data }) => data ?? []);
  const [first, ...others] = orders;
  if (first && orders.length === ids.length && !loading) {
    return <PayForOrders key={ids.join()} orders={[first, ...others]} />;
  }
  const failed = results.find(({ error }) => error !== null && getProblemCode(error) !== 'not-found');
  return (
    <>
      <PaymentHeading heading="Payment" />
      {loading ? (
        <PaymentSkeleton />
      ) : isPending ? null : failed?.error ? (
        <LoadError
          what="The orders"
          error={failed.error}
          busy={results.some(({ isFetching }) => isFetching)}
          onRetry={() => void Promise.all(results.map(({ refetch }) => refetch()))}
        />
      ) : (
        <SomeGone left={orders} missing={ids.length - orders.length} />
      )}
    </>
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
