import { MAX_RATING, MIN_RATING, RATING_STEP } from '@parts-forge/contract/calls/bounds';
import { sql } from 'drizzle-orm';
import { check, index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from '#src/platform/database/columns.ts';
import { users } from '#src/users/schema.ts';

export const reviews = pgTable(
  'reviews',
  {
    id: uuid('id').primaryKey(),
    /** Null for the demonstration shop's reviews. */
    userId: uuid('user_id').references(() => users.id),
    name: text('name').notNull(),
    /** 2 to 10 halves. */
    ratingHalves: smallint('rating_halves').notNull(),
    description: text('description').notNull(),
    createdAt,
  },
  (t) => [
    index('reviews_newest').on(t.createdAt, t.id),
    index('reviews_of_user').on(t.userId, t.createdAt),
    check(
      'reviews_rating',
      sql`${t.ratingHalves} between ${sql.raw(String(MIN_RATING / RATING_STEP))} and ${sql.raw(String(MAX_RATING / RATING_STEP))}`,
    ),
  ],
);
