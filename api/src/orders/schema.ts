import { ORDER_CLOSINGS, ORDER_STATUSES, REFUND_STATES } from '@parts-forge/contract/order-states';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';
import { products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';

const listLiterals = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/**
 * The table has one more column, `search`, and an index on it: what a search looks at, which the database writes. It has
 * part, name, email, reference, address and phone, each after a space, so that a beginning of a word can be asked for, and
 * apart from the others by a character that no search has; the phone number also without the marks between its digits. It
 * is not listed here, as every list would read it with its rows.
 */
export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    /** The order's number for people. */
    number: integer('number').notNull().generatedByDefaultAsIdentity({ startWith: 10001 }),
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
    /** What was placed together has the same one; null: placed alone. */
    batch: uuid('batch'),
    /** The customer's own reference. */
    reference: text('reference'),
    totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull().default('usd'),
    status: text('status', { enum: ORDER_STATUSES }).notNull().default('due'),
    /** Of several orders, when they were paid for together: see `payments`. */
    transactionId: text('transaction_id'),
    /** Number of the current attempt to open a payment; part of the idempotency key toward the provider. */
    payAttempt: integer('pay_attempt').notNull().default(1),
    /** When an unpaid order expires; null: never, and of no meaning once it is paid. */
    heldUntil: instant('held_until'),
    /** Placed before the ledger of its part began, which counts its pieces in its first line. */
    beforeLedger: boolean('before_ledger').notNull().default(false),
    /** What was given back of this order's money or is being given back; 0 for nothing. */
    refundCents: bigint('refund_cents', { mode: 'number' }).notNull().default(0),
    /** What was given back at the provider, of several orders without saying of which, or could not be given back there. */
    unassignedCents: bigint('unassigned_cents', { mode: 'number' }).notNull().default(0),
    refundState: text('refund_state', { enum: REFUND_STATES }),
    /** What of `refundCents` could not be given back so far. */
    failedCents: bigint('failed_cents', { mode: 'number' }).notNull().default(0),
    /** The customer's bank questions the payment, and has not decided yet. */
    disputed: boolean('disputed').notNull().default(false),
    /** How and when the order ended; both null while it stands. */
    closed: text('closed', { enum: ORDER_CLOSINGS }),
    closedAt: instant('closed_at'),
    createdAt,
    updatedAt,
  },
  (t) => [
    uniqueIndex('orders_number').on(t.number),
    index('orders_batch').on(t.batch, t.id).where(sql`${t.batch} is not null`),
    index('orders_mine').on(t.userId, t.createdAt, t.id).where(sql`${t.closedAt} is null`),
    index('orders_newest').on(t.createdAt, t.id).where(sql`${t.closedAt} is null`),
    index('orders_status').on(t.status, t.createdAt, t.id).where(sql`${t.closedAt} is null`),
    // A part's orders as its stock ledger has them; with the pieces, so that they are summed up from the index alone.
    index('orders_stock').on(t.productId, t.id, t.quantity).where(sql`not ${t.beforeLedger}`),
    index('orders_email').on(sql`lower(${t.email})`, t.createdAt, t.id).where(sql`${t.closedAt} is null`),
    index('orders_transaction').on(t.transactionId).where(sql`${t.transactionId} is not null`),
    check('orders_status_known', sql`${t.status} in (${listLiterals(ORDER_STATUSES)})`),
    check('orders_paid_by', sql`(${t.status} = 'due') = (${t.transactionId} is null)`),
    check('orders_closed_known', sql`${t.closed} in (${listLiterals(ORDER_CLOSINGS)})`),
    check('orders_closed', sql`(${t.closed} is null) = (${t.closedAt} is null)`),
    // A due order is cancelled or expires, a pending one is refunded; a paid one stays.
    check(
      'orders_closed_from',
      sql`${t.closed} is null or ${t.status} = case ${t.closed} when 'refunded' then 'pending' else 'due' end`,
    ),
    check('orders_refund_known', sql`${t.refundState} in (${listLiterals(REFUND_STATES)})`),
    check(
      'orders_refund',
      sql`(${t.refundState} is null) = (${t.refundCents} = 0 and ${t.unassignedCents} = 0)
        and ${t.refundCents} between 0 and ${t.totalCents} and ${t.unassignedCents} >= 0`,
    ),
    check('orders_failed', sql`${t.failedCents} between 0 and ${t.refundCents}`),
    // Customers read the orders of theirs that ended, administrators everybody's.
    index('orders_mine_closed').on(t.userId, t.createdAt, t.id).where(sql`${t.closedAt} is not null`),
    index('orders_closed_newest').on(t.createdAt, t.id).where(sql`${t.closedAt} is not null`),
    index('orders_closed_as').on(t.closed, t.createdAt, t.id).where(sql`${t.closedAt} is not null`),
    // With pieces and worth, so that what unpaid orders hold is summed up from the index alone.
    index('orders_unpaid')
      .on(t.userId, t.quantity, t.totalCents)
      .where(sql`${t.status} = 'due' and ${t.closedAt} is null`),
    // Few at any time: those that cannot be accepted are counted without a look at the others.
    index('orders_disputed').on(t.status).where(sql`${t.disputed} and ${t.closedAt} is null`),
    index('orders_held').on(t.heldUntil).where(sql`${t.status} = 'due' and ${t.closedAt} is null`),
    check('orders_quantity', sql`${t.quantity} > 0`),
    check('orders_total', sql`${t.totalCents} = ${t.quantity}::bigint * ${t.priceCents}`),
  ],
);

/**
 * What the orders that are paid for come to, kept by a trigger: a row for each change, added up once a minute. All
 * together are the present state, those of some time what was received in it less what was given back.
 */
export const orderSums = pgTable('order_sums', {
  /** The beginning of the quarter of an hour in which it changed; of what is long ago, the middle of the week. */
  at: instant('at').notNull(),
  /** Orders that stand, pending and paid, and their totals. */
  pending: integer('pending').notNull(),
  pendingCents: bigint('pending_cents', { mode: 'number' }).notNull(),
  paid: integer('paid').notNull(),
  paidCents: bigint('paid_cents', { mode: 'number' }).notNull(),
  /** Orders of which money was given back, ended ones too, and how much. */
  refunded: integer('refunded').notNull(),
  refundedCents: bigint('refunded_cents', { mode: 'number' }).notNull(),
  /** Received less given back. */
  revenueCents: bigint('revenue_cents', { mode: 'number' }).notNull(),
});

/**
 * Idempotency keys. They have no foreign keys: the statement that writes a key writes its order, which has them.
 * PostgreSQL would check a key against `orders` with a plan that each connection makes once, on the empty table of a new
 * shop, as a sequential scan, and keeps while the table grows.
 */
export const orderKeys = pgTable(
  'order_keys',
  {
    userId: uuid('user_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request's meaning, to tell a repeat from a reuse. */
    bodyHash: bytes('body_hash').notNull(),
    orderId: uuid('order_id').notNull(),
    createdAt,
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.key] }),
    // The oldest are forgotten; they lie together, so that an index of ranges finds them and costs an order nothing.
    index('order_keys_created').using('brin', t.createdAt),
  ],
);
