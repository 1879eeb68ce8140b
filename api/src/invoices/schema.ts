import { SERIES } from '@parts-forge/contract/money/papers';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
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
import type { Country, Seller } from '#src/platform/core/config/invoices.ts';
import { instant } from '#src/platform/database/columns.ts';
import type { PaperTax } from './tax.ts';

/** Copied from order and profile. */
export interface Buyer {
  name: string;
  email: string;
  /** The billing address, or the order's. */
  address: string;
  /** The rest is absent on older papers. */
  company?: string;
  taxNumber?: string;
  country?: Country | null;
}

export interface InvoiceLine {
  name: string;
  /** Null if the part has none any more. */
  partNumber: string | null;
  /** Null for a refund of no pieces. */
  quantity: number | null;
  /** Null if the amount is no such product; without tax with a fraction. */
  priceCents: number | null;
  /** Without the tax in the price, with a fraction; absent on older papers, and without tax. */
  netPriceCents?: number;
  /** Least pieces of the price break; null for the part's own price. */
  fromQuantity: number | null;
  /** The tax is part of it. */
  amountCents: number;
  /** The line's share of the paper's tax, so that lines sum to the paper. The rest is absent on older papers. */
  taxCents?: number;
  orderId?: string;
  orderNumber?: number;
  reference?: string | null;
}

/** Last numbers; year 0 before the first. A row stays locked until its paper is stored. */
export const invoiceNumbers = pgTable(
  'invoice_numbers',
  {
    series: text('series', { enum: SERIES }).notNull(),
    /** In the shop's time zone when the number was issued. */
    year: integer('year').notNull(),
    last: integer('last').notNull(),
    /** The dates of a series never fall. */
    lastAt: instant('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.series, t.year] })],
);

/**
 * Invoices, credit notes and the debit notes that take those back, with copies of their contents. A trigger
 * rejects changes; credit notes correct mistakes.
 */
export const invoices = pgTable(
  'invoices',
  {
    id: uuid('id').primaryKey(),
    series: text('series', { enum: SERIES }).notNull(),
    year: integer('year').notNull(),
    sequence: integer('sequence').notNull(),
    /** A note's; of an invoice the order with the lowest number (see `invoicedOrders`). */
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    /** The invoice of a credit or debit note. */
    invoiceId: uuid('invoice_id').references((): AnyPgColumn => invoices.id),
    /** The shop's refund of a note; null for one at the provider. No foreign key: `payments` imports this. */
    refundId: uuid('refund_id'),
    /** A note of a lost dispute, which is no refund. */
    lost: boolean('lost').notNull().default(false),
    issuedAt: instant('issued_at').notNull(),
    /** The shop's when it was issued, so that a paper keeps its dates. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** Of `issuedAt` in `timeZone`; the month counts by it. */
    day: date('day', { mode: 'string' }).notNull(),
    /** Null if unknown. */
    paidAt: instant('paid_at'),
    transactionId: text('transaction_id').notNull(),
    /** The purchase's on an invoice of several orders. */
    orderNumber: integer('order_number').notNull(),
    reference: text('reference'),
    currency: text('currency').notNull(),
    /** The tax is part of it. */
    totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
    taxCents: bigint('tax_cents', { mode: 'number' }).notNull().default(0),
    /** Null on papers from before the shop knew taxes. */
    tax: jsonb('tax').$type<PaperTax>(),
    seller: jsonb('seller').$type<Seller>().notNull(),
    buyer: jsonb('buyer').$type<Buyer>().notNull(),
    lines: jsonb('lines').$type<readonly InvoiceLine[]>().notNull(),
  },
  (t) => [
    uniqueIndex('invoices_number').on(t.series, t.year, t.sequence),
    index('invoices_order').on(t.orderId),
    // Index-only sums of days and weeks.
    index('invoices_day').on(t.day, t.series, t.lost, t.totalCents),
    check('invoices_total', sql`${t.totalCents} > 0 and ${t.taxCents} between 0 and ${t.totalCents}`),
    check('invoices_credit', sql`(${t.series} = 'invoice') = (${t.invoiceId} is null)`),
  ],
);

/** The invoice of an order, which has one line for each of its orders. A trigger rejects changes. */
export const invoicedOrders = pgTable(
  'invoiced_orders',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders.id),
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
  },
  (t) => [index('invoiced_orders_invoice').on(t.invoiceId)],
);
