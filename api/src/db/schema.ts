import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  pgSchema,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/** All tables of the shop. A changed table is a new file under `migrations/`; the old ones are never edited. */

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
const createdAt = instant('created_at').notNull().defaultNow();
const updatedAt = instant('updated_at').notNull().defaultNow();

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    role: text('role', { enum: ['user', 'admin'] })
      .notNull()
      .default('user'),
    education: text('education').notNull().default(''),
    location: text('location').notNull().default(''),
    phone: text('phone').notNull().default(''),
    linkdin: text('linkdin').notNull().default(''),
    /** The identity this account is bound to; null until the first sign-in of an account made by a command. */
    identityIssuer: text('identity_issuer'),
    identitySubject: text('identity_subject'),
    /** The identity service has proven that the address is this person's. */
    emailVerified: boolean('email_verified').notNull().default(false),
    createdAt,
    updatedAt,
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    uniqueIndex('users_email').on(sql`lower(${t.email})`).where(sql`${t.deletedAt} is null`),
    uniqueIndex('users_identity').on(t.identityIssuer, t.identitySubject).where(sql`${t.deletedAt} is null`),
    index('users_newest').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('users_search').using('gin', sql`(lower(${t.name} || ' ' || ${t.email})) gin_trgm_ops`),
    check('users_role', sql`${t.role} in ('user', 'admin')`),
  ],
);

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
    /** SHA-256 of the token; the token itself is not kept anywhere. */
    hash: bytes('hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('access_tokens_user').on(t.userId), index('access_tokens_expiry').on(t.expiresAt)],
);

export const products = pgTable(
  'products',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    priceCents: integer('price_cents').notNull(),
    quantity: integer('quantity').notNull(),
    minimumOrder: integer('minimum_order').notNull(),
    image: text('image').notNull(),
    createdAt,
    updatedAt,
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    index('products_newest').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('products_by_name').on(sql`lower(${t.name})`, t.id).where(sql`${t.deletedAt} is null`),
    index('products_by_price').on(t.priceCents, t.id).where(sql`${t.deletedAt} is null`),
    index('products_search').using('gin', sql`(lower(${t.name})) gin_trgm_ops`),
    check('products_stock', sql`${t.quantity} >= 0`),
    check('products_price', sql`${t.priceCents} > 0`),
    check('products_minimum', sql`${t.minimumOrder} > 0`),
  ],
);

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    productName: text('product_name').notNull(),
    image: text('image').notNull(),
    priceCents: integer('price_cents').notNull(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    address: text('address').notNull(),
    phone: text('phone').notNull(),
    quantity: integer('quantity').notNull(),
    totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull().default('usd'),
    status: text('status', { enum: ['due', 'pending', 'paid'] })
      .notNull()
      .default('due'),
    transactionId: text('transaction_id').unique('orders_transaction'),
    /** Number of the current attempt to open a payment; part of the idempotency key toward the provider. */
    payAttempt: integer('pay_attempt').notNull().default(1),
    cancelledAt: instant('cancelled_at'),
    createdAt,
    updatedAt,
  },
  (t) => [
    index('orders_mine').on(t.userId, t.createdAt, t.id).where(sql`${t.cancelledAt} is null`),
    index('orders_newest').on(t.createdAt, t.id).where(sql`${t.cancelledAt} is null`),
    index('orders_status').on(t.status, t.createdAt, t.id).where(sql`${t.cancelledAt} is null`),
    index('orders_product').on(t.productId),
    index('orders_email').on(sql`lower(${t.email})`, t.createdAt, t.id).where(sql`${t.cancelledAt} is null`),
    index('orders_search').using(
      'gin',
      sql`(lower(${t.productName} || ' ' || ${t.name} || ' ' || ${t.email})) gin_trgm_ops`,
    ),
    check('orders_status_known', sql`${t.status} in ('due', 'pending', 'paid')`),
    check('orders_paid_by', sql`(${t.status} = 'due') = (${t.transactionId} is null)`),
    check('orders_cancelled_due', sql`${t.cancelledAt} is null or ${t.status} = 'due'`),
    check('orders_quantity', sql`${t.quantity} > 0`),
    check('orders_total', sql`${t.totalCents} = ${t.quantity}::bigint * ${t.priceCents}`),
  ],
);

export const orderKeys = pgTable(
  'order_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    key: text('key').notNull(),
    /** SHA-256 of the request's meaning, to tell a repeat from a reuse. */
    bodyHash: bytes('body_hash').notNull(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    createdAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
);

export const payments = pgTable(
  'payments',
  {
    /** The provider's id of the intent, `pi_…`. */
    id: text('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    attempt: integer('attempt').notNull(),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    state: text('state', { enum: ['open', 'applied', 'canceled', 'refund_due', 'refunded'] }).notNull(),
    note: text('note'),
    createdAt,
    updatedAt,
  },
  (t) => [
    uniqueIndex('payments_one_open').on(t.orderId).where(sql`${t.state} = 'open'`),
    uniqueIndex('payments_one_applied').on(t.orderId).where(sql`${t.state} = 'applied'`),
    index('payments_unfinished').on(t.updatedAt).where(sql`${t.state} in ('open', 'refund_due')`),
    index('payments_order').on(t.orderId),
  ],
);

export const webhookEvents = pgTable('webhook_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  paymentId: text('payment_id'),
  outcome: text('outcome').notNull(),
  receivedAt: instant('received_at').notNull().defaultNow(),
});

export const reviews = pgTable(
  'reviews',
  {
    id: uuid('id').primaryKey(),
    /** Null for the demonstration shop's reviews, which belong to no account. */
    userId: uuid('user_id').references(() => users.id),
    name: text('name').notNull(),
    /** The rating in halves, 2 to 10. */
    ratingHalves: smallint('rating_halves').notNull(),
    description: text('description').notNull(),
    createdAt,
  },
  (t) => [
    index('reviews_newest').on(t.createdAt, t.id),
    check('reviews_rating', sql`${t.ratingHalves} between 2 and 10`),
  ],
);

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

/** Facts of this database: its instance id, its secrets. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

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
