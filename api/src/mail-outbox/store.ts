import type { MailKind, MailState } from '@parts-forge/contract/events/mail-kinds';
import { and, count, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { isClaimed, MAX_ATTEMPTS, MINUTES_UNTIL_NEXT } from '#src/platform/database/claim.ts';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { findPage, newestFirst, type Page, type PageRequest } from '#src/platform/database/find-page.ts';
import { mailOutbox } from './schema.ts';

export type MailRow = typeof mailOutbox.$inferSelect;

/** An attempt must take less than a minute. */
export function takeDueMails(db: Executor, now: Date, limit: number): Promise<MailRow[]> {
  const minutes = sql`(array[${sql.raw(MINUTES_UNTIL_NEXT.join(', '))}])[least(${mailOutbox.attempts} + 1, ${sql.raw(String(MAX_ATTEMPTS))})]`;
  return db
    .update(mailOutbox)
    .set({
      attempts: sql`${mailOutbox.attempts} + 1`,
      nextAttemptAt: sql`${now.toISOString()}::timestamptz + make_interval(mins => ${minutes})`,
    })
    .where(isClaimed(mailOutbox, mailOutbox.id, eq(mailOutbox.state, 'waiting'), now, limit))
    .returning();
}

/** @returns false when it had already ended */
export async function endMail(
  tx: Executor,
  id: string,
  state: Exclude<MailState, 'waiting'>,
  now: Date,
  lastError: string | null = null,
): Promise<boolean> {
  const ended = await tx
    .update(mailOutbox)
    .set({ state, endedAt: now, lastError })
    .where(and(eq(mailOutbox.id, id), eq(mailOutbox.state, 'waiting')))
    .returning({ id: mailOutbox.id });
  return ended.length > 0;
}

/** The next attempt is already scheduled. */
export async function noteMailError(db: Executor, id: string, lastError: string): Promise<void> {
  await db.update(mailOutbox).set({ lastError }).where(eq(mailOutbox.id, id));
}

export async function dropMailsTo(tx: Executor, userId: string, now: Date): Promise<void> {
  await tx
    .update(mailOutbox)
    .set({ state: 'dropped', endedAt: now })
    .where(and(eq(mailOutbox.userId, userId), eq(mailOutbox.state, 'waiting')));
}

export async function wasMailedSince(
  db: Executor,
  userId: string,
  kind: MailKind,
  since: Date,
): Promise<boolean> {
  const [row] = await db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.userId, userId), eq(mailOutbox.kind, kind), gt(mailOutbox.createdAt, since)))
    .limit(1);
  return row !== undefined;
}

/** Whether the customer has the mail of a parcel, or it is on its way: its first attempt has no end yet. */
export const wasMailedOf = async (db: Executor, userId: string, shipmentId: string): Promise<boolean> =>
  (await db.$count(
    mailOutbox,
    and(
      eq(mailOutbox.userId, userId),
      eq(mailOutbox.kind, 'parcel-sent'),
      sql`(state = 'sent' or state = 'waiting' and attempts = 1 and last_error is null)`,
      sql`${shipmentId}::uuid = any(${mailOutbox.shipmentId} || ${mailOutbox.also})`,
    ),
  )) > 0;

export const findMailsTo = (db: Executor, userId: string): Promise<MailRow[]> =>
  db
    .select()
    .from(mailOutbox)
    .where(eq(mailOutbox.userId, userId))
    .orderBy(desc(mailOutbox.createdAt), desc(mailOutbox.id));

export interface MailSearch extends PageRequest {
  state?: MailState | undefined;
}

/**
 * Newest first.
 * @throws Problem `invalid` for an unknown cursor
 */
export const findMails = (db: Drizzle, { state, ...request }: MailSearch): Promise<Page<MailRow>> =>
  findPage(
    db,
    mailOutbox,
    request,
    newestFirst(mailOutbox),
    state && eq(mailOutbox.state, state),
    (row) => row,
  );

export async function findMail(db: Executor, id: string): Promise<MailRow | null> {
  const [row] = await db.select().from(mailOutbox).where(eq(mailOutbox.id, id));
  return row ?? null;
}

export async function countMails(db: Executor): Promise<Record<'waiting' | 'dead', number>> {
  const rows = await db
    .select({ state: mailOutbox.state, count: count() })
    .from(mailOutbox)
    .where(inArray(mailOutbox.state, ['waiting', 'dead']))
    .groupBy(mailOutbox.state);
  return { waiting: 0, dead: 0, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** @returns the number of deleted mails */
export async function purgeMails(db: Executor, before: Date): Promise<number> {
  const { rowCount } = await db.delete(mailOutbox).where(lt(mailOutbox.createdAt, before));
  return rowCount ?? 0;
}
