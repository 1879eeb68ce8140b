import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { orders, payments, webhookEvents } from '#src/db/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';

export type PaymentRow = typeof payments.$inferSelect;
export type PayableOrder = typeof orders.$inferSelect;

/** The order as it is now, cancelled ones too; null when there is none. Compare its owner before using it. */
export async function findOrderToPay(db: Executor, id: string): Promise<PayableOrder | null> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id));
  return row ?? null;
}

/** The same, held until the transaction ends. Lock the order before touching its payments, always in this order. */
export async function lockOrder(tx: Executor, id: string): Promise<PayableOrder | null> {
  const [row] = await tx.select().from(orders).where(eq(orders.id, id)).for('update');
  return row ?? null;
}

/** The unpaid orders of a customer with exactly this total, at most two: more than one is one too many. */
export function findDueOrdersOf(db: Executor, userId: string, totalCents: number): Promise<PayableOrder[]> {
  return db
    .select()
    .from(orders)
    .where(
      sql`${orders.userId} = ${userId} and ${orders.totalCents} = ${totalCents} and ${orders.status} = 'due' and ${orders.cancelledAt} is null`,
    )
    .limit(2);
}

/** The one payment of an order that a customer may still complete; null when there is none. */
export async function findOpenPayment(db: Executor, orderId: string): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.state, 'open')));
  return row ?? null;
}

export async function findPaymentRow(db: Executor, id: string): Promise<PaymentRow | null> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row ?? null;
}

/** Writes the payment with its state, or moves the one that is there. */
export async function writePayment(
  tx: Executor,
  payment: Pick<PaymentRow, 'id' | 'orderId' | 'attempt' | 'amountCents' | 'currency' | 'state'>,
  now: Date,
  note?: string,
): Promise<void> {
  await tx
    .insert(payments)
    .values({ ...payment, note: note ?? null, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: payments.id,
      set: { state: payment.state, updatedAt: now, ...(note !== undefined && { note }) },
    });
}

/** The next payment of the order is a new attempt, unless somebody has moved on already. */
export async function raiseAttempt(db: Executor, orderId: string, attempt: number): Promise<void> {
  await db
    .update(orders)
    .set({ payAttempt: attempt + 1 })
    .where(and(eq(orders.id, orderId), eq(orders.payAttempt, attempt)));
}

/** Closes an open payment that can no longer be paid, so that the order's next one is a new attempt. */
export async function closePayment(
  tx: Executor,
  payment: PaymentRow,
  now: Date,
  note?: string,
): Promise<void> {
  if (!(await lockOrder(tx, payment.orderId))) return;
  const closed = await tx
    .update(payments)
    .set({ state: 'canceled', updatedAt: now, ...(note !== undefined && { note }) })
    .where(and(eq(payments.id, payment.id), eq(payments.state, 'open')))
    .returning({ id: payments.id });
  if (closed.length > 0) await raiseAttempt(tx, payment.orderId, payment.attempt);
}

export async function markRefunded(db: Executor, id: string, now: Date): Promise<void> {
  await db
    .update(payments)
    .set({ state: 'refunded', updatedAt: now })
    .where(and(eq(payments.id, id), eq(payments.state, 'refund_due')));
}

/** The order is paid for by this payment. The caller holds the order's lock. */
export async function markPending(
  tx: Executor,
  orderId: string,
  transactionId: string,
  now: Date,
): Promise<void> {
  await tx
    .update(orders)
    .set({ status: 'pending', transactionId, updatedAt: now })
    .where(and(eq(orders.id, orderId), eq(orders.status, 'due')));
}

/** An admin's acceptance; false when the order is no longer pending with that payment. */
export async function acceptPending(
  db: Executor,
  orderId: string,
  transactionId: string,
  now: Date,
): Promise<boolean> {
  const accepted = await db
    .update(orders)
    .set({ status: 'paid', updatedAt: now })
    .where(and(eq(orders.id, orderId), eq(orders.status, 'pending'), eq(orders.transactionId, transactionId)))
    .returning({ id: orders.id });
  return accepted.length > 0;
}

/**
 * Payments that nobody has finished and that were not looked at for a while. The while grows with the payment's
 * age, from a minute to six hours, so that orders left unpaid do not cost a question every minute.
 */
export function findUnfinished(db: Executor, now: Date, limit: number): Promise<PaymentRow[]> {
  const quiet = sql`(${now.toISOString()}::timestamptz - ${payments.updatedAt})`;
  return db
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.state, ['open', 'refund_due']),
        sql`${quiet} >= case when ${payments.state} = 'refund_due' then interval '1 minute' else
          least(greatest(interval '1 minute', (${payments.updatedAt} - ${payments.createdAt}) / 2), interval '6 hours') end`,
      ),
    )
    .orderBy(payments.updatedAt)
    .limit(limit);
}

/** Notes that the payment was looked at and is as it was. */
export async function touchPayment(db: Executor, id: string, now: Date): Promise<void> {
  await db.update(payments).set({ updatedAt: now }).where(eq(payments.id, id));
}

/** What became of an event; null when it was not seen before. */
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
