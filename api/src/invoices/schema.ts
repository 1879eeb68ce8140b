import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { orders } from '#src/orders/schema.ts';
import type { Seller } from '#src/platform/core/config/invoices.ts';
import { instant } from '#src/platform/database/columns.ts';

/** Invoices and credit notes are numbered apart. */
export const SERIES = ['invoice', 'credit-note'] as const;
export type Series = (typeof SERIES)[number];

/** Who bought, as the order had it. */
export interface Buyer {
  name: string;
  email: string;
  /** With its line breaks. */
  address: string;
}

/** What was sold, or what of it was given back. */
export interface InvoiceLine {
  name: string;
  /** The part's number; null where the shop knows none any more. */
  partNumber: string | null;
  /** Null for a part of the price that was given back, which is of no number of pieces. */
  quantity: number | null;
  priceCents: number | null;
  /** From so many pieces on a piece had this price; null for the part's own price. */
  fromQuantity: number | null;
  amountCents: number;
}

/** The last number of each series and year that was handed out. Its row is locked until the paper is written. */
export const invoiceNumbers = pgTable(
  'invoice_numbers',
  {
    series: text('series', { enum: SERIES }).notNull(),
    /** Of UTC. */
    year: integer('year').notNull(),
    last: integer('last').notNull(),
    /** When that was; the dates of a series never fall. */
    lastAt: instant('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.series, t.year] })],
);

/**
 * Invoices and credit notes, with copies of all that they say. A trigger of the database refuses to change or remove
 * one; what turns out wrong is put right by a credit note.
 */
export const invoices = pgTable(
  'invoices',
  {
    id: uuid('id').primaryKey(),
    series: text('series', { enum: SERIES }).notNull(),
    year: integer('year').notNull(),
    sequence: integer('sequence').notNull(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    /** The invoice that a credit note takes back, wholly or in part. */
    invoiceId: uuid('invoice_id').references((): AnyPgColumn => invoices.id),
    issuedAt: instant('issued_at').notNull(),
    /** When the money came; null where nothing here says when that was. */
    paidAt: instant('paid_at'),
    transactionId: text('transaction_id').notNull(),
    orderNumber: integer('order_number').notNull(),
    reference: text('reference'),
    currency: text('currency').notNull(),
    totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
    seller: jsonb('seller').$type<Seller>().notNull(),
    buyer: jsonb('buyer').$type<Buyer>().notNull(),
    lines: jsonb('lines').$type<readonly InvoiceLine[]>().notNull(),
  },
  (t) => [
    uniqueIndex('invoices_number').on(t.series, t.year, t.sequence),
    uniqueIndex('invoices_one_each').on(t.orderId).where(sql`${t.series} = 'invoice'`),
    index('invoices_order').on(t.orderId),
    check('invoices_total', sql`${t.totalCents} > 0`),
    check('invoices_credit', sql`(${t.series} = 'credit-note') = (${t.invoiceId} is not null)`),
  ],
);
