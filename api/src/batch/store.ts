import { and, eq, lt, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { batchJoins, batchLines } from './schema.ts';

export type LineRow = typeof batchLines.$inferSelect;

/** The lines of a person's list, the one that was added first in front. */
export const findLines = (db: Executor, userId: string): Promise<LineRow[]> =>
  db.select().from(batchLines).where(eq(batchLines.userId, userId)).orderBy(batchLines.place);

/**
 * The same, held until the transaction ends, an empty list too: whoever changes a list reads it by this first. The rows
 * are locked in the order of their products, as placing a batch does, which does not wait for the list itself.
 */
export async function lockLines(tx: Executor, userId: string): Promise<LineRow[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('batch ' || ${userId}::text, 0))`);
  return tx
    .select()
    .from(batchLines)
    .where(eq(batchLines.userId, userId))
    .orderBy(batchLines.productId)
    .for('update');
}

/** A line as it shall be. */
export type NewLine = Pick<LineRow, 'productId' | 'quantity' | 'priceCents'>;

/** Writes lines of a person's list, of each product once. The caller holds the list's lock. */
export async function writeLines(
  tx: Executor,
  userId: string,
  lines: readonly NewLine[],
  now: Date,
): Promise<void> {
  if (lines.length === 0) return;
  await tx
    .insert(batchLines)
    .values(lines.map((line) => ({ ...line, userId, createdAt: now, updatedAt: now })))
    .onConflictDoUpdate({
      target: [batchLines.userId, batchLines.productId],
      set: {
        quantity: sql`excluded.quantity`,
        priceCents: sql`excluded.price_cents`,
        updatedAt: sql`excluded.updated_at`,
      },
    });
}

/** @returns how many there were: one or none */
export async function deleteLine(db: Executor, userId: string, productId: string): Promise<number> {
  const { rowCount } = await db
    .delete(batchLines)
    .where(and(eq(batchLines.userId, userId), eq(batchLines.productId, productId)));
  return rowCount ?? 0;
}

/** Empties the list. The caller holds its lock. @returns how many lines it had */
export async function deleteLines(tx: Executor, userId: string): Promise<number> {
  const { rowCount } = await tx.delete(batchLines).where(eq(batchLines.userId, userId));
  return rowCount ?? 0;
}

/** Notes that a browser's list was taken over. @returns false when it was before */
export async function insertJoin(tx: Executor, userId: string, joinId: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx
    .insert(batchJoins)
    .values({ userId, joinId, createdAt: now })
    .onConflictDoNothing();
  return rowCount === 1;
}

/** Forgets everything of a person who is gone. */
export async function deleteBatch(tx: Executor, userId: string): Promise<void> {
  await lockLines(tx, userId);
  await deleteLines(tx, userId);
  await tx.delete(batchJoins).where(eq(batchJoins.userId, userId));
}

/** Of how long ago takeovers are forgotten: no browser repeats one then. */
const FORGET_JOINS_MS = 30 * 24 * 3_600_000;

/** Removes takeovers that are long over. Harmless to repeat. */
export async function forgetJoins({
  database: { db },
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - FORGET_JOINS_MS);
  await db.delete(batchJoins).where(lt(batchJoins.createdAt, before));
}
