import { pgTable, text } from 'drizzle-orm/pg-core';

/** Facts of this database that all its processes share: its instance id, its secrets. See `metadata.ts`. */
export const metadata = pgTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});
