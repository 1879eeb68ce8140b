import { ACTOR_KINDS, TRAIL_EVENTS, TRAIL_TOPICS } from '@parts-forge/contract/events/trail-events';
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from '#src/platform/database/columns.ts';

/** Plain values; a name with `Cents` at its end marks cents. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/**
 * The audit trail. A trigger rejects updates and deletes. Entries hold ids without foreign keys, so that
 * names and addresses can be erased elsewhere.
 */
export const trail = pgTable(
  'trail',
  {
    id: uuid('id').primaryKey(),
    createdAt,
    event: text('event', { enum: TRAIL_EVENTS }).notNull(),
    /** Indexed, so that rare topics are found quickly. */
    topic: text('topic', { enum: TRAIL_TOPICS }).notNull(),
    actor: text('actor', { enum: ACTOR_KINDS }).notNull(),
    /** Null for actors without an account. */
    actorId: uuid('actor_id'),
    /** The key that acted, or was made or ended. */
    keyId: uuid('key_id'),
    /** As in the log. */
    requestId: uuid('request_id').notNull(),
    orderId: uuid('order_id'),
    productId: uuid('product_id'),
    /** The user whom the entry is about. */
    userId: uuid('user_id'),
    paymentId: text('payment_id'),
    /** Pieces, negative for removals; null if the stock stays. */
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
    // A stock is summed from the index alone.
    index('trail_product').on(t.productId, t.id, t.stockChange).where(sql`${t.productId} is not null`),
    check('trail_actor_known', sql`(${t.actor} in ('user', 'admin')) = (${t.actorId} is not null)`),
    check('trail_stock', sql`${t.stockChange} is null or ${t.productId} is not null`),
  ],
);
