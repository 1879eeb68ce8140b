import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { createdAt, updatedAt } from '#src/platform/database/columns.ts';
import { products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';

/** What customers have put together and not placed yet. */
export const batchLines = pgTable(
  'batch_lines',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    /** Pieces; whether they can be ordered is found out when they are. */
    quantity: integer('quantity').notNull(),
    /** What a piece cost when the line was last changed. */
    priceCents: integer('price_cents').notNull(),
    /** Rises with each line that is added. */
    place: bigint('place', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    createdAt,
    updatedAt,
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.productId] }),
    check('batch_lines_quantity', sql`${t.quantity} > 0`),
  ],
);

/** Lists of browsers that were taken over, so that each is once. */
export const batchJoins = pgTable(
  'batch_joins',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    joinId: uuid('join_id').notNull(),
    createdAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.joinId] })],
);
