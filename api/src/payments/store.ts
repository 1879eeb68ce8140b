import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { lockOrder, raisePayAttempt } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { payments, webhookEvents } from './schema.ts';

export type PaymentRow = typeof payments.$inferSelect;

/** The one payment of an order that a customer may still complete; null when there is none. */
export async function findOpenPayment(db: Executor, orderId: string): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.state, 'open')));
  return row ?? null;
}

export async function findPayment(db: Executor, id: string): Promise<PaymentRow | null> {
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
  if (closed.length > 0) await raisePayAttempt(tx, payment.orderId, payment.attempt);
}

export async function markRefunded(db: Executor, id: string, now: Date): Promise<void> {
  await db
    .update(payments)
    .set({ state: 'refunded', updatedAt: now })
    .where(and(eq(payments.id, id), eq(payments.state, 'refund_due')));
}

/**
 * Payments that nobody has finished and that were not looked at for a while. The while grows with the payment's
 * age, from a minute to six hours, so that orders left unpaid do not cost a question every minute.
 */
export function findUnfinishedPayments(db: Executor, now: Date, limit: number): Promise<PaymentRow[]> {
  const idleFor = sql`(${now.toISOString()}::timestamptz - ${payments.updatedAt})`;
  return db
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.state, ['open', 'refund_due']),
        sql`${idleFor} >= case when ${payments.state} = 'refund_due' then interval '1 minute' else
          least(greatest(interval '1 minute', (${payments.updatedAt} - ${payments.createdAt}) / 2), interval '6 hours') end`,
      ),
    )
    .orderBy(payments.updatedAt)
    .limit(limit);
}

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
