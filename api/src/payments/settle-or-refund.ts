import { orderMoves } from '@parts-forge/contract/orders/order-states';
import { idPattern } from '@parts-forge/contract/text/text';
import { issueInvoices } from '#src/invoices/issue-invoice.ts';
import { gatherMails, writeMail } from '#src/mail-outbox/write-mail.ts';
import { markPaid } from '#src/orders/move-order.ts';
import { lockOrders, type OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { isFormerPayment, isOwnPayment } from './former-payments.ts';
import { canSettle, isForTotal, isFullyRefunded } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment, ProviderRefund } from './provider/provider.ts';
import { tryRefund } from './refunds/follow-refund.ts';
import { refreshMoney } from './refunds/refresh-money.ts';
import { countRefunded } from './refunds/refund-rules.ts';
import type { RefundRow } from './refunds/refund-store.ts';
import { returnShare } from './refunds/return-share.ts';
import { reportStray } from './report-stray.ts';
import { closePayment, findShares, resolveStrayPayment, type Share, toShare, writeShare } from './store.ts';

/**
 * The only way for orders to become pending. Page, webhook, cancel and job call it in any order; the first
 * commit wins. Refunds shares that their orders cannot take.
 * @param payment fresh from the provider; never from a client or an event
 * @throws ProviderError
 */
export async function settleOrRefund(
  services: PaymentServices,
  payment: ProviderPayment,
  { asksForDisputes = false } = {},
): Promise<Settlement> {
  if (!isOwnPayment(payment, services)) return 'foreign';
  if (payment.status === 'canceled') {
    await closePayment(services, payment.id, 'canceled');
    return 'canceled';
  }
  if (payment.status !== 'succeeded') return 'unpaid';

  const refunds = payment.refundedCents === 0 ? [] : await services.payments.listRefunds(payment.id);
  // The charge may still count a failed refund.
  const current = { ...payment, refundedCents: countRefunded(payment, refunds) };
  const apply = () => applyToOrders(services, current, refunds);
  const applied = await (payment.orderIds.length > 1 ? gatherMails(services, apply) : apply());
  if (applied === 'stray') {
    await reportStray(services, current);
    return 'stray';
  }
  if (applied.hasMailed) await services.changes.publish('mail');
  if (applied.settlement !== 'refunded') await refreshMoney(services, payment, { asksForDisputes });
  for (const refund of applied.refunds) {
    services.log.warn(
      { payment: payment.id, order: refund.orderId },
      'a payment came for an order that cannot take it; it has to be refunded',
    );
    await tryRefund(services, refund);
  }
  return applied.settlement;
}

/**
 * - `applied`: made at least one order pending.
 * - `already`: had done so before.
 * - `unpaid`: may still be paid.
 * - `canceled`: can never be paid.
 * - `refunded`: no order could take it.
 * - `foreign`: another shop's payment.
 * - `stray`: its order is unknown, or cannot take a payment newer than the restored backup.
 */
export type Settlement = 'applied' | 'already' | 'unpaid' | 'canceled' | 'refunded' | 'foreign' | 'stray';

interface Applied {
  settlement: 'applied' | 'already' | 'refunded';
  refunds: RefundRow[];
  hasMailed: boolean;
}

function applyToOrders(
  services: PaymentServices,
  payment: ProviderPayment,
  refunds: readonly ProviderRefund[],
): Promise<Applied | 'stray'> {
  const { orderIds } = payment;
  const isReadable = orderIds.length > 0 && orderIds.every((id) => idPattern.test(id));
  if (!isReadable) return Promise.resolve('stray');
  return services.database.db.transaction(async (tx) => {
    const now = services.clock.now();
    const orders = await lockOrders(tx, orderIds);
    const isKnown = (await findShares(tx, payment.id)).length > 0;
    if (isStray(services, payment, orders, isKnown)) return 'stray';
    await resolveStrayPayment(tx, payment.id, now);

    const applied: Applied = { settlement: 'refunded', refunds: [], hasMailed: false };
    const paid: OrderRow[] = [];
    for (const order of orders) {
      const share = toShare(payment, order, orders);
      if (order.transactionId === payment.id) {
        if (applied.settlement === 'refunded') applied.settlement = 'already';
      } else if (canSettle(payment, order, orders)) {
        await payOrder(tx, services, share, order, now);
        paid.push(order);
        applied.settlement = 'applied';
        applied.hasMailed = true;
      } else {
        const refund = await returnShare(tx, services, { payment, refunds, share, order }, now);
        if (refund) applied.refunds.push(refund);
        applied.hasMailed ||= refund !== null;
      }
    }
    const [first] = paid;
    if (first) {
      const mail = { kind: 'payment-received', userId: first.userId, orderId: first.id, now } as const;
      await writeMail(tx, services, mail);
    }
    // Last, as each invoice number waits for the one before.
    const paidBy = { transactionId: payment.id, at: now };
    await issueInvoices(tx, services, paid, paidBy);
    return applied;
  });
}

function isStray(
  services: PaymentServices,
  payment: ProviderPayment,
  orders: readonly OrderRow[],
  isKnown: boolean,
): boolean {
  if (orders.length < payment.orderIds.length) return true;
  const isWhole = isForTotal(payment, orders) && payment.receivedCents === payment.amountCents;
  // A wrong total cannot be split.
  if (orders.length > 1 && !isWhole) return true;
  if (isKnown || !isFormerPayment(payment, services)) return false;
  // The backup lacks the payment, so the orders' later states are unknown.
  return !isFullyRefunded(payment) && !orders.every((order) => canSettle(payment, order, orders));
}

async function payOrder(
  tx: Executor,
  services: PaymentServices,
  share: Share,
  order: OrderRow,
  now: Date,
): Promise<void> {
  await writeShare(tx, { ...share, state: 'applied' }, now);
  await markPaid(tx, order.id, share.id, now);
  await writeEntry(tx, {
    id: services.ids.next(),
    now,
    event: 'paid',
    orderId: order.id,
    paymentId: share.id,
    before: { status: order.status },
    after: { status: orderMoves.pay.to, amountCents: share.amountCents },
  });
}
