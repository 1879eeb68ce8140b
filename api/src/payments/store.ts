import { orderMoves } from '@parts-forge/contract/orders/order-states';
import { and, asc, desc, eq, exists, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { raisePayAttempt } from '#src/orders/order-money.ts';
import { orders } from '#src/orders/schema.ts';
import { lockOrders, type OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { payments, strayPayments, webhookEvents } from './schema.ts';

export type PaymentRow = typeof payments.$inferSelect;

export async function findOpenPayment(db: Executor, orderId: string): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.state, 'open')));
  return row ?? null;
}

export type OpenPayment = Awaited<ReturnType<typeof findOpenPayments>>[number];

export async function findOpenPayments(db: Executor, orderIds: readonly string[]) {
  const touching = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(inArray(payments.orderId, [...orderIds]), eq(payments.state, 'open')));
  const shares = await db
    .select({ id: payments.id, orderId: payments.orderId })
    .from(payments)
    .where(inArray(payments.id, touching))
    .orderBy(asc(payments.orderId));
  return [...Map.groupBy(shares, ({ id }) => id)].map(([id, rows]) => ({
    id,
    orderIds: rows.map(({ orderId }) => orderId),
  }));
}

export function findShares(db: Executor, id: string): Promise<PaymentRow[]> {
  return db.select().from(payments).where(eq(payments.id, id)).orderBy(asc(payments.orderId));
}

export async function findShare(db: Executor, id: string, orderId: string): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.orderId, orderId)));
  return row ?? null;
}

export const findOrderIds = async (db: Executor, id: string): Promise<string[]> =>
  (await findShares(db, id)).map(({ orderId }) => orderId);

export type Share = Omit<PaymentRow, 'state' | 'note' | 'createdAt' | 'updatedAt'>;

/** @param orders all that the payment is for */
export const toShare = (payment: ProviderPayment, order: OrderRow, orders: readonly OrderRow[]): Share => ({
  id: payment.id,
  orderId: order.id,
  attempt: order.payAttempt,
  amountCents: orders.length === 1 ? payment.amountCents : order.totalCents,
  paymentCents: payment.amountCents,
  currency: payment.currency,
});

/** Write all shares of a payment in one transaction. */
export async function writeShare(
  tx: Executor,
  payment: Share & Pick<PaymentRow, 'state'>,
  now: Date,
  note?: string,
): Promise<void> {
  await tx
    .insert(payments)
    .values({ ...payment, note: note ?? null, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [payments.id, payments.orderId],
      set: { state: payment.state, updatedAt: now, ...(note !== undefined && { note }) },
    });
}

export const wasPaid = sql`exists (
  select from payments where order_id = ${orders.id} and state in ('applied', 'refund_due', 'refunded'))`;

export async function findLastPayment(db: Executor, orderId: string): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(desc(payments.attempt), desc(payments.createdAt))
    .limit(1);
  return row ?? null;
}

/**
 * Moves its orders to a new attempt.
 * @param state `missing` if the provider did not know it; the job looks again
 */
export const closePayment = (
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  id: string,
  state: 'canceled' | 'missing',
): Promise<void> =>
  database.db.transaction(async (tx) => {
    const note = state === 'missing' && { note: 'unknown to the provider' };
    await lockOrders(tx, await findOrderIds(tx, id));
    const closed = await tx
      .update(payments)
      .set({ state, updatedAt: clock.now(), ...note })
      .where(and(eq(payments.id, id), inArray(payments.state, ['open', 'missing'])))
      .returning({ orderId: payments.orderId, attempt: payments.attempt });
    for (const { orderId, attempt } of closed) await raisePayAttempt(tx, orderId, attempt);
  });

export async function markRefunded(db: Executor, id: string, orderId: string, now: Date): Promise<void> {
  await db
    .update(payments)
    .set({ state: 'refunded', updatedAt: now })
    .where(and(eq(payments.id, id), eq(payments.orderId, orderId), eq(payments.state, 'refund_due')));
}

const isFirstShare = sql`not exists (
  select from ${payments} as "other" where "other"."id" = ${payments.id} and "other"."order_id" < ${payments.orderId})`;

/** The pause grows with their age, from a minute to six hours. Gives up missing payments after seven days. */
export function findUnfinishedPayments(db: Executor, now: Date, limit: number): Promise<PaymentRow[]> {
  const idleFor = sql`(${now.toISOString()}::timestamptz - ${payments.updatedAt})`;
  return db
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.state, ['open', 'missing']),
        isFirstShare,
        sql`(${payments.state} = 'open' or ${payments.createdAt} > ${now.toISOString()}::timestamptz - interval '7 days')`,
        sql`${idleFor} >= least(greatest(interval '1 minute', (${payments.updatedAt} - ${payments.createdAt}) / 2), interval '6 hours')`,
      ),
    )
    .orderBy(payments.updatedAt)
    .limit(limit);
}

