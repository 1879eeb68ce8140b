import { eq, inArray } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders } from './schema.ts';

/** Lists pictures of closed orders, too. */
export async function listOrderImages(db: Executor): Promise<string[]> {
  const rows = await db.selectDistinct({ image: orders.image }).from(orders);
  return rows.map(({ image }) => image);
}

/** Skips locked rows for the next run. */
export async function replaceOrderImage(
  db: Executor,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const some = db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.image, from))
    .limit(limit)
    .for('update', { skipLocked: true });
  const { rowCount } = await db.update(orders).set({ image: to }).where(inArray(orders.id, some));
  return rowCount ?? 0;
}
