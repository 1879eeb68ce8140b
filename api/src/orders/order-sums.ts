import { gte, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { orderSums } from './schema.ts';

/** What the orders that are paid for come to. */
export type OrderTotals = Omit<typeof orderSums.$inferSelect, 'week' | 'revenueCents'>;

const sum = (column: (typeof orderSums)[keyof OrderTotals | 'revenueCents']) =>
  sql`coalesce(sum(${column}), 0)`.mapWith(Number);

export async function readOrderTotals(db: Executor): Promise<OrderTotals> {
  const [totals] = await db
    .select({
      pending: sum(orderSums.pending),
      pendingCents: sum(orderSums.pendingCents),
      paid: sum(orderSums.paid),
      paidCents: sum(orderSums.paidCents),
      refunded: sum(orderSums.refunded),
      refundedCents: sum(orderSums.refundedCents),
    })
    .from(orderSums);
  if (!totals) throw new Error('A sum gave no row.');
  return totals;
}

/**
 * Received less given back, in cents, by the week in which it happened; a week without either is not there.
 * @param firstWeek a Monday, as `2026-11-16`
 */
export async function readRevenue(db: Executor, firstWeek: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ week: orderSums.week, cents: sum(orderSums.revenueCents) })
    .from(orderSums)
    .where(gte(orderSums.week, firstWeek))
    .groupBy(orderSums.week);
  return new Map(rows.map(({ week, cents }) => [week, cents]));
}

/**
 * Adds the changes of a week up to one row. Only rows that this very statement removes are in it, so that it may run
 * anywhere, at any time, and beside itself.
 */
export async function addUpOrderSums({ database }: Pick<Platform, 'database'>): Promise<void> {
  await database.db.execute(sql`
    with gone as (
      delete from order_sums where week in (select week from order_sums group by week having count(*) > 1) returning *
    )
    insert into order_sums
    select week, sum(pending), sum(pending_cents), sum(paid), sum(paid_cents), sum(refunded), sum(refunded_cents),
      sum(revenue_cents)
    from gone group by week`);
}
