import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from '#src/platform/database/columns.ts';
import { users } from '#src/users/schema.ts';

export const images = pgTable('images', {
  /** SHA-256 of the original, in hexadecimal; the name of its files. */
  hash: text('hash').primaryKey(),
  type: text('type').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  bytes: integer('bytes').notNull(),
  uploadedBy: uuid('uploaded_by').references(() => users.id),
  createdAt,
});
