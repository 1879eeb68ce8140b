import { toAmount } from '@parts-forge/contract/money/money';
import { formatNumber, type PaperNumber } from '@parts-forge/contract/money/papers';
import { orderMoves } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { type SQL, sql } from 'drizzle-orm';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { findPartFacts } from '#src/products/store.ts';
import { findPurchaseRows } from './purchase-rows.ts';
import { findShipments, toShipment } from './shipments-store.ts';
import type { BareOrder } from './store.ts';

/**
 * Adds part numbers, deleted parts included, parcels, papers and purchase: one query each for all orders. Only
 * accepted orders have parcels, only paid ones papers, and only those of a batch a purchase.
 * @param matches of a list where a purchase is one row: its filter
 */
export async function completeOrders<Bare extends BareOrder>(
  db: Drizzle,
  orders: readonly Bare[],
  matches?: SQL,
): Promise<(Bare & Pick<Order, 'partNumber' | 'shipments' | 'papers' | 'purchase'>)[]> {
  if (orders.length === 0) return [];
  const accepted = orders.filter(({ status }) => status === orderMoves.accept.to);
  const batches = orders.flatMap(({ batch }) => batch ?? []);
  const [facts, parcels, papers, purchases, rows] = await Promise.all([
    findPartFacts(
      db,
      orders.map(({ productId }) => productId),
    ),
    findShipments(
      db,
      accepted.map(({ _id }) => _id),
    ),
    findPapers(
      db,
      orders.filter(({ status }) => status !== orderMoves.pay.from).map(({ _id }) => _id),
    ),
    findPurchases(
      db,
      orders.filter(({ batch }) => batch !== undefined).map(({ _id }) => _id),
    ),
    matches && findPurchaseRows(db, batches, matches),
  ]);
  const byOrder = Map.groupBy(parcels, ({ orderId }) => orderId);
  return orders.map((order) => {
    const sent = byOrder.get(order._id);
    const issued = papers.get(order._id);
    const purchase = purchases.get(order._id);
    const row = rows?.get(order.batch ?? '');
    return {
      ...order,
      partNumber: facts.get(order.productId)?.number ?? '',
      ...(sent && { shipments: sent.map(toShipment) }),
      ...(issued && { papers: issued.map(toPaper) }),
      ...(purchase && { purchase: { ...purchase, ...(row && { row }) } }),
    };
  });
}

/** By order; none of a batch of one. */
export async function findPurchases(
  db: Executor,
  orderIds: readonly string[],
): Promise<Map<string, NonNullable<Order['purchase']>>> {
  if (orderIds.length === 0) return new Map();
  const listed = sql`any(${sql.param(orderIds)}::uuid[])`;
  const { rows } = await db.execute<{
    id: string;
    number: number;
    part: number;
    orders: number;
    cents: number;
  }>(sql`
    select id, number, part, orders, cents from (
      select id, min(number) over purchase as number, (count(*) over purchase)::int as orders,
        (rank() over (purchase order by number))::int as part,
        coalesce(sum(total_cents) filter (where closed is null or closed = 'refunded') over purchase, 0)::float8 as cents
      from orders where batch in (select batch from orders where id = ${listed})
      window purchase as (partition by batch)
    ) own where orders > 1 and id = ${listed}`);
  return new Map(rows.map(({ id, cents, ...purchase }) => [id, { ...purchase, total: toAmount(cents) }]));
}

type Paper = NonNullable<Order['papers']>[number];
type PaperRow = PaperNumber & Omit<Paper, 'number' | 'kind'> & { orderId: string };

/** By order, oldest first; of a purchase's paper the order's line. Plain SQL, as the invoices module imports this one. */
async function findPapers(db: Executor, orderIds: readonly string[]): Promise<Map<string, PaperRow[]>> {
  const listed = sql`any(${sql.param(orderIds)}::uuid[])`;
  const { rows } = await db.execute<PaperRow & Record<string, unknown>>(sql`
    select "orderId", series, year, sequence, day::text, cents::float8 as total, (cents - line.tax)::float8 as net,
      line.tax::float8 as tax
    from (
      select order_id as "orderId", invoice_id as id from invoiced_orders where order_id = ${listed}
      union all select order_id, id from invoices where order_id = ${listed} and series <> 'invoice'
    ) own join invoices i using (id) cross join lateral (
      select (line->>'amountCents')::bigint as cents,
        coalesce((line->>'taxCents')::bigint, i.tax_cents) as tax
      from jsonb_array_elements(i.lines) line
      where coalesce((line->>'orderId')::uuid, i.order_id) = "orderId"
    ) line order by issued_at, id`);
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

const toPaper = ({ day, total, net, tax, ...number }: PaperRow): Paper => ({
  number: formatNumber(number),
  kind: number.series,
  day,
  total: toAmount(total),
  net: toAmount(net),
  tax: toAmount(tax),
});
