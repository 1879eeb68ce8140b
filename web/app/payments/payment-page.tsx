import { useQuery } from '@tanstack/react-query';
import { prefetch } from '#app/calls/prefetch.ts';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { OrderUnknown } from '#app/orders/mine/order-unknown.tsx';
import { orderQueryOptions } from '#app/orders/queries.ts';
import type { Route } from './+types/payment-page';
import { PayForOrders, PaymentHeading, PaymentSkeleton } from './pay-for-orders.tsx';

export const clientLoader = ({ params }: Route.ClientLoaderArgs) => prefetch(orderQueryOptions(params.id));

export default function PaymentPage({ params: { id } }: Route.ComponentProps) {
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
