import { toCents } from '@parts-forge/contract/money';
import type { REFUND_STATES } from '@parts-forge/contract/order-states';
import { countRefundable, type Order } from '@parts-forge/contract/orders';

type PaidOrder = Pick<Order, 'status' | 'disputed' | 'refund' | 'totalPrice'>;

/** Why the pieces of an order are not to be sent now; null where they are. */
export function explainHold(order: PaidOrder): string | null {
  if (order.disputed) return "The customer's bank disputes the payment.";
  if (order.status === 'due') return 'It is not paid for.';
  if (order.refund === undefined || countRefundable(order) > 0) return null;
  return refunds[order.refund.state];
}

/** Nothing goes out on the money of a refund, and the paper does not say of it what has not happened yet. */
const refunds: Record<(typeof REFUND_STATES)[number], string> = {
  pending: 'Its money is being given back.',
  succeeded: 'Its money was given back.',
  failed: 'Its money is to be given back.',
};

/** What to know about an order that is sent although money went back; null where none did. */
export interface ShippingCaution {
  /** A few words, beside the pieces. */
  mark: string;
  /** A sentence, on the slip. */
  advice: string;
}

/**
 * What was refunded is not sent, and nobody but the clerk who refunded it knows which pieces those are. Of what went
 * back of a payment of several orders nobody has said to which it belongs.
 */
export function findCaution(order: PaidOrder): ShippingCaution | null {
  const { refund } = order;
  if (refund === undefined || refund.state === 'failed' || countRefundable(order) === 0) return null;
  if (toCents(refund.amount) > toCents(refund.unassigned ?? 0)) return partlyRefunded;
  return unassigned;
}

const partlyRefunded: ShippingCaution = {
  mark: 'partly refunded',
  advice: 'A part of this order was refunded: check what goes into the box.',
};

const unassigned: ShippingCaution = {
  mark: 'check its payment',
  advice:
    'Money of its payment was given back, of this order or of those that were paid with it: check which.',
};
