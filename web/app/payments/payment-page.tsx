import { useQuery } from '@tanstack/react-query';
import { PackageX } from 'lucide';
import { Link } from 'react-router';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PayForOrders, PaymentHeading } from './pay-for-orders.tsx';

export function PaymentPage({ id }: { id: string }) {
  const order = useQuery(orderQueryOptions(id));
  return (
    <QueryPanel
      query={order}
      what="The order"
      heading={<PaymentHeading heading="Payment" />}
      skeleton={<PaymentSkeleton />}
      missing={<OrderGone />}
    >
      {(data) => <PayForOrders key={id} orders={[data]} />}
    </QueryPanel>
  );
}

export function OrderGone() {
  return (
    <Notice
      icon={PackageX}
      alert
      title="This order is not there"
      action={
        <Link to="/dashboard/my-orders" className={getButtonClasses('primary')}>
          My Orders
        </Link>
      }
    >
      It was cancelled, or the address is not complete. Your other orders are in the list.
    </Notice>
  );
}

export const PaymentSkeleton = () => (
  <PanelsSkeleton
    className="items-start xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]"
    heights={['h-[22rem]', 'h-[26rem]']}
  />
);
