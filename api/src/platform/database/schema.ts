import { pgSequence, pgTable, text } from 'drizzle-orm/pg-core';

/** Facts of this database that all its processes share: its instance id, its secrets. See `metadata.ts`. */
export const metadata = pgTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** Each change that is told to other processes takes one; see `change-gaps.ts`. */
export const changeNumbers = pgSequence('change_numbers');
