import { formatAmount } from '@parts-forge/contract/money/money';
import type { OrderClosing } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { formatMoment } from '#app/ui/format-moment.ts';
import { type ChipStatus, StatusChip } from '#app/ui/status-chip.tsx';

/** When an unpaid order expires; empty without a limit. */
export function HeldUntil({ order }: { order: Order }) {
  if (order.heldUntil === undefined) return null;
  return (
    <span className="mt-1 block text-micro text-muted">
      Held until <time dateTime={order.heldUntil}>{formatMoment(order.heldUntil)}</time>
    </span>
  );
}

/** How an order closed, shown instead of its status. A lost dispute is no refund. */
export function ClosingChip({ closed, refund }: { closed: OrderClosing } & Pick<Order, 'refund'>) {
  return (
    <StatusChip status={closed}>{refund?.lost === undefined ? closed : 'taken back by bank'}</StatusChip>
  );
}

/** A refund or dispute; empty when the full payment stands. */
export function MoneyChip({ order }: { order: Order }) {
  const chip = describeMoney(order);
  return (
    chip && (
      <StatusChip status={chip.status} className="mt-1">
        {chip.text}
      </StatusChip>
    )
  );
}

export function describeMoney(order: Order): { status: ChipStatus; text: string } | null {
  const { refund, disputed, inquiry, returned, totalPrice } = order;
  if (disputed) return { status: 'stop', text: inquiry ? 'bank inquiry' : 'disputed' };
  if (returned !== undefined) return { status: 'stop', text: `${formatAmount(returned)} came back` };
  if (!refund) return null;
  if (refund.state === 'failed') return { status: 'stop', text: 'refund failed' };
  if (refund.state === 'pending') return { status: 'pending', text: 'refund pending' };
  const isPart = refund.amount < totalPrice;
  if (refund.lost !== undefined)
    return { status: 'stop', text: `${formatAmount(refund.lost)} lost in a dispute` };
  if (refund.unassigned !== undefined) {
    return { status: 'unpaid', text: `${formatAmount(refund.unassigned)} refunded, unassigned` };
  }
  return isPart
    ? { status: 'unpaid', text: `partly refunded, ${formatAmount(refund.amount)}` }
    : { status: 'refunded', text: 'refunded' };
}
