import type { Scope } from '@parts-forge/contract/calls/policies';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
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

/** Earlier sign-ins are void. */
export const revokedIdentities = pgTable(
  'revoked_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    notBefore: instant('not_before').notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] })],
);

export const identityDeletions = pgTable(
  'identity_deletions',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    requestedAt: instant('requested_at').notNull(),
    attempts: integer('tries').notNull().default(0),
    nextAttemptAt: instant('next_try_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    index('identity_deletions_next').on(t.nextAttemptAt),
  ],
);

export const accessTokens = pgTable(
  'access_tokens',
  {
    /** SHA-256; the token is not stored. */
    hash: bytes('hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: text('session_id').references(() => identitySessions.id, { onDelete: 'cascade' }),
    /** Null: unknown, so not recent. */
    signedInAt: instant('signed_in_at'),
    secondFactor: boolean('second_factor').notNull().default(false),
    /** Null: a key without end. */
    expiresAt: instant('expires_at'),
    /** This and what follows: of keys alone. An ended key stays, as the trail shows its name. */
    keyId: uuid('key_id'),
    name: text('name'),
    scopes: text('scopes').array().$type<Scope[]>(),
    hint: text('hint'),
    usedAt: instant('used_at'),
  },
  (t) => [
    check('access_tokens_end', sql`${t.expiresAt} is not null or ${t.keyId} is not null`),
    uniqueIndex('access_tokens_key').on(t.keyId).where(sql`${t.keyId} is not null`),
    index('access_tokens_user').on(t.userId),
    index('access_tokens_session').on(t.sessionId),
    index('access_tokens_expiry').on(t.expiresAt),
  ],
);

const identity = pgSchema('identity');

export const identityUsers = identity.table('user', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
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
    secondFactor: boolean('second_factor').notNull().default(false),
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

export const identityTwoFactors = identity.table(
  'two_factor',
  {
    id: text('id').primaryKey(),
    /** Encrypted with the service's secret, like the codes. */
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => identityUsers.id, { onDelete: 'cascade' }),
    /** False until the first correct code. */
    verified: boolean('verified').notNull().default(true),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: instant('locked_until'),
  },
  (t) => [uniqueIndex('two_factor_user').on(t.userId)],
);

/** No time code works twice (RFC 6238, section 5.2). Each is valid for 90 seconds. */
export const identityUsedCodes = identity.table(
  'used_code',
  {
    userId: text('user_id')
      .notNull()
      .references(() => identityUsers.id, { onDelete: 'cascade' }),
    code: text('code').notNull(),
    usedAt: instant('used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.code] }), index('used_code_used_at').on(t.usedAt)],
);

export const identityLoginTries = identity.table(
  'login_try',
  {
    /** SHA-256 of account and address, account, or account and browser. */
    key: bytes('key').primaryKey(),
    account: bytes('account').notNull(),
    wrong: integer('wrong').notNull().default(0),
    underWay: integer('under_way').notNull().default(0),
    notBefore: instant('not_before'),
    lastAt: instant('last_at').notNull(),
  },
  (t) => [index('login_try_account').on(t.account), index('login_try_last').on(t.lastAt)],
);
