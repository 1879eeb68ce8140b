import { papers, SERIES, type Series } from '@parts-forge/contract/money/papers';
import { addDays, beginDay, readDay } from '@parts-forge/contract/text/days';
import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, min, SQL, sql } from 'drizzle-orm';
import { orders, type PaperFacts } from '#src/orders/schema.ts';
import type { OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';
import { type InvoiceLine, invoicedOrders, invoiceNumbers, invoices } from './schema.ts';

export type InvoiceRow = typeof invoices.$inferSelect;

/** @param prefix for example `CN`; absent for an invoice */
export const findSeries = (prefix: string | undefined): Series =>
  SERIES.find((series) => papers[series].prefix === `${prefix}-`) ?? 'invoice';

export async function findInvoice(db: Executor, orderId: string): Promise<InvoiceRow | null> {
  const [row] = await db
    .select({ invoice: invoices })
    .from(invoicedOrders)
    .innerJoin(invoices, eq(invoices.id, invoicedOrders.invoiceId))
    .where(eq(invoicedOrders.orderId, orderId));
  return row?.invoice ?? null;
}

/** The order's line of its invoice. An older paper names no order, and has one line. */
export function findLine({ lines }: InvoiceRow, orderId: string): InvoiceLine {
  const line = lines.find((line) => line.orderId === orderId) ?? lines[0];
  if (!line) throw new Error('A paper has no line.');
  return line;
}

/** By order, as at ordering, or now for an order without them. Orders with an invoice are absent. */
export async function findPaperFacts(
  db: Executor,
  orderRows: readonly OrderRow[],
): Promise<Map<string, PaperFacts>> {
  const { number: partNumber, priceBreaks } = products;
  const { company, taxNumber, billingAddress, country, tax, taxReason } = users;
  const customer = { company, taxNumber, billingAddress, country, tax, taxReason };
  const isIssued = sql`exists (select from ${invoicedOrders} where order_id = ${orders.id})`;
  const ids = orderRows.map(({ id }) => id);
  const rows = await db
    .select({ id: orders.id, present: { partNumber, priceBreaks, ...customer } })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.productId))
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(inArray(orders.id, ids), sql`not ${isIssued}`));
  const kept = new Map(orderRows.map(({ id, facts }) => [id, facts]));
  return new Map(rows.map(({ id, present }) => [id, kept.get(id) ?? present]));
}

/** The lowest of the orders placed with this one, which need not be on its paper. */
export async function findPurchaseNumber(db: Executor, { batch, number }: OrderRow): Promise<number> {
  if (batch === null) return number;
  const [row] = await db
    .select({ lowest: min(orders.number) })
    .from(orders)
    .where(eq(orders.batch, batch));
  return row?.lowest ?? number;
}

/** Credit and debit notes, oldest first. */
export function findNotes(db: Executor, orderId: string): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoices)
    .where(and(eq(invoices.orderId, orderId), isNotNull(invoices.invoiceId)))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id));
}

/** By order, in cents. */
export async function sumNotes(
  db: Executor,
  orderIds: readonly string[],
): Promise<Map<string, { credited: number; lost: number }>> {
  const credited = sql`sum(case ${invoices.series} when 'credit-note' then 1 else -1 end * ${invoices.totalCents})`;
  const rows = await db
    .select({
      id: invoices.orderId,
      credited: credited.mapWith(Number),
      lost: sql`coalesce(${credited} filter (where ${invoices.lost}), 0)`.mapWith(Number),
    })
    .from(invoices)
    .where(and(inArray(invoices.orderId, [...orderIds]), isNotNull(invoices.invoiceId)))
    .groupBy(invoices.orderId);
  return new Map(rows.map(({ id, ...sums }) => [id, sums]));
}

/** In cents: what the credit notes give, less what debit notes take back. */
export const sumCredited = (notes: readonly Pick<InvoiceRow, 'series' | 'totalCents'>[]): number =>
  notes.reduce(
    (sum, { series, totalCents }) => sum + (series === 'credit-note' ? totalCents : -totalCents),
    0,
  );

