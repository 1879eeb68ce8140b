import { QUOTE_STATES } from '@parts-forge/contract/prices/quote-states';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, instant } from '#src/platform/database/columns.ts';
import { products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';

export interface QuoteLine {
  productId: string;
  quantity: number;
  wishedCents?: number;
}

/** Requests for prices; their answer is rows of `agreed_prices`. */
export const quotes = pgTable(
  'quotes',
  {
    id: uuid('id').primaryKey(),
    number: integer('number').notNull().generatedByDefaultAsIdentity({ startWith: 101 }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    lines: jsonb('lines').$type<QuoteLine[]>().notNull(),
    note: text('note').notNull().default(''),
    state: text('state', { enum: QUOTE_STATES }).notNull().default('asked'),
    answerNote: text('answer_note').notNull().default(''),
    /** The last day of its prices. */
    until: date('until'),
    createdAt,
    /** Null while it waits. */
    endedAt: instant('ended_at'),
    /** Who ended it; the account may be deleted later. */
    endedBy: uuid('ended_by'),
  },
  (t) => [
    index('quotes_newest').on(t.createdAt, t.id),
    index('quotes_user').on(t.userId, t.createdAt, t.id),
    check('quotes_ended', sql`(${t.state} = 'asked') = (${t.endedAt} is null)`),
    check('quotes_until', sql`(${t.state} = 'answered') = (${t.until} is not null)`),
  ],
);

/** Customers' own prices, tax included. Of those that a quantity reaches, the lowest counts. */
export const agreedPrices = pgTable(
  'agreed_prices',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    fromQuantity: integer('from_quantity').notNull(),
    priceCents: integer('price_cents').notNull(),
    /** The last day, in the shop's time zone; null for no end. */
    until: date('until'),
    quoteId: uuid('quote_id').references(() => quotes.id),
    /** The customer knows of the end: by a mail, or as it was near when the price was agreed. */
    endKnown: boolean('end_known').notNull().default(false),
    createdAt,
  },
  (t) => [
    // Also what orders read.
    unique('agreed_prices_key').on(t.userId, t.productId, t.fromQuantity, t.quoteId).nullsNotDistinct(),
    index('agreed_prices_newest').on(t.createdAt, t.id),
    index('agreed_prices_user').on(t.userId, t.createdAt, t.id),
    index('agreed_prices_product').on(t.productId),
    index('agreed_prices_quote').on(t.quoteId).where(sql`${t.quoteId} is not null`),
    index('agreed_prices_until').on(t.until).where(sql`${t.until} is not null`),
    check('agreed_prices_bounds', sql`${t.fromQuantity} > 0 and ${t.priceCents} > 0`),
  ],
);
