import { messages } from '@parts-forge/contract/calls/messages';
import type { Order } from '@parts-forge/contract/orders/orders';
import { HeldUntil, MoneyChip } from '#app/orders/money/order-money.tsx';
import { OrderStatusChip } from '#app/orders/states/order-status-chip.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';

/** For administrators a paid order is 'Shipped' (specification §4). */
export function StatusForAdmin({ order }: { order: Order }) {
  if (order.closed !== undefined) return <StatusChip status={order.closed} />;
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1 *:mt-0">
      {order.status === 'paid' ? (
        <StatusChip status={messages.shipped} />
      ) : (
        <OrderStatusChip status={order.status} />
      )}
      <MoneyChip order={order} />
      <HeldUntil order={order} />
    </span>
  );
}
