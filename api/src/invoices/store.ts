import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { orders } from '#src/orders/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { invoiceNumbers, invoices } from './schema.ts';

export type InvoiceRow = typeof invoices.$inferSelect;

/** `2026-00001` or `CN-2026-00001`. */
export const formatNumber = ({ series, year, sequence }: Pick<InvoiceRow, 'series' | 'year' | 'sequence'>) =>
  `${series === 'credit-note' ? 'CN-' : ''}${year}-${String(sequence).padStart(5, '0')}`;

export async function findInvoice(db: Executor, orderId: string): Promise<InvoiceRow | null> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.orderId, orderId), eq(invoices.series, 'invoice')));
  return row ?? null;
}

/** By number. */
export function findCreditNotes(db: Executor, orderId: string): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoices)
    .where(and(eq(invoices.orderId, orderId), eq(invoices.series, 'credit-note')))
    .orderBy(asc(invoices.year), asc(invoices.sequence));
}

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

/**
 * Takes the next number in one statement. Its row stays locked, so this must be the transaction's last step.
 * A rollback returns the number.
 */
export async function insertInvoice(
  tx: Executor,
  invoice: Omit<InvoiceRow, 'year' | 'sequence' | 'issuedAt'>,
  now: Date,
): Promise<void> {
  const { series } = invoice;
  const numbered = tx.$with('numbered').as(
    tx
      .insert(invoiceNumbers)
      .values({ series, year: now.getUTCFullYear(), last: 1, lastAt: now })
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
      year: now.getUTCFullYear(),
      sequence: sql`(select last from numbered)`,
      issuedAt: sql`(select last_at from numbered)`,
    });
}
