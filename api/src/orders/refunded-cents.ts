import { inArray, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders } from './schema.ts';
import type { OrderRow } from './store.ts';

const countedUnassigned = sql`case when ${orders.unassignedCents} > 0 then
  count_unassigned(${orders.id}, ${orders.transactionId}, ${orders.refundCents}, ${orders.unassignedCents}, ${orders.refundState})
  else 0 end`.mapWith(Number);

export const refundedCents = sql`${orders.refundCents} - ${orders.failedCents} + ${countedUnassigned}`;

/**
 * In cents: what an order's notes credit of money that no order has. The payment's orders take it by id, up
 * to their rest, so that each cent is on one note. While some of it is pending, what has a note keeps it.
 */
export async function shareUnassigned(
  db: Executor,
  among: readonly Pick<OrderRow, 'transactionId' | 'unassignedCents'>[],
): Promise<Map<string, number>> {
  const ids = among.flatMap(({ transactionId, unassignedCents }) =>
    unassignedCents > 0 && transactionId !== null ? [transactionId] : [],
  );
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<{ id: string; cents: number }>(sql`
    select id, greatest(0, least(rest, unassigned_cents - before, case refund_state when 'pending' then (
      select least(coalesce(sum(cents), 0) - settled_cents, coalesce(sum(cents) filter (where refund_id is null), 0))
      from (select refund_id, case series when 'credit-note' then total_cents else -total_cents end as cents
        from invoices where order_id = o.id and invoice_id is not null) notes) end))::float8 as cents
    from (
      select id, unassigned_cents, refund_state, settled_cents, failed_cents, total_cents - refund_cents as rest, coalesce(
        sum(total_cents - refund_cents) over (partition by transaction_id order by id
          rows between unbounded preceding and 1 preceding), 0) as before
      from ${orders} where transaction_id = any(${sql.param([...new Set(ids)])}::text[])
    ) o where refund_state in ('succeeded', 'pending') or failed_cents > 0`);
  return new Map(rows.map(({ id, cents }) => [id, cents]));
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
