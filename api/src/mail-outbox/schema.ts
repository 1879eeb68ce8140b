import { MAIL_KINDS, MAIL_STATES } from '@parts-forge/contract/events/mail-kinds';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, instant } from '#src/platform/database/columns.ts';

/**
 * Ids only: address, text and link secrets are read or created at sending. Erasing a person thus erases them
 * here, and readers get no usable link.
 */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: MAIL_KINDS }).notNull(),
    userId: uuid('user_id').notNull(),
    orderId: uuid('order_id'),
    productId: uuid('product_id'),
    quoteId: uuid('quote_id'),
    /** Mails about a parcel have it. */
    shipmentId: uuid('shipment_id'),
    /** Further orders, parcels or parts of the same kind. */
    also: uuid('also').array().notNull().default([]),
    /** Mails of one act, kind and recipient are one. */
    actId: uuid('act_id'),
    /** Amount of a refund. */
    amountCents: bigint('amount_cents', { mode: 'number' }),
    state: text('state', { enum: MAIL_STATES }).notNull().default('waiting'),
    /** Counts attempts when they start. */
    attempts: integer('attempts').notNull().default(0),
    /** Moved forward before each attempt. */
    nextAttemptAt: instant('next_attempt_at').notNull(),
    /** Kind only, such as `ETIMEDOUT` or `550`: the server's text may contain an address. */
    lastError: text('last_error'),
    createdAt,
    /** Null while it waits. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('mail_outbox_due').on(t.nextAttemptAt).where(sql`${t.state} = 'waiting'`),
    index('mail_outbox_newest').on(t.createdAt, t.id),
    index('mail_outbox_user').on(t.userId, t.kind, t.createdAt),
    // One mail per expiring order.
    uniqueIndex('mail_outbox_expiring').on(t.orderId).where(sql`${t.kind} = 'order-expiring'`),
    // Wishes have one mail at a time, also when two processes write it.
    uniqueIndex('mail_outbox_back_in_stock')
      .on(t.userId, t.productId)
      .where(sql`${t.kind} = 'back-in-stock' and ${t.state} = 'waiting'`),
    uniqueIndex('mail_outbox_act')
      .on(t.actId, t.userId, t.kind)
      .where(sql`${t.state} = 'waiting' and ${t.attempts} = 0`),
    check('mail_outbox_ended', sql`(${t.state} = 'waiting') = (${t.endedAt} is null)`),
  ],
);
