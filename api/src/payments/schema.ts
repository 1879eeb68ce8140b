import { REFUND_STATES } from '@parts-forge/contract/order-states';
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
import { createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';
import { users } from '#src/users/schema.ts';

/**
 * What each order has in a payment: a row for each order that a payment is for, most payments being for one. Triggers
 * keep that the shares of a payment sum to it, and that an order is paid only by one that it has a share in (see the
 * migration `payments_of_several_orders`).
 */
export const payments = pgTable(
  'payments',
  {
    /** The provider's id of the intent, `pi_…`. */
    id: text('id').notNull(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    /** Of this order. */
    attempt: integer('attempt').notNull(),
    /** This order's share. */
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    /** The whole payment, the same in all its rows. */
    paymentCents: bigint('payment_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    /**
     * `missing`: an open one that the provider did not know when it was asked; it is looked for again, as a provider
     * may be wrong once. These two and `canceled` are the whole payment's; what has succeeded may have paid some of its
     * orders (`applied`) and gone back for others (`refund_due`, `refunded`).
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
  ],
);

/**
 * Money of an order that the shop gives back: what was asked for, and how far it is at the provider. The row is
 * written before the provider is asked, so that no crash in between loses it.
 */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid('id').primaryKey(),
    paymentId: text('payment_id').notNull(),
    /** Whose share of the payment. */
    orderId: uuid('order_id').notNull(),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    /** What of the payment had gone back at the provider for no refund of the shop, as whoever asked for this had seen. */
    elsewhereCents: bigint('elsewhere_cents', { mode: 'number' }).notNull().default(0),
    state: text('state', { enum: REFUND_STATES }).notNull().default('pending'),
    /** Rises with each refund at the provider that failed for good; part of the idempotency key. */
    attempt: integer('attempt').notNull().default(1),
    /** The provider's id of the last attempt, `re_…`; null before one was made, and where somebody else made it. */
    providerId: text('provider_id'),
    reason: text('reason'),
    /** Null for what the shop gives back by itself. */
    requestedBy: uuid('requested_by').references(() => users.id),
    note: text('note'),
    /** When the provider is asked again; of no meaning once the refund has succeeded. */
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
    // A second refund of the same share has nothing to give back.
    uniqueIndex('refunds_one_each').on(t.paymentId, t.orderId),
    index('refunds_order').on(t.orderId),
    index('refunds_unfinished').on(t.nextLookAt).where(sql`${t.state} <> 'succeeded'`),
    check('refunds_amount', sql`${t.amountCents} > 0`),
  ],
);

/**
 * Payments at the provider that carry this shop's id and an order that is not in this database or cannot take them, as
 * after an older backup was restored. They are reported until somebody has dealt with them at the provider, never given back here.
 */
export const strayPayments = pgTable(
  'stray_payments',
  {
    id: text('id').primaryKey(),
    /** As the payment names it; the first, of several. */
    orderId: text('order_id'),
    receivedCents: bigint('received_cents', { mode: 'number' }).notNull(),
    createdAt,
    /** When everything was seen to be given back. */
    resolvedAt: instant('resolved_at'),
  },
  (t) => [index('stray_payments_open').on(t.createdAt).where(sql`${t.resolvedAt} is null`)],
);

export const webhookEvents = pgTable('webhook_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  paymentId: text('payment_id'),
  outcome: text('outcome').notNull(),
  receivedAt: instant('received_at').notNull().defaultNow(),
});