/** Newest first. */
export async function findInvoicesOfUser(db: Executor, userId: string, limit: number): Promise<InvoiceRow[]> {
  const rows = await db
    .select({ invoice: invoices })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .where(eq(orders.userId, userId))
    .orderBy(desc(invoices.issuedAt), desc(invoices.id))
    .limit(limit);
  return rows.map(({ invoice }) => invoice);
}

/** Repeatable; numbers and dates never fall. Waits for papers of this year that are not stored yet. */
export async function raiseNumbers(
  db: Executor,
  { series, year, sequence }: Pick<InvoiceRow, 'series' | 'year' | 'sequence'>,
  lastAt: Date,
  condition = sql`true`,
): Promise<void> {
  await db.execute(sql`
    insert into ${invoiceNumbers} as known
    select ${series}, ${year}, ${sequence}, ${lastAt.toISOString()} where ${condition}
    on conflict (series, year) do update set
      last = greatest(known.last, excluded.last), last_at = greatest(known.last_at, excluded.last_at)
    where known.last < excluded.last or known.last_at < excluded.last_at`);
}

/**
 * Takes the next number of the day's year in the shop's time zone. Its row stays locked, so this must be the
 * transaction's last step. A rollback returns the number.
 */
export async function insertInvoice(
  tx: Executor,
  invoice: NewInvoice,
  { clock, config: { timeZone } }: Pick<Platform, 'clock' | 'config'>,
): Promise<void> {
  let now = clock.now();
  while (!(await insertAt(tx, invoice, now, timeZone))) {
    const { rows } = await tx.execute<{ lastMs: number; day: string }>(sql`
      select coalesce(1000 * extract(epoch from max(last_at)), 0)::float8 as "lastMs",
        coalesce((select max(day) from ${invoices}), '1970-01-01')::text as day
      from ${invoiceNumbers} where series = ${invoice.series}`);
    const known = rows.flatMap(({ lastMs, day }) => [lastMs, beginDay(day, timeZone).getTime()]);
    now = new Date(Math.max(clock.now().getTime(), ...known));
  }
}

type NewInvoice = Omit<InvoiceRow, 'year' | 'sequence' | 'issuedAt' | 'timeZone' | 'day'>;

/**
 * One statement, as the next paper waits for its lock. A transaction that waited may have an earlier time than
 * the one before.
 * @returns false if the day has a later paper, or has ended by the time of the lock: see `awaitMonth`
 */
async function insertAt(tx: Executor, invoice: NewInvoice, now: Date, timeZone: string): Promise<boolean> {
  const day = readDay(now, timeZone);
  const year = Number(day.slice(0, 4));
  const until = beginDay(addDays(day, 1), timeZone).toISOString();
  const numbered = sql`
    insert into ${invoiceNumbers} as known
    select ${invoice.series}, ${year}, 1, ${now.toISOString()}
      where not exists (select from ${invoices} where day > ${day})
    on conflict (series, year) do update set
      last = known.last + 1, last_at = greatest(known.last_at, excluded.last_at) where known.last_at < ${until}
    returning *`;
  const row = { ...invoice, year, timeZone, day, sequence: sql`last`, issuedAt: sql`last_at` };
  const comma = sql`, `;
  const columns = Object.entries(getTableColumns(invoices));
  const values = columns.map(([key, column]) => {
    const value = row[key as keyof InvoiceRow];
    return value instanceof SQL ? value : sql.param(value, column);
  });
  const names = columns.map(([, { name }]) => sql.identifier(name));
  const ofOrders = invoice.series === 'invoice' ? invoice.lines.map(({ orderId }) => orderId) : [];
  const { rowCount } = await tx.execute(sql`with numbered as (${numbered}), issued as (
      insert into ${invoices} (${sql.join(names, comma)}) select ${sql.join(values, comma)} from numbered
      returning id
    ), listed as (
      insert into ${invoicedOrders} (order_id, invoice_id)
      select order_id, id from issued, unnest(${sql.param(ofOrders)}::uuid[]) order_id
    )
    select from issued`);
  return rowCount === 1;
}
