import { inArray, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders } from './schema.ts';

const countedUnassigned = sql`case when ${orders.unassignedCents} > 0 then
  count_unassigned(${orders.id}, ${orders.transactionId}, ${orders.refundCents}, ${orders.unassignedCents}, ${orders.refundState})
  else 0 end`.mapWith(Number);

export const refundedCents = sql`${orders.refundCents} - ${orders.failedCents} + ${countedUnassigned}`;

/** In cents, only for the payment's first order. */
export async function countUnassigned(db: Executor, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: orders.id, cents: countedUnassigned })
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  return new Map(rows.map(({ id, cents }) => [id, cents]));
}
