import { integer, pgTable } from 'drizzle-orm/pg-core';
import { bytes, instant } from '#src/platform/database/columns.ts';

/**
 * Requests that several processes count together. The table is not logged (its migration says so): the counts of a
 * minute are not worth a write to the disk, and begin anew after a crash.
 */
export const rateCounts = pgTable('rate_counts', {
  /** A hash of what is counted and of whom, so that a list of addresses is nowhere. */
  key: bytes('key').primaryKey(),
  count: integer('count').notNull(),
  endsAt: instant('ends_at').notNull(),
});
