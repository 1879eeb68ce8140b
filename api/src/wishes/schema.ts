import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from '#src/platform/database/columns.ts';
import { products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';

/** Customers who wait for a part, until their mail is sent. `write-reminders.ts` writes it. */
export const wishes = pgTable(
  'wishes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    createdAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.productId] }), index('wishes_product').on(t.productId)],
);
