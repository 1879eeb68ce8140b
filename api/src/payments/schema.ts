import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { orders } from '#src/orders/schema.ts';
import { createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';

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
