import { MAX_TOTAL_CENTS } from '@parts-forge/contract/bounds';
import { toAmount, toCents } from '@parts-forge/contract/money';
import type { Order } from '@parts-forge/contract/orders';

/** What the orders cost together, in dollars. */
export const sumOrders = (orders: readonly Pick<Order, 'totalPrice'>[]): number =>
  toAmount(orders.reduce((sum, { totalPrice }) => sum + toCents(totalPrice), 0));

/** Those of the orders that one payment can take, the first ones before the others. */
export function takePayable(orders: readonly Order[]): Order[] {
  let leftCents = MAX_TOTAL_CENTS;
  return orders.filter(({ totalPrice }) => {
    const cents = toCents(totalPrice);
    if (cents > leftCents) return false;
    leftCents -= cents;
    return true;
  });
}
