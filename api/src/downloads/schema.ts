import { ROLES } from '@parts-forge/contract/calls/policies';
import type { CheckedDownloadRequest } from '@parts-forge/contract/files/downloads';
import { boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, createdAt, instant } from '#src/platform/database/columns.ts';

export const downloads = pgTable(
  'downloads',
  {
    /** SHA-256, so that a leaked table opens no file. */
    tokenHash: bytes('token_hash').primaryKey(),
    request: jsonb('request').$type<CheckedDownloadRequest>().notNull(),
    /** The creator; permission is checked again at the download. */
    userId: uuid('user_id').notNull(),
    /** The link is void in another role. */
    role: text('role', { enum: ROLES }).notNull().default('user'),
    /** Signed in without a required second factor. */
    lacksSecondFactor: boolean('lacks_second_factor').notNull().default(false),
    /** The link ends with the key that made it. */
    keyId: uuid('key_id'),
    createdAt,
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('downloads_expired').on(t.expiresAt)],
);
