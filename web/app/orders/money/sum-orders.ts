import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { toAmount, toCents } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';

/** Total price of the orders. */
export const sumOrders = (orders: readonly Pick<Order, 'totalPrice'>[]): number =>
  toAmount(orders.reduce((sum, { totalPrice }) => sum + toCents(totalPrice), 0));

/** The first orders that fit into one payment (`MAX_TOTAL_CENTS`). */
export function takePayable(orders: readonly Order[]): Order[] {
  let leftCents = MAX_TOTAL_CENTS;
  return orders.filter(({ totalPrice }) => {
    const cents = toCents(totalPrice);
    if (cents > leftCents) return false;
    leftCents -= cents;
    return true;
  });
}
