import type { CheckedDownloadRequest } from '@parts-forge/contract/downloads';
import { ROLES } from '@parts-forge/contract/policies';
import { boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
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
    /** As what they asked: in another role the link opens nothing. */
    role: text('role', { enum: ROLES }).notNull().default('user'),
    /** Whether they had signed in without the second factor that the shop asks for. */
    lacksSecondFactor: boolean('lacks_second_factor').notNull().default(false),
    createdAt,
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('downloads_expired').on(t.expiresAt)],
);
