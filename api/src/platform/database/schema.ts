import { pgSequence, pgTable, text } from 'drizzle-orm/pg-core';

/** Facts that all processes share, such as the instance id and secrets. See `metadata.ts`. */
export const metadata = pgTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** One per published change; see `change-gaps.ts`. */
export const changeNumbers = pgSequence('change_numbers');
