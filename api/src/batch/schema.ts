import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';
import { products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';

export const batchLines = pgTable(
  'batch_lines',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    /** Validated when the batch is placed. */
    quantity: integer('quantity').notNull(),
    /** Unit price at the line's last change. */
    priceCents: integer('price_cents').notNull(),
    /** Increases with each new line. */
    place: bigint('place', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    createdAt,
    updatedAt,
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.productId] }),
    check('batch_lines_quantity', sql`${t.quantity} > 0`),
  ],
);

/** Customers' own names of parts. */
export const batchAliases = pgTable(
  'batch_aliases',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** What `foldPartName` makes of the name. */
    folded: text('folded').notNull(),
    alias: text('alias').notNull(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    /** Null for a name of a file that no line had yet. */
    lastUsedAt: instant('last_used_at'),
    createdAt,
    updatedAt,
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.folded] }),
    index('batch_aliases_part').on(t.userId, t.productId),
  ],
);
