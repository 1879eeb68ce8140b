import {
  bigint,
  boolean,
  index,
  integer,
  pgSchema,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';
import { users } from '#src/users/schema.ts';

/** Sign-ins before this moment are void: written when an administrator removes a person. */
export const revokedIdentities = pgTable(
  'revoked_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    notBefore: instant('not_before').notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] })],
);

export const accessTokens = pgTable(
  'access_tokens',
  {
    /** SHA-256 of the token; the token itself is not stored. */
    hash: bytes('hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('access_tokens_user').on(t.userId), index('access_tokens_expiry').on(t.expiresAt)],
);

/** The identity service's own tables. */
const identity = pgSchema('identity');

export const identityUsers = identity.table('user', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  createdAt,
  updatedAt,
});

export const identitySessions = identity.table(
  'session',
  {
    id: text('id').primaryKey(),
    expiresAt: instant('expires_at').notNull(),
    token: text('token').notNull().unique(),
    createdAt,
    updatedAt,
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    userId: text('user_id')
      .notNull()
      .references(() => identityUsers.id, { onDelete: 'cascade' }),
  },
  (t) => [index('session_user').on(t.userId)],
);

export const identityAccounts = identity.table(
  'account',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => identityUsers.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt,
    updatedAt,
  },
  (t) => [index('account_user').on(t.userId), uniqueIndex('account_identity').on(t.providerId, t.accountId)],
);

export const identityVerifications = identity.table(
  'verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [index('verification_identifier').on(t.identifier)],
);

export const identityKeys = identity.table('jwks', {
  id: text('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key').notNull(),
  alg: text('alg'),
  crv: text('crv'),
  createdAt,
  expiresAt: instant('expires_at'),
});

export const identityRateLimits = identity.table('rate_limit', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  count: integer('count').notNull(),
  lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
});
