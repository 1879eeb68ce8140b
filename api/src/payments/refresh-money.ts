import { canMove } from '@parts-forge/contract/order-states';
import { issueCreditNote } from '#src/invoices/issue-invoice.ts';
import { changeMoney, type MoneyChange } from '#src/orders/change-money.ts';
import { findOrderEvenClosed, lockOrder, type OrderMoney, type OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Claims, findOwnRefund, summarizeMoney } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider.ts';
import { changeRefund, findNextLook, findRefunds, type RefundRow } from './refund-store.ts';
import { findPayment, markRefunded } from './store.ts';

/**
 * Asks the provider for what became of a payment's money, and writes it to its order.
 * @param payment as the provider has just given it
 * @param asksForDisputes also where neither the charge nor the order speaks of one; an event or an administrator may
 *   know of one that the charge does not show
 * @throws ProviderError
 */
export async function refreshMoney(
  services: PaymentServices,
  payment: ProviderPayment,
  { asksForDisputes = false } = {},
): Promise<void> {
  const { database, payments } = services;
  const row = await findPayment(database.db, payment.id);
  const order = row && (await findOrderEvenClosed(database.db, row.orderId));
  if (!order) return;
  const own = await findRefunds(database.db, order.id, payment.id);
  const hasRefunds = payment.refundedCents > 0 || order.refundState !== null || own.length > 0;
  const hasDisputes = payment.disputed || order.disputed || asksForDisputes;
  if (!hasRefunds && !hasDisputes) return;
  const [refunds, disputes] = await Promise.all([
    hasRefunds ? payments.listRefunds(payment.id) : [],
    hasDisputes || order.refundState !== null ? payments.listDisputes(payment.id) : [],
  ]);
  await applyClaims(services, payment, order.id, { refunds, disputes });
}

/**
 * Writes what the provider says to the refunds and to the order, in one step; a pending order whose money is gone is
 * closed by it and its pieces return. Harmless to repeat.
 */
export async function applyClaims(
  services: PaymentServices,
  payment: ProviderPayment,
  orderId: string,
  claims: Claims,
): Promise<void> {
  const { changes, clock, log } = services;
  await changes.write(async (tx, changed) => {
    const now = clock.now();
    const order = await lockOrder(tx, orderId);
    if (!order) return;
    const own = await applyToRefunds(tx, services, order, payment, claims, now);
    if (order.transactionId !== payment.id) {
      if (own.some(({ state }) => state === 'succeeded')) await markRefunded(tx, payment.id, now);
      return;
    }
    const { isGone, ...money } = summarizeMoney(order, payment, own, claims);
    const closes = isGone && order.closedAt === null && canMove(order.status, 'refund');
    const event = closes ? 'refunded' : nameMoneyEvent(order, money);
    if (event === null) return;
    log.warn(
      { order: order.id, payment: payment.id, ...money },
      'money of the order was given back or disputed',
    );
    // How far the shop's own refunds are is told by entries of theirs.
    const isTold = event === 'refund-changed' && own.length > 0;
    await changeMoney(
      tx,
      changed,
      services,
      order,
      { event, money, closes, returnsStock: closes, isTold },
      now,
    );
    await issueCreditNote(tx, services, { ...order, ...money }, now);
  });
}

/** What has happened to an order's money; null when it is as it was. */
function nameMoneyEvent(before: OrderMoney, after: OrderMoney): MoneyChange['event'] | null {
  if (after.refundCents > before.refundCents) return 'refunded';
  if (after.disputed !== before.disputed) return after.disputed ? 'disputed' : 'dispute-ended';
  const isSame = after.refundCents === before.refundCents && after.refundState === before.refundState;
  return isSame ? null : 'refund-changed';
}

/** The shop's own refunds as they are after this. One that has failed gets a new attempt, later. */
async function applyToRefunds(
  tx: Executor,
  services: PaymentServices,
  order: OrderRow,
  payment: ProviderPayment,
  { refunds }: Claims,
  now: Date,
): Promise<RefundRow[]> {
  const rows = await findRefunds(tx, order.id, payment.id);
  return Promise.all(
    rows.map(async (row) => {
      const refund = findOwnRefund(row, refunds);
      if (!refund || (refund.state === row.state && refund.id === row.providerId)) return row;
      // A late answer of an attempt that has failed says nothing of the next one.
      const attempt = refund.state === 'failed' ? row.attempt + 1 : row.attempt;
      const change = {
        state: refund.state,
        providerId: refund.id,
        attempt,
        nextLookAt: findNextLook(attempt, now),
      };
      await changeRefund(tx, services, row, change, now);
      return { ...row, ...change };
    }),
  );
}
