import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders } from './schema.ts';
import type { OrderRow } from './store.ts';

const countedUnassigned = sql`case when ${orders.unassignedCents} > 0 then
  count_unassigned(${orders.id}, ${orders.transactionId}, ${orders.refundCents}, ${orders.unassignedCents}, ${orders.refundState})
  else 0 end`.mapWith(Number);

export const refundedCents = sql`${orders.refundCents} - ${orders.failedCents} + ${countedUnassigned}`;

/**
 * In cents: what an order's notes credit of money that no order has. The payment's orders take it by id, up
 * to their rest, so that each cent is on one note.
 */
export async function shareUnassigned(
  db: Executor,
  { id, transactionId, unassignedCents, refundState }: OrderRow,
): Promise<number> {
  if (unassignedCents === 0 || refundState !== 'succeeded' || transactionId === null) return 0;
  const rows = await db
    .select({ id: orders.id, restCents: sql`${orders.totalCents} - ${orders.refundCents}`.mapWith(Number) })
    .from(orders)
    .where(eq(orders.transactionId, transactionId))
    .orderBy(asc(orders.id));
  let leftCents = unassignedCents;
  for (const row of rows) {
    const givenCents = Math.min(leftCents, row.restCents);
    if (row.id === id) return givenCents;
    leftCents -= givenCents;
  }
  return 0;
}

/** In cents, only for the payment's first order. */
export async function countUnassigned(db: Executor, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: orders.id, cents: countedUnassigned })
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  return new Map(rows.map(({ id, cents }) => [id, cents]));
}
