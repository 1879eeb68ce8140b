import { type OrderStatus, statusLabel } from '@parts-forge/contract/order-states';
import { StatusChip } from '#app/ui/status-chip.tsx';

/** An order's status as its customer reads it: due is 'unpaid' (specification §4). */
export function OrderStatusChip({ status }: { status: OrderStatus }) {
  return <StatusChip status={statusLabel(status)} />;
}
