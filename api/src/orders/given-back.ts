import { inArray, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders } from './schema.ts';

/**
 * What of the payment's unassigned money counts with this order: all of it with the payment's first, so that sums of
 * orders have it once. A function that the sums' trigger has, too.
 */
const countedUnassigned = sql`case when ${orders.unassignedCents} > 0 then
  count_unassigned(${orders.id}, ${orders.transactionId}, ${orders.refundCents}, ${orders.unassignedCents}, ${orders.refundState})
  else 0 end`.mapWith(Number);

/** In a statement: what was given back of the order or is being given back, in cents; not what could not be. */
export const givenBackCents = sql`${orders.refundCents} - ${orders.failedCents} + ${countedUnassigned}`;

/** What of their payments' unassigned money counts with each of these orders, in cents. */
export async function countUnassigned(db: Executor, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: orders.id, cents: countedUnassigned })
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  return new Map(rows.map(({ id, cents }) => [id, cents]));
}
