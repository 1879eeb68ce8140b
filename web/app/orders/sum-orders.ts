import { toAmount, toCents } from '@parts-forge/contract/money';
import type { Order } from '@parts-forge/contract/orders';

/** What the orders cost together, in dollars. */
export const sumOrders = (orders: readonly Pick<Order, 'totalPrice'>[]): number =>
  toAmount(orders.reduce((sum, { totalPrice }) => sum + toCents(totalPrice), 0));
