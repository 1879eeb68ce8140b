import { jsonb, pgSequence, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, createdAt } from './columns.ts';

export const metadata = pgTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

export const changeNumbers = pgSequence('change_numbers');

/** See `run-once.ts`. Orders and refunds keep their keys beside their own rows. */
export const requestKeys = pgTable(
  'request_keys',
  {
    userId: uuid('user_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request's content. */
    bodyHash: bytes('body_hash').notNull(),
    /** Null only during its transaction. */
    answer: jsonb('answer'),
    createdAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
);
