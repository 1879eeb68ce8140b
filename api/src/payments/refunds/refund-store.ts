import { and, asc, count, eq, inArray, isNotNull, lte, ne, sql } from 'drizzle-orm';
import { refunds } from '#src/payments/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';

export type RefundRow = typeof refunds.$inferSelect;

/** Ask the provider after the commit. The caller holds the order's lock. */
export async function insertRefund(
  tx: Executor,
  refund: Pick<RefundRow, 'id' | 'paymentId' | 'orderId' | 'amountCents'> &
    Partial<
      Pick<RefundRow, 'elsewhereCents' | 'quantity' | 'key' | 'bodyHash' | 'reason' | 'requestedBy' | 'note'>
    >,
  now: Date,
): Promise<RefundRow> {
  const [row] = await tx
    .insert(refunds)
    .values({
      ...refund,
      nextLookAt: new Date(now.getTime() + FIRST_WAIT_MS),
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  if (!row) throw new Error('The refund could not be written.');
  return row;
}

/** Doubled with each attempt. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;

export const findNextLook = (attempt: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, attempt - 1)));

/** Oldest first. */
export function findRefunds(db: Executor, orderId: string, paymentId?: string): Promise<RefundRow[]> {
  const ofPayment = paymentId === undefined ? undefined : eq(refunds.paymentId, paymentId);
  return db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), ofPayment))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
}

export async function findRequested(db: Executor, userId: string, key: string): Promise<RefundRow | null> {
  const [row] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.requestedBy, userId), eq(refunds.key, key)));
  return row ?? null;
}

/** `at` equals the time of the trail entry. */
export interface RefundReason {
  orderId: string;
  at: Date;
  reason: string;
}

export async function findRefundReasons(
  db: Executor,
  orderIds: readonly (string | null)[],
): Promise<RefundReason[]> {
  const known = [...new Set(orderIds)].filter((id) => id !== null);
  const { orderId, createdAt, reason } = refunds;
  const rows = await db
    .select({ orderId, at: createdAt, reason })
    .from(refunds)
    .where(and(inArray(orderId, known), isNotNull(reason)));
  return rows.flatMap(({ reason, ...row }) => (reason === null ? [] : [{ ...row, reason }]));
}

export function findPaymentRefunds(db: Executor, paymentId: string): Promise<RefundRow[]> {
  return db.select().from(refunds).where(eq(refunds.paymentId, paymentId)).orderBy(asc(refunds.createdAt));
}

export function findUnfinishedRefunds(db: Executor, now: Date, limit: number): Promise<RefundRow[]> {
  return db
    .select()
    .from(refunds)
    .where(and(ne(refunds.state, 'succeeded'), lte(refunds.nextLookAt, now)))
    .orderBy(refunds.nextLookAt)
    .limit(limit);
}

export function summarizeWaitingRefunds(db: Executor) {
  return db
    .select({
      state: refunds.state,
      count: count(),
      amountCents: sql<number>`sum(${refunds.amountCents})`.mapWith(Number),
      oldest: sql<Date>`min(${refunds.createdAt})`.mapWith(refunds.createdAt),
    })
    .from(refunds)
    .where(ne(refunds.state, 'succeeded'))
    .groupBy(refunds.state);
}

/** Writes a trail entry when the state is new. */
export async function changeRefund(
  tx: Executor,
  { ids }: Pick<Platform, 'ids'>,
  { id }: Pick<RefundRow, 'id'>,
  change: RefundChange & Pick<RefundRow, 'state'>,
  now: Date,
): Promise<void> {
  const [was] = await tx.select().from(refunds).where(eq(refunds.id, id)).for('update');
  await writeRefund(tx, id, change, now);
  if (!was || was.state === change.state) return;
  const { orderId, paymentId, amountCents: refundCents } = was;
  await writeEntry(tx, {
    id: ids.next(),
    now,
    event: 'refund-changed',
    orderId,
    paymentId,
    before: { refundCents, refundState: was.state },
    after: { refundCents, refundState: change.state },
  });
}

type RefundChange = Partial<Pick<RefundRow, 'state' | 'attempt' | 'providerId' | 'note' | 'nextLookAt'>>;

export async function writeRefund(tx: Executor, id: string, change: RefundChange, now: Date): Promise<void> {
  await tx
    .update(refunds)
    .set({ ...change, updatedAt: now })
    .where(eq(refunds.id, id));
}
