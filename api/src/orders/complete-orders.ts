import { toAmount } from '@parts-forge/contract/money/money';
import { orderMoves } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { findPartFacts } from '#src/products/store.ts';
import type { OrderPapers } from './order-papers.ts';
import { findPurchaseRows } from './purchase-rows.ts';
import { findShipments, toShipment } from './shipments-store.ts';
import type { BareOrder } from './store.ts';

/**
 * Adds part numbers, deleted parts included, parcels, papers and purchase: one query each for all orders. Only
 * accepted orders have parcels, only paid ones papers, and only those of a batch a purchase.
 * @param matches of a list where a purchase is one row: its filter
 */
export async function completeOrders(
  db: Executor,
  { findPapers }: Pick<OrderPapers, 'findPapers'>,
  orders: readonly BareOrder[],
  matches?: SQL,
): Promise<Order[]> {
  if (orders.length === 0) return [];
  const accepted = orders.filter(({ status }) => status === orderMoves.accept.to);
  const batches = orders.flatMap(({ batch }) => batch ?? []);
  const idsOf = (some: readonly BareOrder[]) => some.map(({ _id }) => _id);
  // In turn: a customer's copy of their data reads in one transaction, so on one connection.
  const facts = await findPartFacts(
    db,
    orders.map(({ productId }) => productId),
  );
  const parcels = await findShipments(db, idsOf(accepted));
  const papers = await findPapers(db, idsOf(orders.filter(({ status }) => status !== orderMoves.pay.from)));
  const purchases = await findPurchases(db, idsOf(orders.filter(({ batch }) => batch !== undefined)));
  const rows = matches && (await findPurchaseRows(db, batches, matches));
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
      ...(issued && { papers: issued }),
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