/** Below the job's minute, so that no payment misses a round. */
const ROUND_MS = 50_000;

export async function findPaymentsOfPendingOrders(
  db: Executor,
  now: Date,
  limit: number,
): Promise<PaymentRow[]> {
  const rows = await db
    .select({ payment: payments })
    .from(orders)
    .innerJoin(payments, and(eq(payments.id, orders.transactionId), eq(payments.orderId, orders.id)))
    .where(
      and(
        eq(orders.status, orderMoves.accept.from),
        isNull(orders.closedAt),
        lt(payments.updatedAt, new Date(now.getTime() - ROUND_MS)),
      ),
    )
    .orderBy(payments.updatedAt)
    .limit(limit);
  return [...new Map(rows.map(({ payment }) => [payment.id, payment])).values()];
}

export async function writeStrayPayment(
  db: Executor,
  { id, orderIds, receivedCents }: ProviderPayment,
  isResolved: boolean,
  now: Date,
): Promise<boolean> {
  const resolvedAt = isResolved ? now : null;
  const [row] = await db
    .insert(strayPayments)
    .values({ id, orderId: orderIds[0] ?? null, receivedCents, createdAt: now, resolvedAt })
    .onConflictDoUpdate({ target: strayPayments.id, set: { resolvedAt } })
    .returning({ isNew: sql<boolean>`xmax = 0` });
  return row?.isNew ?? false;
}

/** For orders that appeared later, as from a process of another version. */
export async function resolveStrayPayment(tx: Executor, id: string, now: Date): Promise<void> {
  await tx
    .update(strayPayments)
    .set({ resolvedAt: now })
    .where(and(eq(strayPayments.id, id), isNull(strayPayments.resolvedAt)));
}

export const countStrayPayments = (db: Executor): Promise<number> =>
  db.$count(strayPayments, isNull(strayPayments.resolvedAt));

/**
 * A payment whose shares differ in state counts for each. `count(distinct)` would sort the ids, so payments
 * of one order are counted apart.
 */
export async function countPayments(db: Executor): Promise<Record<PaymentRow['state'], number>> {
  const none = { open: 0, applied: 0, canceled: 0, missing: 0, refund_due: 0, refunded: 0 };
  const rows = await db
    .select({ state: payments.state, count: paymentCount })
    .from(payments)
    .groupBy(payments.state);
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

const isOfOne = sql`${payments.amountCents} = ${payments.paymentCents}`;
const paymentCount =
  sql<number>`count(*) filter (where ${isOfOne}) + count(distinct ${payments.id}) filter (where not ${isOfOne})`.mapWith(
    Number,
  );

export async function postponePayment(db: Executor, id: string, now: Date): Promise<void> {
  await db.update(payments).set({ updatedAt: now }).where(eq(payments.id, id));
}

export async function findEventOutcome(db: Executor, id: string): Promise<string | null> {
  const [row] = await db
    .select({ outcome: webhookEvents.outcome })
    .from(webhookEvents)
    .where(eq(webhookEvents.id, id));
  return row?.outcome ?? null;
}

export async function writeEvent(db: Executor, event: typeof webhookEvents.$inferInsert): Promise<void> {
  await db.insert(webhookEvents).values(event).onConflictDoNothing();
}

export const DECLINED = 'payment_intent.payment_failed';

/** A constant of the statement, for the partial index. */
const isDecline = eq(webhookEvents.type, sql.raw(`'${DECLINED}'`));

export const countDeclines = (db: Executor): Promise<number> =>
  db.$count(webhookEvents, and(isDecline, gt(webhookEvents.receivedAt, sql`now() - interval '1 hour'`)));

/** Newest first, at most `limit`. */
export async function findNewestDeclines(
  db: Executor,
  userId: string,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const ofCustomer = db
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(eq(payments.id, webhookEvents.paymentId), eq(orders.userId, userId)));
  const rows = await db
    .select({ at: webhookEvents.receivedAt })
    .from(webhookEvents)
    .where(and(isDecline, gt(webhookEvents.receivedAt, since), exists(ofCustomer)))
    .orderBy(desc(webhookEvents.receivedAt))
    .limit(limit);
  return rows.map(({ at }) => at);
}

/** Shares of one payment, or the open ones of a customer. */
export function findSharesOfCustomer(db: Executor, of: { paymentId: string } | { openOf: string }) {
  return db
    .select({ id: payments.id, orderId: orders.id, userId: orders.userId })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      'paymentId' in of
        ? eq(payments.id, of.paymentId)
        : and(eq(orders.userId, of.openOf), eq(payments.state, 'open')),
    );
}

export async function deleteEventsBefore(db: Executor, before: Date): Promise<void> {
  await db.delete(webhookEvents).where(lt(webhookEvents.receivedAt, before));
}
