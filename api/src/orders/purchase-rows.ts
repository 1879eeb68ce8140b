import { toAmount } from '@parts-forge/contract/money/money';
import type { PurchaseRow } from '@parts-forge/contract/orders/orders';
import { isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Counted } from '#src/platform/database/find-page.ts';
import { isToSend, orders } from './schema.ts';
import { isNotClosed } from './store.ts';

const state = sql`coalesce(${orders.closed}, ${orders.status})`;
/** An order alone has a key of its own. */
export const purchaseKey = sql`coalesce(${orders.batch}, ${orders.id})`;

/**
 * Of a purchase the order with the lowest number that matches, and each order alone. `offset 0` keeps the planner
 * from asking a second index for what matches, which may be most of the table.
 * @param matches of the orders; within the subquery `orders` is the inner table
 */
export const isFirstOfPurchase = (matches: SQL): SQL => sql`(${orders.batch} is null
  or not exists (
    select from (select ${orders.batch} as batch, ${orders.number} as number) as own cross join lateral (
      select * from ${orders} where ${orders.batch} = own.batch and ${orders.number} < own.number offset 0
    ) as ${orders} where ${matches}
  ))`;

/** What a row showed as its total at this moment: lines that were cancelled or expired since then are in it. */
export const rowCents = (at: string): SQL => sql`coalesce((
  select coalesce(sum(own.total_cents) filter (
    where own.closed is null or own.closed = 'refunded' or own.closed_at >= ${at}::timestamptz
  ), 0)::bigint
  from orders own where own.batch = ${orders.batch} having count(*) > 1
), ${orders.totalCents})`;

const LOOKS = 5_000;

/** Counts among the first orders only, as the search does. */
export async function countRows(db: Executor, matches: SQL): Promise<Counted> {
  const { rows } = await db.execute<Record<string, unknown> & Counted>(sql`
    select count(distinct purchase)::int as total, count(*) = ${LOOKS} as "isAtLeast" from (
      select ${purchaseKey} as purchase from ${orders} where ${matches} limit ${LOOKS}
    ) as looked`);
  return rows[0] ?? { total: 0 };
}

/** The bits of what the orders of a row are. */
const counted = {
  due: 1,
  pending: 2,
  paid: 4,
  cancelled: 8,
  expired: 16,
  refunded: 32,
  toSend: 64,
  open: 1 + 2 + 4,
  ended: 8 + 16 + 32,
  all: 63,
};

/** Of each state, and of `open`, `ended` and `all`. */
type CountsByState = Record<keyof typeof counted, number>;

/** A purchase counts once for each state of its orders, and once in `open`, `ended` and `all`. */
export async function countRowsByState(
  db: Executor,
  filter: SQL = sql`true`,
): Promise<CountsByState & { purchases: CountsByState; orders: CountsByState }> {
  const names = Object.keys(counted).slice(0, 7);
  // Open and ended ones are read from an index of each alone.
  const named = [
    [isNotClosed, orders.status, 1],
    [isNotNull(orders.closedAt), orders.closed, 1],
    [isToSend(orders), sql`'toSend'`, 0],
  ].map(
    ([which, name, size]) =>
      sql`select ${purchaseKey} as purchase, ${name} as name, ${size}::int as size from ${orders} where ${which} and ${filter}`,
  );
  const { rows: groups } = await db.execute<{
    bits: number;
    rows: number;
    purchases: number;
    orders: number;
  }>(sql`
    select bits, count(*)::int as rows, (count(*) filter (where size > 1))::int as purchases,
      sum(size)::int as orders
    from (
      select sum(size) as size, bit_or(1 << array_position(${sql.param(names)}::text[], name) - 1) as bits
      from (${sql.join(named, sql` union all `)}) as named group by purchase
    ) as found group by bits`);
  const sumUp = (what: 'rows' | 'purchases' | 'orders') =>
    Object.fromEntries(
      Object.entries(counted).map(([name, mask]) => [
        name,
        groups.reduce((sum, group) => sum + ((group.bits & mask) > 0 ? group[what] : 0), 0),
      ]),
    ) as CountsByState;
  return { ...sumUp('rows'), purchases: sumUp('purchases'), orders: sumUp('orders') };
}

/** By batch. @param matches what counts as `matching` */
export async function findPurchaseRows(
  db: Executor,
  batches: readonly string[],
  matches: SQL,
): Promise<Map<string, PurchaseRow>> {
  const { rows } = await db.execute<
    Omit<PurchaseRow, 'states' | 'unpaid' | 'payments'> & {
      batch: string;
      states: (keyof PurchaseRow['states'])[];
      unpaidCents: number;
      payments: Record<string, string> | null;
    }
  >(sql`
    select ${orders.batch} as batch, (count(*) filter (where ${matches}))::int as matching,
      coalesce(sum(${orders.quantity}) filter (where ${state} not in ('cancelled', 'expired')), 0)::int as pieces,
      array_agg(${state}) as states,
      coalesce(sum(${orders.totalCents}) filter (where ${state} = 'due'), 0)::float8 as "unpaidCents",
      (count(*) filter (where ${isToSend(orders)}))::int as "toSend",
      (array_agg(${orders.productName} order by ${orders.number}))[1:2] as names,
      jsonb_object_agg(${orders.transactionId}, ${orders.id} order by ${orders.number} desc)
        filter (where ${orders.transactionId} is not null) as payments,
      (select count(distinct (carrier, number))::int from shipments
        where removed_at is null and order_id = any(array_agg(${orders.id}))) as parcels
    from ${orders} where ${orders.batch} = any(${sql.param(batches)}::uuid[]) group by ${orders.batch}`);
  return new Map(
    rows.map(({ batch, unpaidCents, ...row }) => [
      batch,
      {
        ...row,
        states: Object.fromEntries(
          [...Map.groupBy(row.states, (each) => each)].map(([each, same]) => [each, same.length]),
        ),
        unpaid: toAmount(unpaidCents),
        payments: Object.entries(row.payments ?? {}).map(([transactionId, order]) => ({
          transactionId,
          order,
        })),
      },
    ]),
  );
}
