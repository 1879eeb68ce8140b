import { canMove, orderMoves } from '@parts-forge/contract/order-states';
import { Problem } from '#src/platform/core/problem.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { OrderPayments } from './order-payments.ts';
import { findOrder, markAccepted } from './store.ts';

/**
 * Accepts the payment of a pending order, which is the moment of shipping; so the provider is asked once more
 * whether the money is still there.
 * @throws Problem `not-found`, `not-pending`, `payment-refunded` (given back or disputed), `unknown-payment`
 * @throws ProviderError; the order is then as it was
 */
export async function acceptPayment(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  payments: Pick<OrderPayments, 'isMoneyThere'>,
  orderId: string,
): Promise<void> {
  const order = await findOrder(database.db, orderId);
  if (!order) throw new Problem('not-found');
  if (!canMove(order.status, 'accept') || order.transactionId === null) {
    throw new Problem(orderMoves.accept.refusal);
  }
  if (!(await payments.isMoneyThere(order.transactionId))) throw new Problem('payment-refunded');
  const isAccepted = await markAccepted(database.db, order.id, order.transactionId, clock.now());
  if (!isAccepted) throw new Problem(orderMoves.accept.refusal);
}
