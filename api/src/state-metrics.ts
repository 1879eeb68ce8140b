import { setTimeout as wait } from 'node:timers/promises';
import { toAmount } from '@parts-forge/contract/money/money';
import { readCheckResults } from './consistency/store.ts';
import { countDeletions } from './identity/hosted-deletions.ts';
import { countMails } from './mail-outbox/store.ts';
import { countOrders, sumReturned } from './orders/count-orders.ts';
import { summarizeWaitingRefunds } from './payments/refunds/refund-store.ts';
import { countDeclines, countPayments, countStrayPayments } from './payments/store.ts';
import type { Metrics } from './platform/core/metrics.ts';
import type { Database, Drizzle } from './platform/database/connection.ts';

/** Timeout (ms) of the database's figures, so that a slow database does not delay the others. */
const READ_TIMEOUT_MS = 2_000;

/**
 * Figures from the database: equal in every process, and right after a restart. They are absent when the
 * database is late, as old figures would look current. Counting at each act would miss some: an order becomes
 * pending in one of five ways, each in a transaction that may roll back. A scrape takes 0.1 s of the database
 * for half a million orders (2026-11-22).
 */
export function measureState(metrics: Metrics, { db }: Pick<Database, 'db'>): void {
  const answers = metrics.gauge({
    name: 'shop_database_answers',
    aggregator: 'min',
    help: '1 if the database answered the reads of these figures within two seconds, else 0.',
  });
  const gauges = createGauges(metrics);
  metrics.beforeReading(async () => {
    const tooLate = wait(READ_TIMEOUT_MS, null, { ref: false });
    const state = await Promise.race([readState(db).catch(() => null), tooLate]);
    answers.set(state ? 1 : 0);
    for (const gauge of Object.values(gauges)) gauge.reset();
    if (state) show(state, gauges);
  });
}

async function readState(db: Drizzle) {
  const [orders, payments, stray, declines, refunds, checks, deletions, mails, returned] = await Promise.all([
    countOrders(db),
    countPayments(db),
    countStrayPayments(db),
    countDeclines(db),
    summarizeWaitingRefunds(db),
    readCheckResults(db),
    countDeletions(db),
    countMails(db),
    sumReturned(db),
  ]);
  return { orders, payments: { ...payments, stray }, declines, refunds, checks, deletions, mails, returned };
}

function show(
  {
    orders,
    payments,
    declines,
    refunds,
    checks,
    deletions,
    mails,
    returned,
  }: Awaited<ReturnType<typeof readState>>,
  gauges: ReturnType<typeof createGauges>,
): void {
  for (const [state, count] of Object.entries(orders)) gauges.orders.set({ state }, count);
  for (const [state, count] of Object.entries(payments)) gauges.payments.set({ state }, count);
  for (const [state, count] of Object.entries(deletions)) gauges.deletions.set({ state }, count);
  for (const { state, count, amountCents, oldest } of refunds) {
    gauges.refunds.set({ state }, count);
    gauges.refundAmount.set({ state }, toAmount(amountCents));
    gauges.oldestRefund.set({ state }, oldest.getTime() / 1000);
  }
  gauges.declines.set(declines);
  gauges.returned.set(toAmount(returned));
  gauges.mails.set({ state: 'waiting' }, mails.waiting);
  gauges.mails.set({ state: 'dead' }, mails.dead);
  for (const [check, { checkedAt, differences }] of Object.entries(checks)) {
    gauges.differences.set({ check }, differences);
    gauges.checked.set({ check }, checkedAt.getTime() / 1000);
  }
}

const createGauges = (metrics: Metrics) => ({
  orders: metrics.gauge({
    name: 'shop_orders',
    aggregator: 'first',
    help: 'Orders: open ones by status (due, pending, paid), closed ones by how they ended (cancelled, expired, refunded).',
    labelNames: ['state'],
  }),
  declines: metrics.gauge({
    name: 'shop_declined_cards',
    aggregator: 'first',
    help: 'Declined tries to pay within the last hour, of all customers. Many in a row mean that somebody tries stolen cards.',
  }),
  payments: metrics.gauge({
    name: 'shop_payments',
    aggregator: 'first',
    help: 'Payments by state: open, applied, canceled, missing, refund_due, refunded, stray. A payment of several orders may have two states. A stray one belongs to no order.',
    labelNames: ['state'],
  }),
  refunds: metrics.gauge({
    name: 'shop_refunds_waiting',
    aggregator: 'first',
    help: 'Refunds that have not reached the customer: pending, failed (retried).',
    labelNames: ['state'],
  }),
  refundAmount: metrics.gauge({
    name: 'shop_refunds_waiting_amount',
    aggregator: 'first',
    help: "Sum of the refunds that have not reached the customer, in the shop's currency.",
    labelNames: ['state'],
  }),
  oldestRefund: metrics.gauge({
    name: 'shop_refunds_oldest_timestamp_seconds',
    aggregator: 'first',
    help: 'Request time of the oldest waiting refund; absent without one.',
    labelNames: ['state'],
  }),
  returned: metrics.gauge({
    name: 'shop_refunds_returned_amount',
    aggregator: 'first',
    help: "Money that came back to the shop after its orders had closed as refunded; an administrator must refund it again. In the shop's currency.",
  }),
  deletions: metrics.gauge({
    name: 'shop_identity_deletions',
    help: 'Accounts of deleted users that the hosted identity service still has: waiting, failed (for hours).',
    labelNames: ['state'],
  }),
  mails: metrics.gauge({
    name: 'shop_mails',
    help: 'Mails of the last thirty days: waiting, dead (given up).',
    labelNames: ['state'],
  }),
  differences: metrics.gauge({
    name: 'shop_consistency_differences',
    aggregator: 'first',
    help: 'Differences that the last consistency check found, by check: stock, payments, provider.',
    labelNames: ['check'],
  }),
  checked: metrics.gauge({
    name: 'shop_consistency_checked_timestamp_seconds',
    aggregator: 'first',
    help: 'When the consistency check last completed.',
    labelNames: ['check'],
  }),
});
