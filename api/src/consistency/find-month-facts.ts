import { sql } from 'drizzle-orm';
import { type Days, isBeforePapers, linesOfPapers } from '#src/invoices/movements.ts';
import { invoicedOrders, invoices } from '#src/invoices/schema.ts';
import { orders } from '#src/orders/schema.ts';
import { payments, refunds } from '#src/payments/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { trail } from '#src/trail/schema.ts';

/** An order by each source, over its whole life. Cents and pieces. */
export interface OrderFacts extends Record<string, unknown> {
  id: string;
  number: number;
  productId: string;
  transactionId: string | null;
  /** Of its invoice. */
  month: string | null;
  ordersReceived: number;
  ordersRefunded: number;
  /** Ordered, and those that stayed sold. */
  orderedPieces: number;
  soldPieces: number;
  papersReceived: number;
  papersRefunded: number;
  /** Cents of each credit or, below 0, debit note. */
  notes: [month: string, cents: number][];
  /** Invoiced less credited; null if a note is from before taxes, as some have none. */
  papersPieces: number | null;
  paymentsReceived: number;
  paymentsRefunded: number;
  /** Of the ledger: returned, and the most that may be. */
  returnedPieces: number;
  refundedPieces: number;
  /** No paper is missing. */
  isBeforePapers: boolean;
}

const MONEY_EVENTS = sql`('paid', 'refunded', 'refund-changed', 'dispute-ended')`;

/**
 * Orders with a paper, a payment or a refund in the month, those of the listed payments, and those paid together
 * with them.
 *
 * The payments have no row of a refund at the provider, so the notes without a refund of the shop stand for it,
 * and for refunds whose money it moved; older notes do not name theirs. Below 0 they take back those of refunds.
 *
 * Notes are found by `order_id` even for one refund, as `refund_id` has no index. Lists are arrays, as PostgreSQL
 * reads whole tables for subqueries of unknown size.
 */
export async function findMonthFacts(
  db: Executor,
  days: Days,
  from: Date,
  until: Date,
  listed: readonly string[],
): Promise<OrderFacts[]> {
  const period = sql`between ${from.toISOString()}::timestamptz and ${until.toISOString()}::timestamptz`;
  const credited = sql`case series when 'credit-note' then cents when 'debit-note' then -cents end`;
  const papers = linesOfPapers(sql`i.id = any(array(
      select invoice_id from ${invoicedOrders} where order_id = o.id
      union all select id from ${invoices} where order_id = o.id and series <> 'invoice'))
    and coalesce((line->>'orderId')::uuid, i.order_id) = o.id`);
  const { rows } = await db.execute<OrderFacts>(sql`
    with involved as (
      select order_id from ${linesOfPapers(sql`i.day >= ${days.from} and i.day < ${days.until}`)} l
      union select order_id from ${trail}
        where topic = 'payments' and event in ${MONEY_EVENTS} and created_at ${period} and order_id is not null
      union select order_id from ${payments} where state = 'applied' and created_at ${period}
      union select order_id from ${payments}
        where state = 'applied' and id = any(array(select unnest(${sql.param(listed)}::text[])))
    ), paid_by as (
      select transaction_id from ${orders}
        where id = any(array(select order_id from involved)) and transaction_id is not null
    )
    select o.id, o.number, o.product_id as "productId", o.transaction_id as "transactionId", p.month,
      (case when o.status <> 'due' then o.total_cents else 0 end)::float8 as "ordersReceived",
      o.settled_cents::float8 as "ordersRefunded", o.quantity as "orderedPieces",
      (case when o.status = 'due' or o.settled_cents >= o.total_cents then 0
        else o.quantity - least(o.refunded_pieces, r.pieces) end)::float8 as "soldPieces",
      coalesce(p.received, 0)::float8 as "papersReceived", coalesce(p.refunded, 0)::float8 as "papersRefunded",
      coalesce(p.notes, '[]') as notes, p.pieces::float8 as "papersPieces",
      coalesce(s.received, 0)::float8 as "paymentsReceived",
      (case when coalesce(r.own, 0) < p.refunded - p.free then coalesce(r.own, 0) + p.free
        else greatest(r.own, p.refunded, 0) end)::float8 as "paymentsRefunded",
      coalesce(t.returned, 0)::float8 as "returnedPieces", o.refunded_pieces as "refundedPieces",
      coalesce(${isBeforePapers(sql`o`)}, false) as "isBeforePapers"
    from ${orders} o
    left join lateral (
      select max(left(day::text, 7)) filter (where series = 'invoice') as month,
        sum(cents) filter (where series = 'invoice') as received, sum(${credited}) as refunded,
        jsonb_agg(jsonb_build_array(left(day::text, 7), ${credited})) filter (where series <> 'invoice') as notes,
        case when not coalesce(bool_or(tax is null and series <> 'invoice'), false) then coalesce(sum(
          (line->>'quantity')::int * case series when 'credit-note' then -1 else 1 end), 0) end as pieces,
        greatest(sum(${credited}) filter (where refund_id is null), sum(${credited}) filter (where lost), 0) as free
      from ${papers} papers
    ) p on true
    left join lateral (
      select sum(amount_cents) as received from ${payments} where order_id = o.id and state = 'applied'
    ) s on true
    left join lateral (
      select sum(amount_cents) as own, coalesce(sum(quantity) filter (where 0 < (
        select sum(${credited}) from ${papers} papers where refund_id = ${refunds}.id)), 0) as pieces
      from ${refunds} where order_id = o.id and payment_id = o.transaction_id and state = 'succeeded'
    ) r on true
    left join lateral (
      select sum(stock_change) as returned from ${trail} where order_id = o.id and event = 'refunded'
    ) t on true
    where o.id = any(array(
      select order_id from involved
      union select id from ${orders} where transaction_id = any(array(select transaction_id from paid_by))))
    order by o.number`);
  return rows;
}
