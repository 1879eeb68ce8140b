import { orderMoves } from '@parts-forge/contract/order-states';
import { idPattern } from '@parts-forge/contract/text';
import { issueInvoice } from '#src/invoices/issue-invoice.ts';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import { lockOrder, markPaid, type OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { followRefund } from './follow-refund.ts';
import { isFormerPayment, isOwnPayment } from './former-payments.ts';
import { canSettle, countRefunded, isGivenBack } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider.ts';
import { refreshMoney } from './refresh-money.ts';
import { findRefunds, insertRefund, type RefundRow } from './refund-store.ts';
import { closePayment, findPayment, type PaymentRow, writePayment, writeStrayPayment } from './store.ts';

/**
 * `applied`: the order is pending now. `already`: it was, by this very payment. `unpaid`: nothing was paid.
 * `canceled`: it never will be. `refunded`: it was paid for an order that could not take it, and is given back, or it
 * was given back before. `foreign`: another shop's payment. `stray`: this shop's, of an order that is not there, or that
 * cannot take it and was restored from a backup which does not know the payment.
 */
export type Settlement = 'applied' | 'already' | 'unpaid' | 'canceled' | 'refunded' | 'foreign' | 'stray';

/**
 * The one way in which an order becomes pending. The page, the webhook, the payment page opened again, a cancel
 * attempt and the job all end here, in any order and number, and the first commit wins. What an order cannot take
 * is given back to the customer within the same call, and what became of its money is written to the order.
 *
 * @param payment as the provider has just given it; never what a client or an event says
 * @param asksForDisputes see `refreshMoney`
 * @throws ProviderError when the money could not be given back; the job will try again
 */
export async function settleOrRefund(
  services: PaymentServices,
  payment: ProviderPayment,
  { asksForDisputes = false } = {},
): Promise<Settlement> {
  if (!isOwnPayment(payment, services)) return 'foreign';
  if (payment.status === 'canceled') {
    await closeCanceled(services, payment.id);
    return 'canceled';
  }
  if (payment.status !== 'succeeded') return 'unpaid';

  const current = await withRefunds(services, payment);
  const settlement = await applyToOrder(services, current);
  if (hasMailed(settlement)) await services.changes.publish('mail');
  switch (settlement) {
    case 'stray':
      await reportStray(services, current);
      return 'stray';
    case 'applied':
    case 'already':
      await refreshMoney(services, payment, { asksForDisputes });
      return settlement;
    case 'refunded':
      return 'refunded';
    default:
      services.log.warn(
        { payment: payment.id, order: payment.orderId },
        'a payment came for an order that cannot take it; it has to be given back',
      );
      await followRefund(services, settlement);
      return 'refunded';
  }
}

/** The customer is told of a payment that was applied, and of one that goes back. */
const hasMailed = (settlement: Awaited<ReturnType<typeof applyToOrder>>): boolean =>
  settlement === 'applied' || typeof settlement === 'object';

/** With what really went back: a charge may go on counting a refund that has failed. */
async function withRefunds(
  { payments }: PaymentServices,
  payment: ProviderPayment,
): Promise<ProviderPayment> {
  if (payment.refundedCents === 0) return payment;
  return { ...payment, refundedCents: countRefunded(payment, await payments.listRefunds(payment.id)) };
}

/**
 * Order and payment in one step: the order is pending by this payment, or the money is to be given back by the refund
 * that is reserved here.
 */
function applyToOrder(
  services: PaymentServices,
  payment: ProviderPayment,
): Promise<'applied' | 'already' | 'refunded' | 'stray' | RefundRow> {
  const { orderId } = payment;
  if (!orderId || !idPattern.test(orderId)) return Promise.resolve('stray');
  return services.database.db.transaction(async (tx) => {
    const now = services.clock.now();
    const order = await lockOrder(tx, orderId);
    if (!order) return 'stray';
    if (order.transactionId === payment.id) return 'already';
    if (!canSettle(payment, order)) return returnPayment(tx, services, payment, order, now);
    await writePayment(tx, toRow(payment, order, 'applied'), now);
    await markPaid(tx, order.id, payment.id, now);
    await writeEntry(tx, {
      id: services.ids.next(),
      now,
      event: 'paid',
      orderId: order.id,
      paymentId: payment.id,
      before: { status: order.status },
      after: { status: orderMoves.pay.to, amountCents: payment.receivedCents },
    });
    const mail = { kind: 'payment-received', userId: order.userId, orderId: order.id, now } as const;
    await writeMail(tx, services, mail);
    await issueInvoice(tx, services, order, { transactionId: payment.id, at: now }, now);
    return 'applied';
  });
}

/**
 * Notes that an order cannot take a payment, and reserves its refund unless all of it went back already, or the backup
 * that was restored does not know it.
 */
async function returnPayment(
  tx: Executor,
  services: PaymentServices,
  payment: ProviderPayment,
  order: OrderRow,
  now: Date,
): Promise<'refunded' | 'stray' | RefundRow> {
  const [known, [refund]] = [await findPayment(tx, payment.id), await findRefunds(tx, order.id, payment.id)];
  const reason = order.closed ? `the order was ${order.closed}` : `the order is ${order.status}`;
  const isReturned = isGivenBack(payment);
  // Newer than the backup that was restored: what the order was by then is not known here.
  if (!isReturned && !known && isFormerPayment(payment, services)) return 'stray';
  if (isReturned) await writePayment(tx, toRow(payment, order, 'refunded'), now);
  else await writePayment(tx, toRow(payment, order, 'refund_due'), now, reason);
  if (known?.state !== 'refunded' && known?.state !== 'refund_due') {
    await writeEntry(tx, {
      id: services.ids.next(),
      now,
      event: 'payment-returned',
      orderId: order.id,
      paymentId: payment.id,
      after: { amountCents: payment.receivedCents, refundState: isReturned ? 'succeeded' : 'pending' },
    });
  }
  if (isReturned) return 'refunded';
  if (refund) return refund;
  const { receivedCents: amountCents } = payment;
  const mail = { kind: 'order-refunded', userId: order.userId, orderId: order.id, amountCents, now } as const;
  await writeMail(tx, services, mail);
  return insertRefund(
    tx,
    {
      id: services.ids.next(),
      paymentId: payment.id,
      orderId: order.id,
      amountCents: payment.receivedCents,
      note: reason,
    },
    now,
  );
}

/**
 * A payment that carries this shop's id and an order that is not in its database, or, after an older backup was
 * restored, one that the backup does not know, of an order that cannot take it. Whoever runs the shop must decide; it is
 * said here, and counted in every round of the job.
 */
async function reportStray(
  { database, clock, ids, log }: PaymentServices,
  payment: ProviderPayment,
): Promise<void> {
  const isNew = await database.db.transaction(async (tx) => {
    const now = clock.now();
    const isNew = await writeStrayPayment(tx, payment, isGivenBack(payment), now);
    const after = { amountCents: payment.receivedCents, refundedCents: payment.refundedCents };
    if (isNew) {
      await writeEntry(tx, { id: ids.next(), now, event: 'payment-stray', paymentId: payment.id, after });
    }
    return isNew;
  });
  if (!isNew || isGivenBack(payment)) return;
  log.error(
    { payment: payment.id, order: payment.orderId, receivedCents: payment.receivedCents },
    'a payment of this shop belongs to no order that can take it; give it back at the provider, or restore the order',
  );
}

async function closeCanceled({ database, clock }: PaymentServices, id: string): Promise<void> {
  const known = await findPayment(database.db, id);
  if (known) await database.db.transaction((tx) => closePayment(tx, known, 'canceled', clock.now()));
}

const toRow = (payment: ProviderPayment, order: OrderRow, state: PaymentRow['state']) => ({
  id: payment.id,
  orderId: order.id,
  attempt: order.payAttempt,
  amountCents: payment.amountCents,
  currency: payment.currency,
  state,
});
