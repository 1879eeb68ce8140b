import { canMove } from '@parts-forge/contract/orders/order-states';
import { gatherMails } from '#src/mail-outbox/write-mail.ts';
import { changeMoney, type MoneyChange } from '#src/orders/change-money.ts';
import type { OrderMoney } from '#src/orders/order-money.ts';
import type { Changed } from '#src/orders/return-pieces.ts';
import { findOrdersEvenClosed, lockOrders, type OrderRow } from '#src/orders/store.ts';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import type { ProviderPayment } from '#src/payments/provider/provider.ts';
import { findOrderIds, markRefunded } from '#src/payments/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { issueNotes } from './issue-notes.ts';
import { type Claims, resolveRefund, splitRefunds, sumAmounts, summarizeMoney } from './refund-rules.ts';
import { changeRefund, findNextLook, findPaymentRefunds, type RefundRow } from './refund-store.ts';

/**
 * Asks for refunds and disputes only if the charge or the shop's rows name any: most payments have none.
 * @param payment fresh from the provider
 * @param asksForDisputes the charge may not show a new dispute
 * @throws ProviderError
 */
export async function refreshMoney(
  services: PaymentServices,
  payment: ProviderPayment,
  { asksForDisputes = false } = {},
): Promise<void> {
  const { payments } = services;
  const { db } = services.database;
  const orders = await findOrdersEvenClosed(db, await findOrderIds(db, payment.id));
  if (orders.length === 0) return;
  const shopRefunds = await findPaymentRefunds(db, payment.id);
  const hasNoted = orders.some(({ refundState }) => refundState !== null);
  const hasRefunds = payment.refundedCents > 0 || hasNoted || shopRefunds.length > 0;
  const hasDisputes = payment.disputed || orders.some(({ disputed }) => disputed) || asksForDisputes;
  if (!hasRefunds && !hasDisputes) return;
  const [refunds, disputes] = await Promise.all([
    hasRefunds ? payments.listRefunds(payment.id) : [],
    hasDisputes || hasNoted ? payments.listDisputes(payment.id) : [],
  ]);
  await applyClaims(services, payment, { refunds, disputes });
}

/** Closes pending orders whose money is gone; their pieces return. Atomic, repeatable. */
export async function applyClaims(
  services: PaymentServices,
  payment: ProviderPayment,
  claims: Claims,
): Promise<void> {
  const updated = await gatherMails(services, () => writeClaims(services, payment, claims));
  // After the commit, as the transaction may run twice or fail.
  for (const { id, unknownStatus } of claims.disputes) {
    if (unknownStatus === undefined) continue;
    services.log.warn(
      { dispute: id, payment: payment.id, status: unknownStatus },
      'the dispute has an unknown status',
    );
  }
  for (const { order, money } of updated) {
    services.log.warn(
      { order: order.id, payment: payment.id, ...money },
      'money of the order was refunded or disputed',
    );
  }
}

function writeClaims(
  services: PaymentServices,
  payment: ProviderPayment,
  claims: Claims,
): Promise<{ order: OrderRow; money: OrderMoney }[]> {
  return services.changes.write(async (tx, changed) => {
    const now = services.clock.now();
    const orders = await lockOrders(tx, await findOrderIds(tx, payment.id));
    const known = await findPaymentRefunds(tx, payment.id);
    const shopRefunds = await updateRefunds(tx, services, payment, known, claims, now);
    const paid = orders.filter(({ transactionId }) => transactionId === payment.id);
    const all = {
      paid,
      payment,
      shopRefunds,
      claims,
      summarize: summarizeMoney(payment, shopRefunds, claims, paid),
    };
    const updated: { order: OrderRow; money: OrderMoney }[] = [];
    // Locks parts by id, to avoid deadlocks.
    for (const order of orders.sort((a, b) => (a.productId < b.productId ? -1 : 1))) {
      const money = await updateOrder(tx, changed, services, { ...all, order }, now);
      if (money !== null) updated.push({ order, money });
    }
    // Last, as it locks the credit notes' numbers. A refund of one order may move unassigned money to another.
    const money = new Map(updated.map((each) => [each.order.id, each.money]));
    const owners = paid.map((order) => ({ ...order, ...money.get(order.id) }));
    const changedRefunds = shopRefunds.filter((row) => !known.includes(row));
    await issueNotes(tx, services, owners, changedRefunds);
    return updated;
  });
}

