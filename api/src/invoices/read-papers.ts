import { SERIES, type Series } from '@parts-forge/contract/money/papers';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { orders } from '#src/orders/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { isOnDays, listDays } from './movements.ts';
import { invoicedOrders, invoices } from './schema.ts';
import type { InvoiceRow } from './store.ts';

/** Any of them; with `userId` only this customer's. */
export interface PaperFilter {
  orders?: readonly string[] | undefined;
  /** Such as `2026-11`. */
  month?: string | undefined;
  userId?: string | undefined;
}

/** `invoice` is a note's; null for an invoice. */
export interface Paper {
  row: InvoiceRow;
  invoice: InvoiceRow | null;
}

const ROWS_AT_A_TIME = 200;
const noted = alias(invoices, 'noted');

/** An invoice of several of the orders is one paper; a note has one order. */
const isOfOrders = (series: Series, ids: readonly string[]) => {
  const listed = sql`any(${sql.param(ids)}::uuid[])`;
  const invoiced = sql`any(array(select invoice_id from ${invoicedOrders} where order_id = ${listed}))`;
  return series === 'invoice' ? sql`${invoices.id} = ${invoiced}` : sql`${invoices.orderId} = ${listed}`;
};

/** Invoices, credit notes, debit notes, each by number. */
export async function* readPapers(
  db: Executor,
  { orders: ids, month, userId }: PaperFilter,
): AsyncGenerator<Paper> {
  const ownOrders = db.select({ id: orders.id }).from(orders).where(sql`${orders.userId} = ${userId}`);
  for (const series of SERIES) {
    let rows: Paper[];
    let after = { year: 0, sequence: 0 };
    do {
      rows = await db
        .select({ row: invoices, invoice: noted })
        .from(invoices)
        .leftJoin(noted, eq(noted.id, invoices.invoiceId))
        .where(
          and(
            eq(invoices.series, series),
            ids && isOfOrders(series, ids),
            month === undefined ? undefined : isOnDays(listDays(month)),
            userId === undefined ? undefined : inArray(invoices.orderId, ownOrders),
            sql`(${invoices.year}, ${invoices.sequence}) > (${after.year}, ${after.sequence})`,
          ),
        )
        .orderBy(asc(invoices.year), asc(invoices.sequence))
        .limit(ROWS_AT_A_TIME);
      yield* rows;
      after = rows.at(-1)?.row ?? after;
    } while (rows.length === ROWS_AT_A_TIME);
  }
}
