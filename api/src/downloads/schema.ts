import type { CheckedDownloadRequest } from '@parts-forge/contract/downloads';
import { index, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core';
import { bytes, createdAt, instant } from '#src/platform/database/columns.ts';

/** Links to files that wait to be opened, each once. */
export const downloads = pgTable(
  'downloads',
  {
    /** SHA-256 of what the link ends with: whoever reads the table can open none. */
    tokenHash: bytes('token_hash').primaryKey(),
    request: jsonb('request').$type<CheckedDownloadRequest>().notNull(),
    /** Who asked; whether they may still have it is looked at when it is opened. */
    userId: uuid('user_id').notNull(),
    createdAt,
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('downloads_expired').on(t.expiresAt)],
);
