import { canMove } from '@parts-forge/contract/order-states';
import { issueCreditNotes } from '#src/invoices/issue-invoice.ts';
import { changeMoney, type MoneyChange } from '#src/orders/change-money.ts';
import type { OrderMoney } from '#src/orders/order-money.ts';
import type { Changed } from '#src/orders/return-pieces.ts';
import { findOrdersEvenClosed, lockOrders, type OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider.ts';
import { type Claims, divideGivenBack, resolveRefund, summarizeMoney } from './refund-rules.ts';
import { changeRefund, findNextLook, findPaymentRefunds, type RefundRow } from './refund-store.ts';
import { findShares, markRefunded } from './store.ts';

/**
 * Asks the provider for what became of a payment's money, and writes it to its orders.
 * @param payment as the provider has just given it
 * @param asksForDisputes also where neither the charge nor an order speaks of one; an event or an administrator may
 *   know of one that the charge does not show
 * @throws ProviderError
 */
export async function refreshMoney(
  services: PaymentServices,
  payment: ProviderPayment,
  { asksForDisputes = false } = {},
): Promise<void> {
  const { database, payments } = services;
  const shares = await findShares(database.db, payment.id);
  const orders = await findOrdersEvenClosed(
    database.db,
    shares.map(({ orderId }) => orderId),
  );
  if (orders.length === 0) return;
  const own = await findPaymentRefunds(database.db, payment.id);
  const hasNoted = orders.some(({ refundState }) => refundState !== null);
  const hasRefunds = payment.refundedCents > 0 || hasNoted || own.length > 0;
  const hasDisputes = payment.disputed || orders.some(({ disputed }) => disputed) || asksForDisputes;
  if (!hasRefunds && !hasDisputes) return;
  const [refunds, disputes] = await Promise.all([
    hasRefunds ? payments.listRefunds(payment.id) : [],
    hasDisputes || hasNoted ? payments.listDisputes(payment.id) : [],
  ]);
  await applyClaims(services, payment, { refunds, disputes });
}

/**
 * Writes what the provider says to the refunds of a payment and to its orders, in one step; pending orders whose money
 * is gone are closed by it and their pieces return. Harmless to repeat.
 */
export async function applyClaims(
  services: PaymentServices,
  payment: ProviderPayment,
  claims: Claims,
): Promise<void> {
  const touched = await services.changes.write(async (tx, changed) => {
    const now = services.clock.now();
    const shares = await findShares(tx, payment.id);
    const orders = await lockOrders(
      tx,
      shares.map(({ orderId }) => orderId),
    );
    const own = await applyToRefunds(tx, services, payment, claims, now);
    // Parts are locked in the order of their ids, here as by whoever takes several stocks.
    const touched: { order: OrderRow; money: OrderMoney }[] = [];
    for (const order of orders.sort((a, b) => (a.productId < b.productId ? -1 : 1))) {
      const money = await applyToOrder(tx, changed, services, { order, payment, own, claims }, now);
      if (money !== null) touched.push({ order, money });
    }
    // The next number waits for the one before, so whatever else is locked is locked by now.
    const changedOrders = touched.map(({ order, money }) => ({ ...order, ...money }));
    await issueCreditNotes(tx, services, changedOrders, now);
    return touched;
  });
  // After the commit, as the transaction may have run twice, or not to its end.
  for (const { order, money } of touched) {
    services.log.warn(
      { order: order.id, payment: payment.id, ...money },
      'money of the order was given back or disputed',
    );
  }
}

interface Look {
  order: OrderRow;
  payment: ProviderPayment;
  /** The shop's refunds of the payment, as they are after this look. */
  own: readonly RefundRow[];
  claims: Claims;
}

/** @returns the order's money as it is now; null when nothing of it has changed */
async function applyToOrder(
  tx: Executor,
  changed: Changed,
  services: PaymentServices,
  { order, payment, own, claims }: Look,
  now: Date,
): Promise<OrderMoney | null> {
  const ofOrder = own.filter(({ orderId }) => orderId === order.id);
  if (order.transactionId !== payment.id) {
    if (ofOrder.some(({ state }) => state === 'succeeded')) {
      await markRefunded(tx, payment.id, order.id, now);
    }
    return null;
  }
  const { isGone, ...money } = summarizeMoney(order, payment, own, claims);
  const closes = isGone && order.closedAt === null && canMove(order.status, 'refund');
  const event = closes ? 'refunded' : nameMoneyEvent(order, money);
  if (event === null) return null;
  // How far the shop's own refunds are is told by entries of theirs.
  const isOwnNews = money.unassignedCents === order.unassignedCents && ofOrder.length > 0;
  const isTold = event === 'refund-changed' && isOwnNews;
  await changeMoney(
    tx,
    changed,
    services,
    order,
    { event, money, closes, returnsStock: closes, isTold },
    now,
  );
  return money;
}

/** What has happened to an order's money; null when it is as it was. */
function nameMoneyEvent(before: OrderMoney, after: OrderMoney): MoneyChange['event'] | null {
  if (after.refundCents > before.refundCents) return 'refunded';
  if (after.disputed !== before.disputed) return after.disputed ? 'disputed' : 'dispute-ended';
  const isSame =
    after.refundCents === before.refundCents &&
    after.unassignedCents === before.unassignedCents &&
    after.failedCents === before.failedCents &&
    after.refundState === before.refundState;
  return isSame ? null : 'refund-changed';
}

/** The shop's own refunds as they are after this. One that has failed gets a new attempt, later. */
async function applyToRefunds(
  tx: Executor,
  services: PaymentServices,
  payment: ProviderPayment,
  claims: Claims,
  now: Date,
): Promise<RefundRow[]> {
  const rows = await findPaymentRefunds(tx, payment.id);
  const givenBack = divideGivenBack(payment, rows, claims);
  return Promise.all(
    rows.map(async (row) => {
      const is = resolveRefund(row, claims, givenBack);
      if (is.state === row.state && is.providerId === row.providerId && is.note === row.note) return row;
      // A late answer of an attempt that has failed says nothing of the next one.
      const attempt = is.state === 'failed' ? row.attempt + 1 : row.attempt;
      const change = { ...is, attempt, nextLookAt: findNextLook(attempt, now) };
      await changeRefund(tx, services, row, change, now);
      return { ...row, ...change };
    }),
  );
}
