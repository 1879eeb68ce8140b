import { formatPieces, toCents } from '@parts-forge/contract/money';
import type { REFUND_STATES } from '@parts-forge/contract/order-states';
import { type canRefund, countRefundable, type Order } from '@parts-forge/contract/orders';

type PaidOrder = Parameters<typeof canRefund>[0];

/** Why an order must not be sent now; null when it may. */
export function explainHold(order: PaidOrder): string | null {
  if (order.disputed) return `The customer's bank ${order.inquiry ? 'asks about' : 'disputes'} the payment.`;
  if (order.returned !== undefined) return refunds.succeeded;
  if (order.status === 'due') return 'It is not paid for.';
  if (order.refund === undefined || countRefundable(order) > 0) return null;
  return refunds[order.refund.state];
}

/** A full refund in any state stops the order. */
const refunds: Record<(typeof REFUND_STATES)[number], string> = {
  pending: 'It is being refunded.',
  succeeded: 'It was refunded.',
  failed: 'Its refund is due.',
};

/**
 * Pieces without a parcel; those of a pending order that were refunded stay. Those of an accepted one may have
 * been sent before. A parcel that names no pieces has all.
 */
export function countToSend({
  status,
  quantity,
  refund,
  shipments = [],
}: Pick<Order, 'status' | 'quantity' | 'refund' | 'shipments'>): number {
  if (status === 'pending') return quantity - (refund?.quantity ?? 0);
  return Math.max(
    0,
    shipments.reduce((left, parcel) => left - (parcel.quantity ?? quantity), quantity),
  );
}

/** A warning on an order that ships despite a partial refund. */
export interface ShippingCaution {
  /** A few words, beside the pieces. */
  mark: string;
  /** A sentence, on the slip. */
  advice: string;
}

/** An amount names no pieces. An unassigned refund belongs to no known order of its payment. */
export function findCaution(order: PaidOrder): ShippingCaution | null {
  const { refund } = order;
  if (refund === undefined || countRefundable(order) === 0) return null;
  if (toCents(refund.amount) > toCents(refund.unassigned ?? 0))
    return describePart(refund.quantity, order.status === 'pending');
  return refund.state === 'failed' ? null : unassigned;
}

function namePart(pieces?: number): string {
  if (pieces === undefined) return 'A part of this order was';
  return pieces === 1 ? 'One piece of this order was' : `${formatPieces(pieces)} pieces of this order were`;
}

const describePart = (pieces: number | undefined, isPending: boolean): ShippingCaution => ({
  mark: pieces === undefined ? 'partly refunded' : `${formatPieces(pieces)} refunded`,
  advice: `${namePart(pieces)} refunded${isPending && pieces !== undefined ? ' and left out.' : ': check what goes into the box.'}`,
});

const unassigned: ShippingCaution = {
  mark: 'check its payment',
  advice: 'Part of its payment was refunded, for this order or for those paid with it: check which.',
};
