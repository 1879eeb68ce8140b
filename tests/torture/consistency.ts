import type pg from 'pg';
import type { Journal } from './journal.ts';

/** Each a sentence with the order. */
export interface Findings {
  /** Missing acknowledged changes, and money without an owner. */
  lost: string[];
  /** Two orders for one key, two payments for one order, refunds above the payment. */
  doubled: string[];
  /** Pieces. */
  oversold: string[];
}

interface OrderRow {
  id: string;
  key: string;
  quantity: number;
  total: number;
  status: 'due' | 'pending' | 'paid';
  closed: string | null;
  transaction_id: string | null;
  refund_state: string | null;
  taken: number;
  payments: number;
}

/**
 * Each order's money at the provider: its share of payments less refunds, also pending ones. Payments name
 * their orders, whose totals are the shares; refunds name the shop's row.
 */
const readOrders = `
  with intents as (
    select id as intent, data ->> 'status' as status, unnest(string_to_array(metadata.value, ',')) as order_id
    from sandbox_objects, jsonb_each_text((data -> 'metadata')::jsonb) as metadata
    where kind = 'payment_intent' and metadata.key ~ '^orderId[0-9]*$'
  ), given_back as (
    select data ->> 'payment_intent' as intent, refunds.order_id::text, sum((data ->> 'amount')::bigint) as amount
    from sandbox_objects join refunds on refunds.id::text = data -> 'metadata' ->> 'refundId'
    where kind = 'refund' and data ->> 'status' in ('succeeded', 'pending') group by 1, 2
  ), money as (
    select order_id, sum(orders.total_cents - coalesce(given_back.amount, 0)) as taken,
           count(*) filter (where orders.total_cents > coalesce(given_back.amount, 0)) as payments
    from intents join orders on orders.id::text = intents.order_id left join given_back using (intent, order_id)
    where intents.status = 'succeeded' group by 1
  )
  select orders.id, split_part(address, ', ', 2) as key, quantity, total_cents::int as total, status, closed,
         transaction_id, refund_state, coalesce(taken, 0)::int as taken, coalesce(payments, 0)::int as payments
  from orders left join money on money.order_id = orders.id::text
  where address like '12 Oxford Street, %'`;

const readStock = `
  select products.id, products.quantity as stock,
         coalesce(sum(orders.quantity) filter (where orders.closed_at is null), 0)::int as held
  from products left join orders on orders.product_id = products.id
  where products.id = any ($1) group by products.id`;

/**
 * @param initialStock pieces of each part before the first order
 * @param isSettled whether money in flight must have arrived
 */
export async function checkConsistency(
  database: pg.Client,
  journal: Journal,
  initialStock: ReadonlyMap<string, number>,
  { isSettled }: { isSettled: boolean },
): Promise<Findings> {
  const { rows: orders } = await database.query<OrderRow>(readOrders);
  const { rows: stock } = await database.query<{ id: string; stock: number; held: number }>(readStock, [
    [...initialStock.keys()],
  ]);
  return {
    lost: [...findLostOrders(orders, journal), ...(isSettled ? findMissingMoney(orders) : [])],
    doubled: [...findDoubledOrders(orders), ...(isSettled ? findDoubledMoney(orders) : [])],
    oversold: stock
      .filter((part) => part.stock < 0 || part.stock + part.held !== initialStock.get(part.id))
      .map(({ id, stock, held }) => `part ${id}: ${stock} + ${held} held is not ${initialStock.get(id)}`),
  };
}

function findLostOrders(orders: readonly OrderRow[], journal: Journal): string[] {
  const byId = new Map(orders.map((order) => [order.id, order]));
  const isOtherwise = (ids: Iterable<string>, fact: string, isSo: (order: OrderRow) => boolean) =>
    [...ids].flatMap((id) => {
      const order = byId.get(id);
      return order && isSo(order) ? [] : [`order ${id} is not ${fact}`];
    });
  return [
    ...[...journal.placed].flatMap(([key, { orderId, quantity }]) => {
      const order = byId.get(orderId);
      return order?.key === key && order.quantity === quantity ? [] : [`order ${orderId} is not there`];
    }),
    ...isOtherwise(journal.cancelled, 'cancelled', ({ closed }) => closed === 'cancelled'),
    ...isOtherwise(journal.recorded, 'paid for', ({ status }) => status !== 'due'),
    ...isOtherwise(journal.accepted, 'accepted', ({ status }) => status === 'paid'),
    ...isOtherwise(journal.refunded, 'refunded', ({ refund_state }) => refund_state !== null),
  ];
}

/** Only a paid order has money. */
const findMissingMoney = (orders: readonly OrderRow[]): string[] =>
  orders.flatMap(({ id, status, total, taken, refund_state }) => {
    const due = status === 'due' || refund_state !== null ? 0 : total;
    return taken === due ? [] : [`order ${id} (${status}) has ${taken} cents and should have ${due}`];
  });

function findDoubledOrders(orders: readonly OrderRow[]): string[] {
  const byKey = Map.groupBy(orders, ({ key }) => key);
  return [...byKey].filter(([, same]) => same.length > 1).map(([key]) => `key ${key} has several orders`);
}

/** Refunding a second payment takes a moment. */
const findDoubledMoney = (orders: readonly OrderRow[]): string[] => [
  ...orders.filter(({ payments }) => payments > 1).map(({ id }) => `order ${id} is paid for twice`),
  ...orders.filter(({ taken }) => taken < 0).map(({ id }) => `order ${id} got back more than it paid`),
];
