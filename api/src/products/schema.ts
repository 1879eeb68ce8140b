import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';

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
    createdAt,
    updatedAt,
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    index('products_newest').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('products_by_name').on(sql`lower(${t.name})`, t.id).where(sql`${t.deletedAt} is null`),
    index('products_by_price').on(t.priceCents, t.id).where(sql`${t.deletedAt} is null`),
    index('products_search').using('gin', sql`(lower(${t.name})) gin_trgm_ops`),
    check('products_stock', sql`${t.quantity} >= 0`),
    check('products_price', sql`${t.priceCents} > 0`),
    check('products_minimum', sql`${t.minimumOrder} > 0`),
  ],
);
