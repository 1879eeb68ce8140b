import { integer, pgTable } from 'drizzle-orm/pg-core';
import { bytes, instant } from '#src/platform/database/columns.ts';

/** Unlogged: a minute's counts are not worth disk writes, and restart after a crash. */
export const rateCounts = pgTable('rate_counts', {
  /** A hash, so that addresses are not stored. */
  key: bytes('key').primaryKey(),
  count: integer('count').notNull(),
  endsAt: instant('ends_at').notNull(),
});
