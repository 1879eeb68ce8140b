import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { createdAt, updatedAt } from '#src/platform/database/columns.ts';
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
