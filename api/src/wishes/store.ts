import type { UserData } from '@parts-forge/contract/accounts';
import { and, count, desc, eq } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { products } from '#src/products/schema.ts';
import { wishes } from './schema.ts';

const COUNTED_PARTS = 1000;

const isWish = (userId: string, productId: string) =>
  and(eq(wishes.userId, userId), eq(wishes.productId, productId));

export async function hasWish(db: Executor, userId: string, productId: string): Promise<boolean> {
  return (await db.$count(wishes, isWish(userId, productId))) > 0;
}

export const countWishesOf = (db: Executor, userId: string): Promise<number> =>
  db.$count(wishes, eq(wishes.userId, userId));

/** Repeatable. */
export async function insertWish(tx: Executor, userId: string, productId: string, now: Date): Promise<void> {
  await tx.insert(wishes).values({ userId, productId, createdAt: now }).onConflictDoNothing();
}

/** @returns 1 or 0 */
export async function deleteWish(db: Executor, userId: string, productId: string): Promise<number> {
  const { rowCount } = await db.delete(wishes).where(isWish(userId, productId));
  return rowCount ?? 0;
}

export async function deleteWishesOf(db: Executor, userId: string): Promise<number> {
  const { rowCount } = await db.delete(wishes).where(eq(wishes.userId, userId));
  return rowCount ?? 0;
}

/** Most first. */
export function countWishesByPart(db: Executor): Promise<{ product: string; count: number }[]> {
  return db
    .select({ product: wishes.productId, count: count() })
    .from(wishes)
    .groupBy(wishes.productId)
    .orderBy(desc(count()), wishes.productId)
    .limit(COUNTED_PARTS);
}

export async function findWishes(db: Executor, userId: string): Promise<UserData['wishes']> {
  const rows = await db
    .select({ product: products.id, name: products.name, at: wishes.createdAt })
    .from(wishes)
    .innerJoin(products, eq(products.id, wishes.productId))
    .where(eq(wishes.userId, userId))
    .orderBy(desc(wishes.createdAt));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
