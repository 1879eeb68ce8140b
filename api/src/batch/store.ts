import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Product } from '@parts-forge/contract/products/products';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOwnPrices, readToday } from '#src/prices/own-prices.ts';
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

/** As `lockLines`. The batch of a deleted account must not return. @throws Problem as `Actor.confirm` */
export async function lockOwnLines(tx: Executor, customer: Customer): Promise<LineRow[]> {
  await customer.confirm(tx);
  return lockLines(tx, customer.userId);
}

export interface NewLine {
  product: Product;
  quantity: number;
}

/** One line per product, at the customer's present price. The caller holds the batch's lock. */
export async function writeLines(
  tx: Executor,
  platform: Pick<Platform, 'clock' | 'config'>,
  userId: string,
  lines: readonly NewLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const ids = lines.map(({ product }) => product._id);
  const own = await findOwnPrices(tx, userId, ids, readToday(platform));
  const now = platform.clock.now();
  const rows = lines.map(({ product, quantity }) => ({
    userId,
    productId: product._id,
    quantity,
    priceCents: unitPriceFor(quantity, { ...product, ownPrices: own.get(product._id) }),
    createdAt: now,
    updatedAt: now,
  }));
  await tx
    .insert(batchLines)
    .values(rows)
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
  parts: readonly Pick<LineRow, 'productId'>[],
): Promise<number> {
  const ids = parts.map(({ productId }) => productId);
  const isMeant = and(eq(batchLines.userId, userId), inArray(batchLines.productId, ids));
  const { rowCount } = await db.delete(batchLines).where(isMeant);
  return rowCount ?? 0;
}

/** With its names of parts, for a deleted account. */
export async function deleteBatch(tx: Executor, userId: string): Promise<void> {
  const lines = await lockLines(tx, userId);
  await deleteParts(tx, userId, lines);
  await tx.delete(batchAliases).where(eq(batchAliases.userId, userId));
}
