import { formatPieces } from '../money/money.ts';
import { orderMoves } from './order-states.ts';
import { countRefundable, type Order } from './orders.ts';

type BoxedOrder = Parameters<typeof countRefundable>[0] & Pick<Order, 'disputed' | 'quantity' | 'sent'>;

/** Why nothing of an order goes into a box; null when it may. A full refund in any state stops it. */
export function findHold(order: BoxedOrder): 'disputed' | 'payment-refunded' | 'not-accepted' | null {
  if (order.disputed) return 'disputed';
  if (order.returned !== undefined) return 'payment-refunded';
  if (order.status === orderMoves.pay.from) return 'not-accepted';
  return order.closed !== undefined || countRefundable(order) === 0 ? 'payment-refunded' : null;
}

/**
 * Pieces that go into the next box: ordered, less those that went back, less those in parcels. `isToSend` of
 * the API's orders is its twin in SQL.
 */
export const countToSend = (order: BoxedOrder): number =>
  findHold(order) === null ? Math.max(0, order.quantity - (order.refund?.back ?? 0) - (order.sent ?? 0)) : 0;

/** Such as `7 of 57 pieces are to be sent: 30 went back, 20 are in parcels`. */
export function describeBox(order: BoxedOrder): string {
  const { quantity, refund: { back = 0 } = {}, sent = 0 } = order;
  const left = `${formatPieces(countToSend(order))} of ${formatPieces(quantity)} pieces are to be sent`;
  const gone = [
    ...(back > 0 ? [`${formatPieces(back)} went back`] : []),
    ...(sent > 0 ? [`${formatPieces(sent)} are in parcels`] : []),
  ];
  return gone.length > 0 ? `${left}: ${gone.join(', ')}` : left;
}
