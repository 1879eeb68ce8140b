import { idPattern } from '@parts-forge/contract/text';
import type { Services } from '#src/services.ts';
import type { ProviderPayment } from './provider.ts';
import {
  closePayment,
  findPaymentRow,
  lockOrder,
  markPending,
  markRefunded,
  type PayableOrder,
  writePayment,
} from './store.ts';

/** What the use cases of payment stand on. */
export type PaymentNeeds = Pick<
  Services,
  'database' | 'changes' | 'clock' | 'instanceId' | 'payments' | 'log'
>;

/**
 * `applied`: the order is pending now. `already`: it was, by this very payment. `unpaid`: nothing was paid.
 * `canceled`: it never will be. `refunded`: it was paid for an order that could not take it, and given back.
 * `foreign`: another shop's payment.
 */
export type Settlement = 'applied' | 'already' | 'unpaid' | 'canceled' | 'refunded' | 'foreign';

/**
 * The one way in which an order becomes pending. The page, the webhook, the payment page opened again, a cancel
 * attempt and the job all end here, in any order and number, and the first commit wins.
 *
 * @param payment as the provider has just given it; never what a client or an event says
 * @throws ProviderFailure when the money could not be given back; the job will try again
 */
export async function settle(needs: PaymentNeeds, payment: ProviderPayment): Promise<Settlement> {
  const { database, clock, instanceId, log } = needs;
  if (payment.shop !== instanceId || !payment.orderId || !idPattern.test(payment.orderId)) return 'foreign';
  if (payment.status === 'canceled') {
    await closeCanceled(needs, payment.id);
    return 'canceled';
  }
  if (payment.status !== 'succeeded') return 'unpaid';

  const { orderId } = payment;
  const settlement = await database.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) return 'foreign' as const;
    if (order.transactionId === payment.id) return 'already' as const;
    const fits = order.status === 'due' && order.cancelledAt === null && isPaidInFull(payment, order);
    if (fits) {
      await writePayment(tx, rowOf(payment, order, 'applied'), clock.now());
      await markPending(tx, order.id, payment.id, clock.now());
      return 'applied' as const;
    }
    const known = await findPaymentRow(tx, payment.id);
    if (known?.state === 'refunded') return 'refunded' as const;
    const reason = order.cancelledAt ? 'the order was cancelled' : `the order is ${order.status}`;
    await writePayment(tx, rowOf(payment, order, 'refund_due'), clock.now(), reason);
    return 'refund_due' as const;
  });
  if (settlement !== 'refund_due') return settlement;

  log.warn(
    { payment: payment.id, order: orderId },
    'a payment came for an order that cannot take it; giving it back',
  );
  await giveBack(needs, payment.id);
  return 'refunded';
}

/** Gives everything back and notes it. Harmless when repeated. @throws ProviderFailure */
export async function giveBack({ database, payments, clock }: PaymentNeeds, id: string): Promise<void> {
  await payments.refundPayment(id);
  await markRefunded(database.db, id, clock.now());
}

/** The payment is the order's whole total, in its currency, and nothing of it went back. */
export function isPaidInFull(payment: ProviderPayment, order: PayableOrder): boolean {
  return isForTotal(payment, order) && payment.receivedCents === order.totalCents && !payment.refunded;
}

export const isForTotal = (payment: ProviderPayment, order: PayableOrder) =>
  payment.amountCents === order.totalCents && payment.currency === order.currency;

async function closeCanceled({ database, clock }: PaymentNeeds, id: string): Promise<void> {
  const known = await findPaymentRow(database.db, id);
  if (known?.state === 'open') await database.db.transaction((tx) => closePayment(tx, known, clock.now()));
}

const rowOf = (payment: ProviderPayment, order: PayableOrder, state: 'applied' | 'refund_due') => ({
  id: payment.id,
  orderId: order.id,
  attempt: order.payAttempt,
  amountCents: payment.amountCents,
  currency: payment.currency,
  state,
});
