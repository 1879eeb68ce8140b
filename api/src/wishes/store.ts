import type { UserData } from '@parts-forge/contract/people/accounts';
import { and, count, desc, eq } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { products } from '#src/products/schema.ts';
import { wishes } from './schema.ts';

const COUNTED_PARTS = 1000;

/** @param productId of any part by default */
const areOf = (userId: string, productId?: string) =>
  and(eq(wishes.userId, userId), productId === undefined ? undefined : eq(wishes.productId, productId));

export const countWishes = (db: Executor, userId: string, productId?: string): Promise<number> =>
  db.$count(wishes, areOf(userId, productId));

/** @returns the number of deleted wishes */
export async function deleteWishes(db: Executor, userId: string, productId?: string): Promise<number> {
  return (await db.delete(wishes).where(areOf(userId, productId))).rowCount ?? 0;
}

export const countWishesByPart = (db: Executor): Promise<{ product: string; count: number }[]> =>
  db
    .select({ product: wishes.productId, count: count() })
    .from(wishes)
    .groupBy(wishes.productId)
    .orderBy(desc(count()), wishes.productId)
    .limit(COUNTED_PARTS);

export async function findWishes(db: Executor, userId: string): Promise<UserData['wishes']> {
  const rows = await db
    .select({ product: products.id, name: products.name, at: wishes.createdAt })
    .from(wishes)
    .innerJoin(products, eq(products.id, wishes.productId))
    .where(areOf(userId))
    .orderBy(desc(wishes.createdAt));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
