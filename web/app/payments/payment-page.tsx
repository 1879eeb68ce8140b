import { useQuery } from '@tanstack/react-query';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { OrderUnknown } from '#app/orders/mine/order-unknown.tsx';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { PayForOrders, PaymentHeading } from './pay-for-orders.tsx';

export function PaymentPage({ id }: { id: string }) {
  const order = useQuery(orderQueryOptions(id));
  return (
    <QueryPanel
      query={order}
      what="The order"
      heading={<PaymentHeading heading="Payment" />}
      skeleton={<PaymentSkeleton />}
      missing={
        <OrderUnknown>
          It was cancelled, or the address is not complete. Your other orders are in the list.
        </OrderUnknown>
      }
    >
      {(data) => <PayForOrders key={id} orders={[data]} />}
    </QueryPanel>
  );
}

export const PaymentSkeleton = () => (
  <PanelsSkeleton
    className="items-start xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]"
    heights={['h-[22rem]', 'h-[26rem]']}
  />
);
