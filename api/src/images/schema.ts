import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from '#src/platform/database/columns.ts';
import { users } from '#src/users/schema.ts';

export const images = pgTable('images', {
  /** SHA-256 of the original; names its files. */
  hash: text('hash').primaryKey(),
  type: text('type').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  bytes: integer('bytes').notNull(),
  uploadedBy: uuid('uploaded_by').references(() => users.id),
  createdAt,
});

/** Names of sent files, so that a file of parts can name its pictures. */
export const imageNames = pgTable('image_names', {
  /** In lower case; the latest picture of this name. */
  name: text('name').primaryKey(),
  hash: text('hash')
    .notNull()
    .references(() => images.hash),
});

/** Products accept no other address. */
export const imageAddresses = pgTable(
  'image_addresses',
  {
    /** A path of this server or another host's URL. */
    address: text('address').primaryKey(),
    hash: text('hash')
      .notNull()
      .references(() => images.hash),
    createdAt,
  },
  (table) => [index('image_addresses_hash').on(table.hash)],
);
