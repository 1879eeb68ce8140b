import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { batchAliases, batchLines } from './schema.ts';

export type LineRow = typeof batchLines.$inferSelect;

/** In the order of their addition. */
export const findLines = (db: Executor, userId: string): Promise<LineRow[]> =>
  db.select().from(batchLines).where(eq(batchLines.userId, userId)).orderBy(batchLines.place);

/**
 * Locks a batch, even an empty one, until the transaction ends; every change starts with it. Locks rows in
 * the order of products, like placing a batch, which takes no advisory lock.
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

export type NewLine = Pick<LineRow, 'productId' | 'quantity' | 'priceCents'>;

/** One line per product. The caller holds the batch's lock. */
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

/** @returns the number of deleted lines */
export async function deleteParts(
  db: Executor,
  userId: string,
  productIds: readonly string[],
): Promise<number> {
  const { rowCount } = await db
    .delete(batchLines)
    .where(and(eq(batchLines.userId, userId), inArray(batchLines.productId, [...productIds])));
  return rowCount ?? 0;
}

/** The caller holds the batch's lock. @returns the number of deleted lines */
export async function deleteLines(tx: Executor, userId: string): Promise<number> {
  const { rowCount } = await tx.delete(batchLines).where(eq(batchLines.userId, userId));
  return rowCount ?? 0;
}

/** With its names of parts, for a deleted account. */
export async function deleteBatch(tx: Executor, userId: string): Promise<void> {
  await lockLines(tx, userId);
  await deleteLines(tx, userId);
  await tx.delete(batchAliases).where(eq(batchAliases.userId, userId));
}
