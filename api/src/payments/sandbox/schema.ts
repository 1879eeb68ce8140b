import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '#src/platform/database/columns.ts';

/** The card sandbox keeps its objects here, so that a restart loses no open payment. */
export const sandboxObjects = pgTable(
  'sandbox_objects',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    data: jsonb('data').notNull(),
    createdAt,
  },
  (t) => [index('sandbox_objects_kind').on(t.kind, t.createdAt)],
);
