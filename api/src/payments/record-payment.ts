import type { OrderStatus } from '@parts-forge/contract/orders';
import { problems } from '@parts-forge/contract/problems';
import type { Actor } from '#src/platform/http/access.ts';
import { invalidField, Problem } from '#src/platform/http/problem.ts';
import { isForTotal, type PaymentNeeds, settle } from './settle.ts';
import { findOrderToPay } from './store.ts';

/**
 * Records that an order was paid, after asking the provider. Saying it twice is harmless.
 *
 * @param named the order as the body names it, which must be the one of the path
 * @throws Problem `invalid`, `not-found`, `unknown-payment`, `payment-of-other-order`, `payment-not-completed`,
 *   `already-paid` and `order-cancelled` (a second payment, which is given back)
 * @throws ProviderFailure
 */
export async function recordPayment(
  needs: PaymentNeeds,
  actor: Actor,
  orderId: string,
  { order: named, transactionId }: { order?: string | { _id: string } | undefined; transactionId: string },
): Promise<{ acknowledged: true; status: OrderStatus; transactionId: string }> {
  const namedId = typeof named === 'object' ? named._id : named;
  if (namedId !== undefined && namedId.toLowerCase() !== orderId.toLowerCase()) {
    throw invalidField('order', 'Must be the order of the path');
  }
  const { database, instanceId } = needs;
  const unsafeOrder = await findOrderToPay(database.db, orderId);
  if (!unsafeOrder || unsafeOrder.userId !== actor.userId) throw new Problem('not-found');
  const order = unsafeOrder;
  if (order.transactionId === transactionId) {
    return { acknowledged: true, status: order.status, transactionId };
  }

  const payment = await needs.payments.findPayment(transactionId);
  if (!payment) {
    if (order.cancelledAt) throw new Problem('not-found');
    throw invalidField('transactionId', problems['unknown-payment'].title, 'unknown-payment');
  }
  if (payment.shop !== instanceId || payment.orderId !== order.id || !isForTotal(payment, order)) {
    throw new Problem(order.cancelledAt ? 'not-found' : 'payment-of-other-order');
  }
  switch (await settle(needs, payment)) {
    case 'applied':
    case 'already': {
      const { status } = (await findOrderToPay(database.db, order.id)) ?? order;
      return { acknowledged: true, status, transactionId };
    }
    case 'refunded':
      throw new Problem(order.cancelledAt ? 'order-cancelled' : 'already-paid');
    case 'unpaid':
    case 'canceled':
    case 'foreign':
      if (order.cancelledAt) throw new Problem('not-found');
      throw new Problem(order.status === 'due' ? 'payment-not-completed' : 'already-paid');
  }
}
