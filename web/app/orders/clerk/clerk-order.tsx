import { orderMoves } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { anyOrderQueryOptions } from '#app/orders/queries.ts';
import { BackLink } from '#app/ui/back-link.tsx';
import { ClerkOrderActions, useClerkActions } from './clerk-order-actions.tsx';
import { ClerkOrderCustomer } from './clerk-order-customer.tsx';
import { ClerkOrderParcels } from './clerk-order-parcels.tsx';
import { ClerkOrderPart } from './clerk-order-part.tsx';
import { ClerkOrderPayment } from './clerk-order-payment.tsx';
import { ClerkOrderProgress } from './clerk-order-progress.tsx';
import { ClerkOrderTrail } from './clerk-order-trail.tsx';
import { ClerkOrderWarning } from './clerk-order-warning.tsx';

/** The administrator's page of an order: payment, actions, trail. */
export function ClerkOrder({ id }: { id: string }) {
  const order = useQuery(anyOrderQueryOptions(id));
  return (
    <QueryPanel
      query={order}
      what="The order"
      heading={<PageHeading title="Order" above={allOrders} />}
      skeleton={<PanelsSkeleton heights={['h-[10.75rem]', 'h-[12.5rem]', 'h-[21rem]']} />}
    >
      {(data) => <LoadedOrder order={data} />}
    </QueryPanel>
  );
}

const allOrders = <BackLink to="/dashboard/manage-orders">All Orders</BackLink>;

function LoadedOrder({ order }: { order: Order }) {
  const actions = useClerkActions(order);
  return (
    <>
      <PageHeading
        title={`Order ${order.number}`}
        above={allOrders}
        actions={<ClerkOrderActions order={order} actions={actions} />}
      />
      <ClerkOrderWarning order={order} refusal={actions.refusal} />
      <ClerkOrderProgress order={order} />
      {order.status === orderMoves.accept.to && <ClerkOrderParcels order={order} />}
      {(order.status !== 'due' || order.closed !== undefined) && <ClerkOrderPayment order={order} />}
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-2">
        <ClerkOrderPart order={order} />
        <ClerkOrderCustomer order={order} />
      </div>
      <ClerkOrderTrail id={order._id} />
      {actions.dialog}
    </>
  );
}
