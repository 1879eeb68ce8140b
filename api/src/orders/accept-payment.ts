import type { PaymentNeeds } from '#src/payments/settle.ts';
import { acceptPending } from '#src/payments/store.ts';
import { Problem } from '#src/platform/http/problem.ts';
import { findOrder } from './store.ts';

/**
 * Accepts the payment of a pending order, which is the moment of shipping; so the provider is asked once more
 * whether the money is still there.
 * @throws Problem `not-found`, `not-pending`, `payment-refunded` (given back or disputed), `unknown-payment`
 * @throws ProviderFailure; the order is then as it was
 */
export async function acceptPayment(
  { database, payments, clock }: PaymentNeeds,
  orderId: string,
): Promise<void> {
  const order = await findOrder(database.db, orderId);
  if (!order) throw new Problem('not-found');
  if (order.status !== 'pending' || order.transactionId === null) throw new Problem('not-pending');
  const payment = await payments.findPayment(order.transactionId);
  if (!payment) throw new Problem('unknown-payment');
  if (payment.status !== 'succeeded' || payment.refunded || payment.disputed) {
    throw new Problem('payment-refunded');
  }
  const accepted = await acceptPending(database.db, order.id, order.transactionId, clock.now());
  if (!accepted) throw new Problem('not-pending');
}
