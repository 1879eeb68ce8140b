import { toAmount } from '@parts-forge/contract/money/money';
import { formatNumber, type PaperNumber } from '@parts-forge/contract/money/papers';
import type { Order } from '@parts-forge/contract/orders/orders';
import { sql } from 'drizzle-orm';
import type { OrderPapers } from '#src/orders/order-papers.ts';
import { invoicedOrders, invoices } from './schema.ts';
import { findSeries } from './store.ts';

type Paper = NonNullable<Order['papers']>[number];
type PaperRow = PaperNumber & Omit<Paper, 'number' | 'kind'> & { orderId: string };

export const orderPapers: OrderPapers = {
  async findPapers(db, orderIds) {
    const listed = sql`any(${sql.param(orderIds)}::uuid[])`;
    const { rows } = await db.execute<PaperRow & Record<string, unknown>>(sql`
      select "orderId", series, year, sequence, day::text, cents::float8 as total,
        (cents - line.tax)::float8 as net, line.tax::float8 as tax
      from (
        select order_id as "orderId", invoice_id as id from ${invoicedOrders} where order_id = ${listed}
        union all select order_id, id from ${invoices} where order_id = ${listed} and series <> 'invoice'
      ) own join ${invoices} i using (id) cross join lateral (
        select (line->>'amountCents')::bigint as cents,
          coalesce((line->>'taxCents')::bigint, i.tax_cents) as tax
        from jsonb_array_elements(i.lines) line
        where coalesce((line->>'orderId')::uuid, i.order_id) = "orderId"
      ) line order by issued_at, id`);
    const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
    return new Map(Array.from(byOrder, ([orderId, own]) => [orderId, own.map(toPaper)]));
  },

  async findInvoicedOrders(db, words) {
    const paper = readInvoiceNumber(words);
    if (paper === null) return [];
    const { rows } = await db.execute<{ id: string }>(sql`
      select coalesce(listed.order_id, i.order_id) as id
      from ${invoices} i left join ${invoicedOrders} listed on listed.invoice_id = i.id
      where i.series = ${paper.series} and i.year = ${paper.year} and i.sequence = ${paper.sequence}`);
    return rows.map(({ id }) => id);
  },
};

const toPaper = ({ day, total, net, tax, ...number }: PaperRow): Paper => ({
  number: formatNumber(number),
  kind: number.series,
  day,
  total: toAmount(total),
  net: toAmount(net),
  tax: toAmount(tax),
});

/** Search words have no hyphens: `2026-00056` is `202600056`. */
const paperNumber =
  /^(?:(?:invoice|inv|(?:credit|debit) ?note)[ :]?)?(?:(?:no|number)[ :]?)?(?:# ?)?(cn|dn)?([0-9]{4})([0-9]{5,9})$/;

/** `2026-00056` or `Invoice no. 2026-00056`. */
function readInvoiceNumber(words: readonly string[]): PaperNumber | null {
  const [, prefix, year, sequence] = paperNumber.exec(words.join(' ')) ?? [];
  if (year === undefined) return null;
  return { series: findSeries(prefix?.toUpperCase()), year: Number(year), sequence: Number(sequence) };
}
