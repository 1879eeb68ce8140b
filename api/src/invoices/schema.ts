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

/** Invoices and credit notes have separate numbers. */
export const SERIES = ['invoice', 'credit-note'] as const;
export type Series = (typeof SERIES)[number];

/** The buyer, copied from the order. */
export interface Buyer {
  name: string;
  email: string;
  /** Keeps its line breaks. */
  address: string;
}

export interface InvoiceLine {
  name: string;
  /** Null if the part has no number any more. */
  partNumber: string | null;
  /** Null for a partial refund, which is no number of pieces. */
  quantity: number | null;
  priceCents: number | null;
  /** The price break: the least pieces with this price. Null for the part's own price. */
  fromQuantity: number | null;
  amountCents: number;
}

/** The last number of each series and year. Its row stays locked until the paper is stored. */
export const invoiceNumbers = pgTable(
  'invoice_numbers',
  {
    series: text('series', { enum: SERIES }).notNull(),
    /** In UTC. */
    year: integer('year').notNull(),
    last: integer('last').notNull(),
    /** The time of the last number; the dates of a series never fall. */
    lastAt: instant('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.series, t.year] })],
);

/**
 * Invoices and credit notes, with copies of their contents. A trigger rejects updates and deletes; mistakes
 * are corrected by credit notes.
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
    /** The invoice that a credit note reverses, in full or in part. */
    invoiceId: uuid('invoice_id').references((): AnyPgColumn => invoices.id),
    issuedAt: instant('issued_at').notNull(),
    /** When the payment was received; null if unknown. */
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
