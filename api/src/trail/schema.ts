import { ACTOR_KINDS, TRAIL_EVENTS, TRAIL_TOPICS } from '@parts-forge/contract/trail-events';
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from '#src/platform/database/columns.ts';

/** What was, or what is: plain values by their names; money in cents under a name that ends with `Cents`. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/**
 * Who did what, to which order, part, person and payment, and how it moved a stock. A trigger of the database refuses
 * to change or remove an entry. It has ids alone: names and addresses stay in tables that can be erased, so nothing
 * here refers to a row that would have to stay.
 */
export const trail = pgTable(
  'trail',
  {
    id: uuid('id').primaryKey(),
    createdAt,
    event: text('event', { enum: TRAIL_EVENTS }).notNull(),
    /** What the event is about; a column, so that a rare topic is found without reading past all the others. */
    topic: text('topic', { enum: TRAIL_TOPICS }).notNull(),
    actor: text('actor', { enum: ACTOR_KINDS }).notNull(),
    /** The user; null for whoever has no account. */
    actorId: uuid('actor_id'),
    /** As on the lines of the log. */
    requestId: uuid('request_id').notNull(),
    orderId: uuid('order_id'),
    productId: uuid('product_id'),
    /** Whom it was done to. */
    userId: uuid('user_id'),
    /** The provider's id. */
    paymentId: text('payment_id'),
    /** Pieces that came to the part's stock, or left it; null where the event moves no stock. */
    stockChange: integer('stock_change'),
    before: jsonb('before').$type<Facts>(),
    after: jsonb('after').$type<Facts>(),
  },
  (t) => [
    index('trail_newest').on(t.createdAt, t.id),
    index('trail_topic').on(t.topic, t.createdAt, t.id),
    index('trail_actor').on(t.actorId, t.createdAt, t.id).where(sql`${t.actorId} is not null`),
    index('trail_order').on(t.orderId, t.createdAt, t.id).where(sql`${t.orderId} is not null`),
    index('trail_user').on(t.userId, t.createdAt, t.id).where(sql`${t.userId} is not null`),
    index('trail_payment').on(t.paymentId).where(sql`${t.paymentId} is not null`),
    // With the pieces, so that a stock is summed up from the index alone.
    index('trail_product').on(t.productId, t.id, t.stockChange).where(sql`${t.productId} is not null`),
    check('trail_actor_known', sql`(${t.actor} in ('user', 'admin')) = (${t.actorId} is not null)`),
    check('trail_stock', sql`${t.stockChange} is null or ${t.productId} is not null`),
  ],
);
