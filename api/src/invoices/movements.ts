import { E_INVOICE_FACTS, type EInvoiceFact, formatNumber, SERIES } from '@parts-forge/contract/money/papers';
import { beginDay, nextMonth } from '@parts-forge/contract/text/days';
import { and, asc, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { orders } from '#src/orders/schema.ts';
import { systemClock } from '#src/platform/core/clock.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { PAPERS_SINCE } from '#src/platform/database/instance.ts';
import { metadata } from '#src/platform/database/schema.ts';
import type { Platform } from '#src/platform/platform.ts';
import { invoicedOrders, invoices } from './schema.ts';
import { type InvoiceRow, raiseNumbers } from './store.ts';
import type { TaxCategory } from './tax.ts';

// Papers are the movements of money: each counts once, on its day.

/** Days such as `2026-11-01`; `until` is the first one after them. */
export interface Days {
  from: string;
  until: string;
}

export const listDays = (month: string): Days => ({ from: `${month}-01`, until: nextMonth(month) });

/**
 * Waits until an ended month has all its papers; by its numbers' dates it never gets another. It must have ended
 * by the database's clock too: a reader's wrong one would move the dates of all later papers.
 */
export async function awaitMonth(
  { database, clock, config: { timeZone } }: Pick<Platform, 'database' | 'clock' | 'config'>,
  month: string,
): Promise<Days> {
  const days = listDays(month);
  const end = beginDay(days.until, timeZone);
  const year = Number(month.slice(0, 4));
  if (clock.now() < end) return days;
  const until = sql`${end.toISOString()}::timestamptz - interval '5 minutes'`;
  const isEnded = clock === systemClock ? sql`${until} < clock_timestamp()` : sql`true`;
  for (const series of SERIES) await raiseNumbers(database.db, { series, year, sequence: 0 }, end, isEnded);
  return days;
}

/** Of days and parts, in cents. */
export interface MovedCents {
  receivedCents: number;
  refundedCents: number;
  lostCents: number;
}

export const isOnDays = ({ from, until }: Days) => and(gte(invoices.day, from), lt(invoices.day, until));

const sum = (value: SQL, condition: SQL = sql`true`) =>
  sql<number>`coalesce(sum(${value}) filter (where ${condition}), 0)`.mapWith(Number);

const isInvoice = sql`${invoices.series} = 'invoice'`;
/** Debit notes take credit notes back. */
const sign = sql`case ${invoices.series} when 'credit-note' then 1 else -1 end`;
const given = sql`${sign} * ${invoices.totalCents}`;

const moved = {
  receivedCents: sum(sql`${invoices.totalCents}`, isInvoice),
  refundedCents: sum(given, sql`not ${isInvoice} and not ${invoices.lost}`),
  lostCents: sum(given, sql`not ${isInvoice} and ${invoices.lost}`),
};

/** In cents, by day. Days without papers are absent. */
export function sumDays(db: Executor, days: Days): Promise<(MovedCents & { day: string })[]> {
  return db
    .select({ day: invoices.day, ...moved })
    .from(invoices)
    .where(isOnDays(days))
    .groupBy(invoices.day)
    .orderBy(asc(invoices.day));
}

/** Paid before the shop issued invoices, or in a copy: counts in no month before its invoice is issued. */
export const isBeforePapers = (order: SQL) => sql`(${order}.transaction_id is not null
  and ${order}.created_at < (select value::timestamptz from ${metadata} where name = ${PAPERS_SINCE})
  and not exists (select from ${invoicedOrders} where order_id = ${order}.id))`;

/** Those orders, in cents by the day that placed them. Days without any are absent. */
export async function sumDaysBeforePapers(db: Executor, { from, until }: Days, timeZone: string) {
  const day = sql`(o.created_at at time zone ${timeZone})::date`;
  const { rows } = await db.execute<MovedCents & { day: string } & Record<string, unknown>>(sql`
    select ${day}::text as day, sum(o.total_cents)::float8 as "receivedCents",
      sum(o.settled_cents - o.lost_cents)::float8 as "refundedCents", sum(o.lost_cents)::float8 as "lostCents"
    from ${metadata} s join ${orders} o on ${isBeforePapers(sql`o`)}
    where s.name = ${PAPERS_SINCE} and ${day} >= ${from} and ${day} < ${until} group by 1`);
  return rows;
}

/**
 * Papers with their lines, each with its order. A line of an older paper names none: the paper's order is its.
 * @param where of the papers, as `i`
 */
export const linesOfPapers = (where: SQL) => sql`(
  select i.id, i.series, i.day, i.issued_at, i.lost, i.tax, i.refund_id,
    coalesce((line->>'orderId')::uuid, i.order_id) as order_id, line, (line->>'amountCents')::bigint as cents
  from ${invoices} i, jsonb_array_elements(i.lines) line where ${where})`;

export interface MovedPart extends MovedCents {
  /** Null if the part has none any more. */
  number: string | null;
  name: string;
  pieces: number;
}

/** Named as on the part's last paper of these days. */
export async function sumParts(db: Executor, { from, until }: Days): Promise<MovedPart[]> {
  const newest = (field: 'name' | 'partNumber') =>
    sql`(array_agg(l.line->>${sql.raw(`'${field}'`)} order by l.issued_at desc, l.id))[1]`;
  const sumOf = (value: SQL, condition = sql`true`) =>
    sql`coalesce(sum(${value}) filter (where ${condition}), 0)::float8`;
  const back = sql`case l.series when 'credit-note' then 1 when 'debit-note' then -1 end * l.cents`;
  const { rows } = await db.execute<MovedPart & Record<string, unknown>>(sql`
    select ${newest('partNumber')} as number, ${newest('name')} as name,
      ${sumOf(sql`case l.series when 'credit-note' then -1 else 1 end * (l.line->>'quantity')::bigint`)} as pieces,
      ${sumOf(sql`l.cents`, sql`l.series = 'invoice'`)} as "receivedCents",
      ${sumOf(back, sql`not l.lost`)} as "refundedCents", ${sumOf(back, sql`l.lost`)} as "lostCents"
    from ${linesOfPapers(sql`i.day >= ${from} and i.day < ${until}`)} l join ${orders} o on o.id = l.order_id
    group by o.product_id order by "receivedCents" desc, o.product_id`);
  return rows;
}

/** In cents; nothing for papers of a shop without a rate. */
export function sumTaxes(db: Executor, days: Days) {
  const signed = (column: typeof invoices.totalCents | typeof invoices.taxCents) =>
    sum(sql`case when ${isInvoice} then 1 else -${sign} end * ${column}`);
  const sums = { totalCents: signed(invoices.totalCents), taxCents: signed(invoices.taxCents) };
  const category = sql<TaxCategory>`${invoices.tax}->>'category'`;
  const [name, rate] = [sql<string>`${invoices.tax}->>'name'`, sql<number>`(${invoices.tax}->>'rate')::int`];
  return db
    .select({ category, name, rate, ...sums })
    .from(invoices)
    .where(and(isOnDays(days), sql`${category} is not null`))
    .groupBy(category, name, rate)
    .orderBy(desc(rate), name, category);
}

export async function countPapers(db: Executor, days: Days) {
  const isRefund = sql`${invoices.series} = 'credit-note' and not ${invoices.lost}`;
  const counted = (condition: SQL, what = sql`*`) =>
    sql<number>`count(${what}) filter (where ${condition})`.mapWith(Number);
  const [row] = await db
    .select({
      papers: counted(sql`true`),
      refunds: counted(isRefund),
      refundedOrders: counted(isRefund, sql`distinct ${invoices.orderId}`),
      lost: counted(sql`${invoices.series} = 'credit-note' and ${invoices.lost}`),
    })
    .from(invoices)
    .where(isOnDays(days));
  if (!row) throw new Error('A count gave no row.');
  return row;
}

/** Papers that are no e-invoices for lack of a fact, those from before e-invoices left out. As `isEInvoice`. */
export async function countNotElectronic(
  db: Executor,
  days: Days,
): Promise<{ fact: EInvoiceFact; papers: number }[]> {
  const missing = {
    "the seller's country": sql`${invoices.seller}->'country'->>'code' is null`,
    "the seller's tax number": sql`${invoices.seller}->>'taxId' is null`,
    'a tax rate': sql`${invoices.tax}->>'category' is null`,
    "the customer's country": sql`${invoices.buyer}->'country'->>'code' is null`,
  } satisfies Record<EInvoiceFact, SQL>;
  const isNew = sql`${invoices.lines}->0 ? 'taxCents'`;
  const counts = E_INVOICE_FACTS.map(
    (fact) => sql`count(*) filter (where ${missing[fact]} and ${isNew})::int`,
  );
  const { rows } = await db.execute<{ counts: number[] }>(
    sql`select array[${sql.join(counts, sql`, `)}] as counts from ${invoices} where ${isOnDays(days)}`,
  );
  return E_INVOICE_FACTS.map((fact, index) => ({ fact, papers: rows[0]?.counts[index] ?? 0 })).filter(
    ({ papers }) => papers > 0,
  );
}

/** `invoice` is the number of a note's; null for an invoice. */
export type Movement = InvoiceRow & { invoice: string | null };

const noted = alias(invoices, 'noted');

/** The papers by day, oldest first. @param userId only this customer's */
export async function* readMovements(
  db: Executor,
  days: Days,
  userId: string | undefined,
): AsyncGenerator<Movement[]> {
  yield [];
  const isOwn = sql`${invoices.orderId} in (select id from ${orders} where user_id = ${userId})`;
  for (const { day } of await sumDays(db, days)) {
    const { series, year, sequence } = noted;
    const rows = await db
      .select({ row: invoices, credited: { series, year, sequence } })
      .from(invoices)
      .leftJoin(noted, eq(noted.id, invoices.invoiceId))
      .where(and(eq(invoices.day, day), userId === undefined ? undefined : isOwn))
      .orderBy(asc(invoices.issuedAt), asc(invoices.id));
    yield rows.map(({ row, credited }) => ({ ...row, invoice: credited && formatNumber(credited) }));
  }
}