interface OrderClaims {
  order: OrderRow;
  /** All orders of the payment. */
  paid: readonly OrderRow[];
  payment: ProviderPayment;
  shopRefunds: readonly RefundRow[];
  claims: Claims;
  summarize: ReturnType<typeof summarizeMoney>;
}

async function updateOrder(
  tx: Executor,
  changed: Changed,
  services: PaymentServices,
  { order, paid, payment, shopRefunds, claims, summarize }: OrderClaims,
  now: Date,
): Promise<OrderMoney | null> {
  const requested = shopRefunds.filter(({ orderId }) => orderId === order.id);
  if (order.transactionId !== payment.id) {
    const isRefunded = requested.some(({ state }) => state === 'succeeded');
    if (isRefunded) await markRefunded(tx, payment.id, order.id, now);
    return null;
  }
  const { isGone, ...money } = summarize(order);
  const closes = isGone && order.closedAt === null && canMove(order.status, 'refund');
  const event = closes ? 'refunded' : nameMoneyEvent(order, money);
  if (event === null) return null;
  const isSame = (['refundCents', 'unassignedCents', 'lostCents'] as const).every(
    (field) => money[field] === order[field],
  );
  // The shop's own refunds have their own trail entries; settled money has papers.
  const isRecorded = requested.length > 0 || money.refundState === order.refundState;
  const skipTrailEntry = event === 'refund-changed' && isRecorded && isSame;
  // Not the money that only moves between orders, or that release 1.0.0 announced as refunded.
  const lostCents = Math.min(
    sumAmounts(claims.disputes.filter(({ state }) => state === 'lost')) -
      paid.reduce((cents, each) => cents + each.lostCents, 0),
    money.lostCents - order.lostCents,
    money.settledCents - order.settledCents,
  );
  const change = {
    event,
    money,
    closes,
    returnsStock: closes,
    skipTrailEntry,
    lostCents: Math.max(0, lostCents),
  };
  await changeMoney(tx, changed, services, order, change, now);
  return money;
}

function nameMoneyEvent(before: OrderMoney, after: OrderMoney): MoneyChange['event'] | null {
  if (after.refundCents > before.refundCents) return 'refunded';
  if (after.disputed !== before.disputed || after.inquiry !== before.inquiry) {
    return after.disputed ? 'disputed' : 'dispute-ended';
  }
  const fields = Object.keys(after) as (keyof OrderMoney)[];
  return fields.some((field) => after[field] !== before[field]) ? 'refund-changed' : null;
}

async function updateRefunds(
  tx: Executor,
  services: PaymentServices,
  payment: ProviderPayment,
  rows: readonly RefundRow[],
  claims: Claims,
  now: Date,
): Promise<RefundRow[]> {
  const split = splitRefunds(payment, rows, claims);
  const updated: RefundRow[] = [];
  for (const row of rows) {
    const next = resolveRefund(row, payment, claims, split);
    const isSame = next.state === row.state && next.providerId === row.providerId && next.note === row.note;
    // A late failure must not end the next attempt.
    const attempt = next.state === 'failed' ? row.attempt + 1 : row.attempt;
    const change = { ...next, attempt, nextLookAt: findNextLook(attempt, now) };
    if (!isSame) await changeRefund(tx, services, row, change, now);
    updated.push(isSame ? row : { ...row, ...change });
  }
  return updated;
}
