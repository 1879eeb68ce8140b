import { readDay } from '@parts-forge/contract/days';
import { and, asc, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { orders } from '#src/orders/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { invoiceNumbers, invoices, SERIES, type Series } from './schema.ts';

export type InvoiceRow = typeof invoices.$inferSelect;

export const papers: Record<Series, { name: string; prefix: string }> = {
  invoice: { name: 'Invoice', prefix: '' },
  'credit-note': { name: 'Credit note', prefix: 'CN-' },
  'debit-note': { name: 'Debit note', prefix: 'DN-' },
};

/** @param prefix for example `CN`; absent for an invoice */
export const findSeries = (prefix: string | undefined): Series =>
  SERIES.find((series) => papers[series].prefix === `${prefix}-`) ?? 'invoice';

/** `2026-00001`, `CN-2026-00001` or `DN-2026-00001`. */
export const formatNumber = ({ series, year, sequence }: Pick<InvoiceRow, 'series' | 'year' | 'sequence'>) =>
  `${papers[series].prefix}${year}-${String(sequence).padStart(5, '0')}`;

export async function findInvoice(db: Executor, orderId: string): Promise<InvoiceRow | null> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.orderId, orderId), eq(invoices.series, 'invoice')));
  return row ?? null;
}

/** Credit and debit notes, oldest first. */
export function findNotes(db: Executor, orderId: string): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoices)
    .where(and(eq(invoices.orderId, orderId), isNotNull(invoices.invoiceId)))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id));
}

/** A refund of the shop, in cents; `quantity` is null for an amount. */
export interface NotedRefund {
  id: string;
  amountCents: number;
  quantity: number | null;
  state: string;
  /** Was back before the request. */
  elsewhereCents: number;
}

/** Newest first. Plain SQL, as the payments import this module. */
export async function findNotedRefunds(
  db: Executor,
  orderId: string,
  paymentId: string,
): Promise<NotedRefund[]> {
  const { rows } = await db.execute<NotedRefund & Record<string, unknown>>(sql`
    select id, amount_cents::float8 as "amountCents", quantity, state,
      elsewhere_cents::float8 as "elsewhereCents"
    from refunds where order_id = ${orderId} and payment_id = ${paymentId} order by created_at desc, id desc`);
  return rows;
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

const newestNumbers = (db: Executor, series: Series) =>
  db
    .select({ lastAt: invoiceNumbers.lastAt })
    .from(invoiceNumbers)
    .where(eq(invoiceNumbers.series, series))
    .orderBy(desc(invoiceNumbers.year))
    .limit(1);

/** Afterwards no paper gets an earlier date: transactions that read the clock before have ended. */
export async function awaitNumbers(db: Executor): Promise<void> {
  for (const series of SERIES) await newestNumbers(db, series).for('share');
}

/**
 * Takes the next number of the day's year in the shop's time zone. Its row stays locked, so this must be the
 * transaction's last step. A rollback returns the number.
 */
export async function insertInvoice(
  tx: Executor,
  invoice: Omit<InvoiceRow, 'year' | 'sequence' | 'issuedAt' | 'timeZone' | 'day'>,
  { clock, config: { timeZone } }: Pick<Platform, 'clock' | 'config'>,
): Promise<void> {
  const { series } = invoice;
  // The clock is read under the lock: an ended month must not change.
  const [newest] = await newestNumbers(tx, series).for('update');
  const now = new Date(Math.max(clock.now().getTime(), newest?.lastAt.getTime() ?? 0));
  const day = readDay(now, timeZone);
  const year = Number(day.slice(0, 4));
  const numbered = tx.$with('numbered').as(
    tx
      .insert(invoiceNumbers)
      .values({ series, year, last: 1, lastAt: now })
      .onConflictDoUpdate({
        target: [invoiceNumbers.series, invoiceNumbers.year],
        set: {
          last: sql`${invoiceNumbers.last} + 1`,
          // A transaction that waited may have an earlier time than the one before.
          lastAt: sql`greatest(${invoiceNumbers.lastAt}, excluded.last_at)`,
        },
      })
      .returning(),
  );
  await tx
    .with(numbered)
    .insert(invoices)
    .values({
      ...invoice,
      year,
      timeZone,
      day,
      sequence: sql`(select last from numbered)`,
      issuedAt: sql`(select last_at from numbered)`,
    });
}
