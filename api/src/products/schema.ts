import { DEFAULT_KIND, KINDS } from '@parts-forge/contract/products/part-rules';
import { type SQL, sql } from 'drizzle-orm';
import {
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';

/** The unit price from this quantity on. */
export interface PriceBreakRow {
  quantity: number;
  priceCents: number;
}

/** Natural order: `Battery 9`, `battery 10`, `Écran`, `Zoom lens`. Uses an ICU collation (migration 0027). */
export const inNameOrder = (name: PgColumn | SQL): SQL => sql`${name} collate "name_order"`;

/**
 * The database keeps an indexed column `search` (`part_search_text`), undeclared so that lists do not read
 * it.
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
    /** The pictures after the first, which is `image`. */
    moreImages: text('more_images').array().notNull().default([]),
    /** Defaults to the shop's next number. */
    number: text('number').notNull().default(sql`next_part_number()`),
    /** As `foldPartName` writes them. */
    alsoKnownAs: text('also_known_as').array().notNull().default([]),
    kind: text('kind', { enum: KINDS }).notNull().default(DEFAULT_KIND),
    fits: text('fits').array().notNull().default([]),
    attributes: jsonb('attributes').$type<{ name: string; value: string }[]>().notNull().default([]),
    /** Orders are multiples of it. */
    orderStep: integer('order_step').notNull().default(1),
    /** Rising in quantity, falling in price. */
    priceBreaks: jsonb('price_breaks').$type<PriceBreakRow[]>().notNull().default([]),
    availableUntil: integer('available_until'),
    deliveryDays: integer('delivery_days'),
    /** A part's number, which may no longer be on sale. */
    replacedBy: text('replaced_by'),
    /** A day. As text, since the driver reads a `date` in the server's time zone. */
    expectedAt: text('expected_at'),
    /** Increases with edits, not with the stock. */
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
    // Alternatives are read after each import: without a list of pending entries.
    index('products_models_of_kind')
      .using('gin', sql`models_of_kind(${t.kind}, ${t.fits})`)
      .with({ fastupdate: false })
      .where(sql`${t.deletedAt} is null`),
    index('products_also_known_as').using('gin', t.alsoKnownAs),
    index('products_compact_numbers').on(sql`compact_number(${t.number})`).where(sql`${t.deletedAt} is null`),
    uniqueIndex('products_number').on(t.number).where(sql`${t.deletedAt} is null`),
    // The number of a removed part is looked up, too.
    index('products_any_number').on(t.number),
    index('products_replaced_by').on(t.replacedBy).where(sql`${t.replacedBy} is not null`),
    check('products_stock', sql`${t.quantity} >= 0`),
    check('products_price', sql`${t.priceCents} > 0`),
    check('products_minimum', sql`${t.minimumOrder} > 0`),
    check('products_order_step', sql`${t.orderStep} between 1 and ${t.minimumOrder}`),
  ],
);

/**
 * Fewer than `LOW_STOCK_MINIMUM_ORDERS` left, kept by a trigger: an index on the stock would make each order
 * update every index of its part.
 */
export const scarceProducts = pgTable(
  'scarce_products',
  {
    productId: uuid('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** Left, with a fraction. */
    minimumOrders: doublePrecision('minimum_orders').notNull(),
  },
  (t) => [index('scarce_products_scarcest').on(t.minimumOrders, t.productId)],
);

/** Parts reported as low, until a restock. */
export const lowStockNotices = pgTable('low_stock_notices', {
  productId: uuid('product_id').primaryKey(),
  createdAt,
});

/** Models that parts fit or fitted. Searches compare misspelled models with these instead of with every part. */
export const phoneModels = pgTable('phone_models', {
  /** As parts have it. */
  name: text('name').primaryKey(),
  /** By `normalize_search`, as searches have it. */
  model: text('model').notNull(),
});

/** The trail has no free text. */
export const stockNotes = pgTable('stock_notes', {
  entryId: uuid('entry_id').primaryKey(),
  note: text('note').notNull(),
});
