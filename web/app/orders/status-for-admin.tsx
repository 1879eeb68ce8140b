import { messages } from '@parts-forge/contract/messages';
import type { Order } from '@parts-forge/contract/orders';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { HeldUntil, MoneyChip } from './order-money.tsx';
import { OrderStatusChip } from './order-status-chip.tsx';

/** Administrators read a paid order as 'Shipped' (specification §4), and one that ended as how it did. */
export function StatusForAdmin({ order }: { order: Order }) {
  if (order.closed !== undefined) return <StatusChip status={order.closed} />;
  return (
    <span className="flex flex-col items-start">
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
