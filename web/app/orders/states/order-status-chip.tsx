import { type OrderStatus, statusLabel } from '@parts-forge/contract/orders/order-states';
import { StatusChip } from '#app/ui/status-chip.tsx';

/** The status in the customer's words: `due` reads "unpaid" (specification §4). */
export function OrderStatusChip({ status }: { status: OrderStatus }) {
  return <StatusChip status={statusLabel(status)} />;
}
