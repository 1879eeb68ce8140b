import { ORDER_CLOSINGS, ORDER_STATUSES, REFUND_STATES } from '@parts-forge/contract/orders/order-states';
import { type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { TaxConfig } from '#src/platform/core/config/invoices.ts';
import { bytes, createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';
import { type PriceBreakRow, products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';
import { withoutTaxSql } from './take-stock.ts';

const listLiterals = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

type BoxColumn =
  | 'status'
  | 'closedAt'
  | 'disputed'
  | 'refundCents'
  | 'settledCents'
  | 'unassignedCents'
  | 'totalCents'
  | 'sentPieces'
  | 'backPieces'
  | 'quantity';
/** As `countToSend` of an accepted order. Literals, so that the planner finds the index. */
export const isToSend = (t: Record<BoxColumn, AnyPgColumn>): SQL =>
  sql`${t.status} = 'paid' and ${t.closedAt} is null and not ${t.disputed}
    and greatest(${t.refundCents}, ${t.settledCents} - ${t.unassignedCents}) < ${t.totalCents}
    and ${t.sentPieces} + ${t.backPieces} < ${t.quantity}`;

/** What an order's papers say beside the order, also once account, profile, part or rate have changed. */
export interface PaperFacts
  extends Pick<
    typeof users.$inferSelect,
    'company' | 'taxNumber' | 'billingAddress' | 'country' | 'tax' | 'taxReason'
  > {
  /** Absent on orders from before it was kept: the rate at the payment. */
  shopTax?: TaxConfig | null;
  partNumber: string;
  priceBreaks: readonly PriceBreakRow[];
}

/** An undeclared column `search` is indexed; lists do not read it. */
export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    number: integer('number').notNull().generatedByDefaultAsIdentity({ startWith: 10001 }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    productName: text('product_name').notNull(),
    image: text('image').notNull(),
    /** With tax, also for a customer without it. */
    priceCents: integer('price_cents').notNull(),
    /** The tax that the total leaves out, in hundredths of a percent; 0 for a customer who pays it. */
    untaxedRate: integer('untaxed_rate').notNull().default(0),
    /** As at ordering; null where a paper was first, or the person was erased. */
    facts: jsonb('facts').$type<PaperFacts>(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    address: text('address').notNull(),
    phone: text('phone').notNull(),
    quantity: integer('quantity').notNull(),
    /** Shared by a batch; null for a single order. */
    batch: uuid('batch'),
    reference: text('reference'),
    /** The key that placed it. */
    keyId: uuid('key_id'),
    totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull().default('usd'),
    status: text('status', { enum: ORDER_STATUSES }).notNull().default('due'),
    /** Shared by orders that were paid together (see `payments`). */
    transactionId: text('transaction_id'),
    /** Part of the provider's idempotency key. */
    payAttempt: integer('pay_attempt').notNull().default(1),
    /** Meaningless once paid; null for never. */
    heldUntil: instant('held_until'),
    /** The first line of the part's ledger includes these pieces. */
    beforeLedger: boolean('before_ledger').notNull().default(false),
    refundCents: bigint('refund_cents', { mode: 'number' }).notNull().default(0),
    /** Refunded or failed at the provider without naming an order. */
    unassignedCents: bigint('unassigned_cents', { mode: 'number' }).notNull().default(0),
    refundState: text('refund_state', { enum: REFUND_STATES }),
    failedCents: bigint('failed_cents', { mode: 'number' }).notNull().default(0),
    settledCents: bigint('settled_cents', { mode: 'number' }).notNull().default(0),
    lostCents: bigint('lost_cents', { mode: 'number' }).notNull().default(0),
    /** Refunded by number, or with the rest; no later refund has them, so stock returns once. */
    refundedPieces: integer('refunded_pieces').notNull().default(0),
    /** Pieces refunded before any was sent, or back in stock: they do not go into a box. */
    backPieces: integer('back_pieces').notNull().default(0),
    /** Pieces refunded after some were sent. */
    unsurePieces: integer('unsure_pieces').notNull().default(0),
    /** In parcels, at most all; a parcel that names no pieces has all. */
    sentPieces: integer('sent_pieces').notNull().default(0),
    disputed: boolean('disputed').notNull().default(false),
    inquiry: boolean('inquiry').notNull().default(false),
    /** Both null while the order is open. */
    closed: text('closed', { enum: ORDER_CLOSINGS }),
    closedAt: instant('closed_at'),
    createdAt,
    updatedAt,
  },
  (t) => [
    uniqueIndex('orders_number').on(t.number),
    index('orders_batch').on(t.batch, t.number).where(sql`${t.batch} is not null`),
    index('orders_mine').on(t.userId, t.createdAt, t.id).where(sql`${t.closedAt} is null`),
    index('orders_newest').on(t.createdAt, t.id).where(sql`${t.closedAt} is null`),
    // The total gives index-only sums, the batch index-only counts of purchases.
    index('orders_status')
      .on(t.status, t.createdAt, t.id, t.totalCents, t.batch)
      .where(sql`${t.closedAt} is null`),
    index('orders_refunded').on(t.id).where(sql`${t.refundState} is not null`),
    // Index-only sums of a part's ledger.
    index('orders_stock').on(t.productId, t.id, t.quantity).where(sql`not ${t.beforeLedger}`),
    index('orders_email').on(sql`lower(${t.email})`, t.createdAt, t.id).where(sql`${t.closedAt} is null`),
    index('orders_transaction').on(t.transactionId).where(sql`${t.transactionId} is not null`),
    check('orders_status_known', sql`${t.status} in (${listLiterals(ORDER_STATUSES)})`),
    check('orders_paid_by', sql`(${t.status} = 'due') = (${t.transactionId} is null)`),
    check('orders_closed_known', sql`${t.closed} in (${listLiterals(ORDER_CLOSINGS)})`),
    check('orders_closed', sql`(${t.closed} is null) = (${t.closedAt} is null)`),
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
    check('orders_inquiry', sql`${t.disputed} or not ${t.inquiry}`),
    index('orders_returned')
      .on(t.number)
      .where(sql`${t.closed} = 'refunded' and ${t.refundCents} < ${t.totalCents}`),
    check('orders_failed', sql`${t.failedCents} between 0 and ${t.refundCents}`),
    check('orders_settled', sql`${t.lostCents} between 0 and ${t.settledCents}`),
    check('orders_refunded_pieces', sql`${t.refundedPieces} between 0 and ${t.quantity}`),
    index('orders_mine_closed').on(t.userId, t.createdAt, t.id).where(sql`${t.closedAt} is not null`),
    index('orders_closed_newest').on(t.createdAt, t.id).where(sql`${t.closedAt} is not null`),
    index('orders_closed_as').on(t.closed, t.createdAt, t.id, t.batch).where(sql`${t.closedAt} is not null`),
    // Index-only sums of unpaid orders, also of one part.
    index('orders_unpaid')
      .on(t.userId, t.productId, t.quantity, t.totalCents)
      .where(sql`${t.status} = 'due' and ${t.closedAt} is null`),
    index('orders_disputed').on(t.status).where(sql`${t.disputed}`),
    index('orders_held').on(t.heldUntil).where(sql`${t.status} = 'due' and ${t.closedAt} is null`),
    index('orders_to_send').on(t.createdAt, t.id).where(isToSend(t)),
    check('orders_quantity', sql`${t.quantity} > 0`),
    check(
      'orders_total',
      sql.raw(`total_cents = ${withoutTaxSql('quantity::bigint * price_cents', 'untaxed_rate')}`),
    ),
  ],
);

/** Parcels of accepted orders. */
export const shipments = pgTable(
  'shipments',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    carrier: text('carrier').notNull(),
    number: text('number').notNull(),
    sentAt: instant('sent_at').notNull(),
    /** Pieces; null if not said. */
    quantity: integer('quantity'),
    /** An administrator, whose account may be deleted later. */
    addedBy: uuid('added_by').notNull(),
    /** Kept once the customer knows it. */
    removedAt: instant('removed_at'),
    /** The removed parcel that this one corrects. */
    replaces: uuid('replaces'),
    createdAt,
  },
  (t) => [index('shipments_order').on(t.orderId), check('shipments_quantity', sql`${t.quantity} > 0`)],
);

/**
 * No foreign keys: the order has them. PostgreSQL would check them by a sequential scan, planned while a
 * new shop's `orders` is empty and cached per connection.
 */
export const orderKeys = pgTable(
  'order_keys',
  {
    userId: uuid('user_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request's content. */
    bodyHash: bytes('body_hash').notNull(),
    orderId: uuid('order_id').notNull(),
    createdAt,
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.key] }),
    // Cleanup finds the oldest rows, which lie together; costs inserts nothing.
    index('order_keys_created').using('brin', t.createdAt),
  ],
);
