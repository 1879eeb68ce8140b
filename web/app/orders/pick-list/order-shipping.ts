import { formatPieces, toCents } from '@parts-forge/contract/money/money';
import { findHold } from '@parts-forge/contract/orders/box';
import type { REFUND_STATES } from '@parts-forge/contract/orders/order-states';
import { countRefundable, type Order } from '@parts-forge/contract/orders/orders';

type BoxedOrder = Parameters<typeof findHold>[0] & Pick<Order, 'inquiry'>;

/** Why an order must not be sent now; null when it may. */
export function explainHold(order: BoxedOrder): string | null {
  switch (findHold(order)) {
    case 'disputed':
      return `The customer's bank ${order.inquiry ? 'asks about' : 'disputes'} the payment.`;
    case 'not-accepted':
      return 'It is not paid for.';
    case 'payment-refunded':
      return refunds[order.refund?.state ?? 'succeeded'];
    case null:
      return null;
  }
}

const refunds: Record<(typeof REFUND_STATES)[number], string> = {
  pending: 'It is being refunded.',
  succeeded: 'It was refunded.',
  failed: 'Its refund is due.',
};

/** A warning on an order that ships despite a partial refund. */
export interface ShippingCaution {
  /** A few words, beside the pieces. */
  mark: string;
  /** A sentence, on the slip. */
  advice: string;
}

/** An amount names no pieces. An unassigned refund belongs to no known order of its payment. */
export function findCaution(order: BoxedOrder): ShippingCaution | null {
  const { refund } = order;
  if (refund === undefined || countRefundable(order) === 0) return null;
  if (toCents(refund.amount) > toCents(refund.unassigned ?? 0))
    return describePart(refund.quantity, refund.unsure);
  return refund.state === 'failed' ? null : unassigned;
}

function namePart(pieces?: number): string {
  if (pieces === undefined) return 'A part of this order was';
  return pieces === 1 ? 'One piece of this order was' : `${formatPieces(pieces)} pieces of this order were`;
}

function describePart(pieces?: number, unsure?: number): ShippingCaution {
  const mark = pieces === undefined ? 'partly refunded' : `${formatPieces(pieces)} refunded`;
  if (pieces !== undefined && unsure === undefined)
    return { mark, advice: `${namePart(pieces)} refunded and left out.` };
  const when = unsure === undefined ? '' : ' after a part was sent';
  return { mark, advice: `${namePart(unsure)} refunded${when}: check what goes into the box.` };
}

const unassigned: ShippingCaution = {
  mark: 'check its payment',
  advice: 'Part of its payment was refunded, for this order or for those paid with it: check which.',
};
