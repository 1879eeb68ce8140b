import { pgSequence, pgTable, text } from 'drizzle-orm/pg-core';

/** See `metadata.ts`. */
export const metadata = pgTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** See `change-gaps.ts`. */
export const changeNumbers = pgSequence('change_numbers');
