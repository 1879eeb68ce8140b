import { OVERVIEW_WEEKS } from '@parts-forge/contract/bounds';
import { sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { orderSums } from './schema.ts';

export type OrderTotals = Omit<typeof orderSums.$inferSelect, 'at' | 'revenueCents'>;

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
 * In cents. Each period ends where the next begins; the last is open.
 * @param beginnings the earliest first
 */
export async function readRevenue(db: Executor, beginnings: readonly Date[]): Promise<number[]> {
  const moments = sql.param(beginnings.map((at) => at.toISOString()));
  // The database may have other time-zone data than the shop.
  const place = sql<number>`width_bucket(${orderSums.at}, ${moments}::timestamptz[])`;
  const rows = await db
    .select({ place, cents: sum(orderSums.revenueCents) })
    .from(orderSums)
    .groupBy(sql`1`);
  const cents = new Map(rows.map((row) => [row.place, row.cents]));
  return beginnings.map((_, index) => cents.get(index + 1) ?? 0);
}

const KEPT_MS = (OVERVIEW_WEEKS + 3) * 7 * 24 * 3_600_000;

/**
 * Rows per quarter-hour fit all time zones. Inserts only sums of rows it deletes, so concurrent runs are
 * safe.
 */
export async function addUpOrderSums({
  database,
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const isOld = sql`at < ${new Date(clock.now().getTime() - KEPT_MS).toISOString()}::timestamptz`;
  const midweek = sql`(date_trunc('week', at at time zone 'UTC') + interval '84 hours') at time zone 'UTC'`;
  await database.db.execute(sql`
    with gone as (
      delete from order_sums where at in (select at from order_sums group by at having count(*) > 1)
        or (${isOld} and at <> ${midweek})
      returning *
    )
    insert into order_sums
    select case when ${isOld} then ${midweek} else at end as place, sum(pending), sum(pending_cents), sum(paid),
      sum(paid_cents), sum(refunded), sum(refunded_cents), sum(revenue_cents)
    from gone group by place`);
}
