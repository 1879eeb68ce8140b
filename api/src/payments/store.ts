import { orderMoves } from '@parts-forge/contract/order-states';
import { and, asc, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { raisePayAttempt } from '#src/orders/order-money.ts';
import { orders } from '#src/orders/schema.ts';
import { lockOrders } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { payments, strayPayments, webhookEvents } from './schema.ts';

/** What an order has in a payment. */
export type PaymentRow = typeof payments.$inferSelect;

/** The one payment of an order that a customer may still complete; null when there is none. */
export async function findOpenPayment(db: Executor, orderId: string): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.state, 'open')));
  return row ?? null;
}

/** A payment that customers may still complete, and the orders that it is for, in the order of their ids. */
export interface OpenPayment {
  id: string;
  orderIds: string[];
}

/** Every open payment that has a share of one of the orders. */
export async function findOpenPayments(db: Executor, orderIds: readonly string[]): Promise<OpenPayment[]> {
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

/** What each order has in the payment, in the order of their ids; empty for one that is not known. */
export function findShares(db: Executor, id: string): Promise<PaymentRow[]> {
  return db.select().from(payments).where(eq(payments.id, id)).orderBy(asc(payments.orderId));
}

/** What one order has in the payment; null for nothing. */
export async function findShare(db: Executor, id: string, orderId: string): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.orderId, orderId)));
  return row ?? null;
}

/** Writes the share with its state, or moves the one that is there. All shares of a payment go in one transaction. */
export async function writeShare(
  tx: Executor,
  payment: Pick<
    PaymentRow,
    'id' | 'orderId' | 'attempt' | 'amountCents' | 'paymentCents' | 'currency' | 'state'
  >,
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

/** The payment of an order that was opened last; null when there was none. */
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
 * Closes a payment that can no longer be paid, so that the next one of each of its orders is a new attempt.
 * @param state `missing` when the provider did not know it, which may be a mistake: it is looked for again
 */
export async function closePayment(
  tx: Executor,
  id: string,
  state: 'canceled' | 'missing',
  now: Date,
  note?: string,
): Promise<void> {
  await lockOrders(
    tx,
    (await findShares(tx, id)).map(({ orderId }) => orderId),
  );
  const closed = await tx
    .update(payments)
    .set({ state, updatedAt: now, ...(note !== undefined && { note }) })
    .where(and(eq(payments.id, id), inArray(payments.state, ['open', 'missing'])))
    .returning({ orderId: payments.orderId, attempt: payments.attempt });
  for (const { orderId, attempt } of closed) await raisePayAttempt(tx, orderId, attempt);
}

export async function markRefunded(db: Executor, id: string, orderId: string, now: Date): Promise<void> {
  await db
    .update(payments)
    .set({ state: 'refunded', updatedAt: now })
    .where(and(eq(payments.id, id), eq(payments.orderId, orderId), eq(payments.state, 'refund_due')));
}

/** One share stands for its payment, so that each payment is listed once. */
const isFirstShare = sql`not exists (
  select from ${payments} as "other" where "other"."id" = ${payments.id} and "other"."order_id" < ${payments.orderId})`;

/**
 * Payments that nobody has finished and that were not looked at for a while. The while grows with the payment's
 * age, from a minute to six hours, so that orders left unpaid do not cost a question every minute. One that the
 * provider does not know is looked for during a week.
 */
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

/** A round of the job is a minute; a little less, so that none is left out for a second. */
const ROUND_MS = 50_000;

/** Payments of the orders that wait for acceptance, those first that were not looked at for the longest time. */
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

/** The shop is done with them; what it wrote down stays. */
const isFinished = inArray(payments.state, ['applied', 'refunded', 'canceled']);

/** A moment, and the last of the payments that changed in it; an empty id is before all of them. */
export interface ChangedUntil {
  at: Date;
  id: string;
}

/**
 * Payments that the shop is done with and that changed, or whose orders did, after another one: the first change first,
 * each payment once with its latest, in the order of their ids where they changed at one moment. Of an applied one the
 * orders' changes count alone, as `updatedAt` is also when it was last looked at.
 */
export async function findPaymentsChangedSince(
  db: Executor,
  { at, id }: ChangedUntil,
  limit: number,
): Promise<ChangedUntil[]> {
  const changedAt = sql`greatest(${orders.updatedAt}, case when ${payments.state} <> 'applied' then ${payments.updatedAt} end)`;
  const latest = sql<Date>`max(${changedAt})`.mapWith(orders.updatedAt);
  return db
    .select({ id: payments.id, at: latest })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(isFinished, sql`${changedAt} >= ${at.toISOString()}::timestamptz`))
    .groupBy(payments.id)
    .having(sql`(${latest}, ${payments.id}) > (${at.toISOString()}::timestamptz, ${id})`)
    .orderBy(latest, payments.id)
    .limit(limit);
}

/** Payments that the shop is done with, in the order of their ids, after one of them. */
export async function findFinishedPaymentsAfter(db: Executor, id: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: payments.id })
    .from(payments)
    .where(and(isFinished, gt(payments.id, id)))
    .orderBy(payments.id)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Notes a payment of an order that is not there. @returns whether it was not known before */
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

/** The payment has found its orders after all, such as those of a process of another version. */
export async function resolveStrayPayment(tx: Executor, id: string, now: Date): Promise<void> {
  await tx
    .update(strayPayments)
    .set({ resolvedAt: now })
    .where(and(eq(strayPayments.id, id), isNull(strayPayments.resolvedAt)));
}

/** How many payments of orders that are not there nobody has dealt with. */
export const countStrayPayments = (db: Executor): Promise<number> =>
  db.$count(strayPayments, isNull(strayPayments.resolvedAt));

/**
 * How many payments there are, by what became of them; one that some of its orders could not take counts for each of
 * both. Most are of one order, which spares the database sorting their ids.
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

/** The payment was looked at and is as it was: it is left alone for a while. */
export async function postponePayment(db: Executor, id: string, now: Date): Promise<void> {
  await db.update(payments).set({ updatedAt: now }).where(eq(payments.id, id));
}

/** What became of an event; null when it has not been dealt with before. */
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

export async function deleteEventsBefore(db: Executor, before: Date): Promise<void> {
  await db.delete(webhookEvents).where(lt(webhookEvents.receivedAt, before));
}
