import { DEFAULT_KIND, KINDS } from '@parts-forge/contract/part-rules';
import { type SQL, sql } from 'drizzle-orm';
import {
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';

/** From this many pieces on, a piece has this price. */
export interface PriceBreakRow {
  quantity: number;
  priceCents: number;
}

/** As people sort names: `Battery 9`, `battery 10`, `Écran`, `Zoom lens`. The collation is ICU's (migration 0027). */
export const inNameOrder = (name: PgColumn | SQL): SQL => sql`${name} collate "name_order"`;

/**
 * The table has one more column, `search`, the text in which a part is found, and indexes on it. The database writes
 * it by `part_search_text`, so that no path can forget to; nothing reads it but searches. It is not listed here, as
 * every list would read it with its rows.
 */
export const products = pgTable(
  'products',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    priceCents: integer('price_cents').notNull(),
    quantity: integer('quantity').notNull(),
    minimumOrder: integer('minimum_order').notNull(),
    image: text('image').notNull(),
    /** Its further pictures, in their order. */
    moreImages: text('more_images').array().notNull().default([]),
    /** The part number; without one the next of the shop's own. */
    number: text('number').notNull().default(sql`next_part_number()`),
    kind: text('kind', { enum: KINDS }).notNull().default(DEFAULT_KIND),
    /** The phone models that it is for. */
    fits: text('fits').array().notNull().default([]),
    attributes: jsonb('attributes').$type<{ name: string; value: string }[]>().notNull().default([]),
    /** Pieces are ordered in multiples of it. */
    orderStep: integer('order_step').notNull().default(1),
    /** Rising in quantity, falling in price. */
    priceBreaks: jsonb('price_breaks').$type<PriceBreakRow[]>().notNull().default([]),
    /** Rises with each edit, and not with the stock. */
    version: integer('version').notNull().default(1),
    createdAt,
    updatedAt,
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    index('products_newest').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('products_by_name').on(inNameOrder(t.name), t.id).where(sql`${t.deletedAt} is null`),
    index('products_by_price').on(t.priceCents, t.id).where(sql`${t.deletedAt} is null`),
    index('products_by_kind').on(t.kind, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('products_fits').using('gin', t.fits),
    index('products_compact_numbers').on(sql`compact_number(${t.number})`).where(sql`${t.deletedAt} is null`),
    uniqueIndex('products_number').on(t.number).where(sql`${t.deletedAt} is null`),
    check('products_stock', sql`${t.quantity} >= 0`),
    check('products_price', sql`${t.priceCents} > 0`),
    check('products_minimum', sql`${t.minimumOrder} > 0`),
    check('products_order_step', sql`${t.orderStep} between 1 and ${t.minimumOrder}`),
  ],
);

/**
 * Parts on sale with fewer than `LOW_STOCK_MINIMUM_ORDERS` minimum orders left, kept by a trigger (docs/decisions/0085):
 * an index on the stock itself would make each order write every index of its part.
 */
export const scarceProducts = pgTable(
  'scarce_products',
  {
    productId: uuid('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** How many are left, with a fraction. */
    minimumOrders: doublePrecision('minimum_orders').notNull(),
  },
  (t) => [index('scarce_products_scarcest').on(t.minimumOrders, t.productId)],
);

/**
 * Every phone model that a part was ever for, as searches have it, kept by a trigger: a mistyped one is compared with
 * these instead of with each part's own (docs/decisions/0085).
 */
export const phoneModels = pgTable('phone_models', { model: text('model').primaryKey() });

/** What administrators noted about moves of the stock, apart from the trail, which has no free texts. */
export const stockNotes = pgTable('stock_notes', {
  entryId: uuid('entry_id').primaryKey(),
  note: text('note').notNull(),
});

/** What was answered to a change that may be sent again, by the key of the administrator who made it. */
export const productKeys = pgTable(
  'product_keys',
  {
    userId: uuid('user_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request's meaning, to tell a repeat from a reuse. */
    bodyHash: bytes('body_hash').notNull(),
    /** Null only within the transaction that does the work. */
    answer: jsonb('answer'),
    createdAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
);
