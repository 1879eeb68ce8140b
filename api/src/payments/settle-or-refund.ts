import { idPattern } from '@parts-forge/contract/text';
import { lockOrder, markPaid, type OrderRow } from '#src/orders/store.ts';
import { canSettle } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider.ts';
import { closePayment, findPayment, markRefunded, writePayment } from './store.ts';

/**
 * `applied`: the order is pending now. `already`: it was, by this very payment. `unpaid`: nothing was paid.
 * `canceled`: it never will be. `refunded`: it was paid for an order that could not take it, and given back.
 * `foreign`: another shop's payment.
 */
export type Settlement = 'applied' | 'already' | 'unpaid' | 'canceled' | 'refunded' | 'foreign';

/**
 * The one way in which an order becomes pending. The page, the webhook, the payment page opened again, a cancel
 * attempt and the job all end here, in any order and number, and the first commit wins. What an order cannot take
 * is given back to the customer within the same call.
 *
 * @param payment as the provider has just given it; never what a client or an event says
 * @throws ProviderError when the money could not be given back; the job will try again
 */
export async function settleOrRefund(
  services: PaymentServices,
  payment: ProviderPayment,
): Promise<Settlement> {
  const { instanceId, log } = services;
  if (payment.shop !== instanceId || !payment.orderId || !idPattern.test(payment.orderId)) return 'foreign';
  if (payment.status === 'canceled') {
    await closeCanceled(services, payment.id);
    return 'canceled';
  }
  if (payment.status !== 'succeeded') return 'unpaid';

  const settlement = await applyToOrder(services, payment, payment.orderId);
  if (settlement !== 'refund_due') return settlement;
  log.warn(
    { payment: payment.id, order: payment.orderId },
    'a payment came for an order that cannot take it; giving it back',
  );
  await refund(services, payment.id);
  return 'refunded';
}

/** Order and payment in one step: either the order is pending by this payment, or the money is to be given back. */
function applyToOrder(
  { database, clock }: PaymentServices,
  payment: ProviderPayment,
  orderId: string,
): Promise<Settlement | 'refund_due'> {
  return database.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) return 'foreign';
    if (order.transactionId === payment.id) return 'already';
    if (canSettle(payment, order)) {
      await writePayment(tx, toRow(payment, order, 'applied'), clock.now());
      await markPaid(tx, order.id, payment.id, clock.now());
      return 'applied';
    }
    const known = await findPayment(tx, payment.id);
    if (known?.state === 'refunded') return 'refunded';
    const reason = order.cancelledAt ? 'the order was cancelled' : `the order is ${order.status}`;
    await writePayment(tx, toRow(payment, order, 'refund_due'), clock.now(), reason);
    return 'refund_due';
  });
}

/** Gives everything back and notes it. Harmless when repeated. @throws ProviderError */
export async function refund({ database, payments, clock }: PaymentServices, id: string): Promise<void> {
  await payments.refundPayment(id);
  await markRefunded(database.db, id, clock.now());
}

async function closeCanceled({ database, clock }: PaymentServices, id: string): Promise<void> {
  const known = await findPayment(database.db, id);
  if (known?.state === 'open') await database.db.transaction((tx) => closePayment(tx, known, clock.now()));
}

const toRow = (payment: ProviderPayment, order: OrderRow, state: 'applied' | 'refund_due') => ({
  id: payment.id,
  orderId: order.id,
  attempt: order.payAttempt,
  amountCents: payment.amountCents,
  currency: payment.currency,
  state,
});
