import { REFUND_STATES } from '@parts-forge/contract/orders/order-states';
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { orders } from '#src/orders/schema.ts';
import { bytes, createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';
import { users } from '#src/users/schema.ts';

/**
 * Shares: one row for each order of a payment. Triggers check their sum, and that a payment without a share
 * pays no order (migration `payments_of_several_orders`).
 */
export const payments = pgTable(
  'payments',
  {
    /** The provider's intent, `pi_…`. */
    id: text('id').notNull(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    attempt: integer('attempt').notNull(),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    paymentCents: bigint('payment_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    /**
     * `missing`: unknown to the provider; the job looks again. Only `applied`, `refund_due` and `refunded`
     * may differ between the shares of a payment.
     */
    state: text('state', {
      enum: ['open', 'applied', 'canceled', 'missing', 'refund_due', 'refunded'],
    }).notNull(),
    note: text('note'),
    createdAt,
    updatedAt,
  },
  (t) => [
    primaryKey({ name: 'payments_share', columns: [t.id, t.orderId] }),
    check('payments_share_of_whole', sql`${t.amountCents} between 0 and ${t.paymentCents}`),
    uniqueIndex('payments_one_open').on(t.orderId).where(sql`${t.state} = 'open'`),
    uniqueIndex('payments_one_applied').on(t.orderId).where(sql`${t.state} = 'applied'`),
    index('payments_unfinished').on(t.updatedAt).where(sql`${t.state} in ('open', 'missing')`),
    index('payments_order').on(t.orderId),
    index('payments_applied').on(t.createdAt).where(sql`${t.state} = 'applied'`),
  ],
);

/** The shop's refunds, several of an order. Each row precedes the request to the provider, so that no crash loses it. */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid('id').primaryKey(),
    paymentId: text('payment_id').notNull(),
    orderId: uuid('order_id').notNull(),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    /** Refunded outside the shop's refunds before the request. */
    elsewhereCents: bigint('elsewhere_cents', { mode: 'number' }).notNull().default(0),
    /** Pieces; null for an amount. */
    quantity: integer('quantity'),
    /** The administrator's `Idempotency-Key`, with the SHA-256 of the request's content. */
    key: text('key'),
    bodyHash: bytes('body_hash'),
    state: text('state', { enum: REFUND_STATES }).notNull().default('pending'),
    /** Rises with each definite failure; part of the idempotency key. */
    attempt: integer('attempt').notNull().default(1),
    /** The last attempt, `re_…`; null before one, and for an external refund. */
    providerId: text('provider_id'),
    reason: text('reason'),
    /** Null for automatic refunds. */
    requestedBy: uuid('requested_by').references(() => users.id),
    note: text('note'),
    /** Ignored once the refund has succeeded. */
    nextLookAt: instant('next_look_at').notNull().defaultNow(),
    createdAt,
    updatedAt,
  },
  (t) => [
    foreignKey({
      name: 'refunds_share',
      columns: [t.paymentId, t.orderId],
      foreignColumns: [payments.id, payments.orderId],
    }),
    index('refunds_payment').on(t.paymentId),
    index('refunds_order').on(t.orderId),
    uniqueIndex('refunds_key').on(t.requestedBy, t.key).where(sql`${t.key} is not null`),
    index('refunds_unfinished').on(t.nextLookAt).where(sql`${t.state} <> 'succeeded'`),
    check('refunds_amount', sql`${t.amountCents} > 0`),
    check('refunds_quantity', sql`${t.quantity} > 0`),
  ],
);

/**
 * This shop's payments whose orders are unknown or cannot take them, as after a restored backup. Never
 * refunded here.
 */
export const strayPayments = pgTable(
  'stray_payments',
  {
    id: text('id').primaryKey(),
    /** The first of several. */
    orderId: text('order_id'),
    receivedCents: bigint('received_cents', { mode: 'number' }).notNull(),
    createdAt,
    resolvedAt: instant('resolved_at'),
  },
  (t) => [index('stray_payments_open').on(t.createdAt).where(sql`${t.resolvedAt} is null`)],
);

export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    paymentId: text('payment_id'),
    outcome: text('outcome').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => [
    index('webhook_events_declined').on(t.receivedAt).where(sql`${t.type} = 'payment_intent.payment_failed'`),
  ],
);
