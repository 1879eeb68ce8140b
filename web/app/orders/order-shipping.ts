import { countRefundable, type Order } from '@parts-forge/contract/orders';

type Money = Pick<Order, 'status' | 'disputed' | 'refund' | 'totalPrice'>;

/** Why the pieces of an order are not to be sent now; null where they are. */
export function explainHold(order: Money): string | null {
  if (order.disputed) return "The customer's bank disputes the payment.";
  if (order.status === 'due') return 'It is not paid for.';
  return countRefundable(order) === 0 ? 'Its money was given back.' : null;
}

/** What was refunded is not sent, and nobody but the clerk who refunded it knows which pieces those are. */
export const isPartlyRefunded = (order: Money): boolean =>
  order.refund !== undefined && order.refund.state !== 'failed' && countRefundable(order) > 0;
