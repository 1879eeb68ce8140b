import { index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Every object is a row, so a restart loses no open payment. */
export const sandboxObjects = pgTable(
  'sandbox_objects',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    data: jsonb('data').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date', precision: 3 })
      .notNull()
      .defaultNow(),
  },
  (t) => [index('sandbox_objects_kind').on(t.kind, t.createdAt)],
);
