import { MAIL_KINDS, MAIL_STATES } from '@parts-forge/contract/mail-kinds';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, instant } from '#src/platform/database/columns.ts';

/**
 * Mails to be sent, and those that were, by ids alone: the address, the words and the secrets of links are looked up or
 * made when one is sent. So an erased person is erased here too, and whoever reads the table can use no link.
 */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: MAIL_KINDS }).notNull(),
    /** To whom. */
    userId: uuid('user_id').notNull(),
    orderId: uuid('order_id'),
    productId: uuid('product_id'),
    /** What goes back, for a refund. */
    amountCents: bigint('amount_cents', { mode: 'number' }),
    state: text('state', { enum: MAIL_STATES }).notNull().default('waiting'),
    /** How often it was begun to be sent. */
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried, or tried again; whoever tries it moves this on first. */
    nextAttemptAt: instant('next_attempt_at').notNull(),
    /** What kind of failure the last one was, such as `ETIMEDOUT` or `550`; the server's words may have an address. */
    lastError: text('last_error'),
    createdAt,
    /** When it was sent or given up; null while it waits. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('mail_outbox_due').on(t.nextAttemptAt).where(sql`${t.state} = 'waiting'`),
    index('mail_outbox_newest').on(t.createdAt, t.id),
    index('mail_outbox_user').on(t.userId, t.kind, t.createdAt),
    // An order expires once.
    uniqueIndex('mail_outbox_expiring').on(t.orderId).where(sql`${t.kind} = 'order-expiring'`),
    check('mail_outbox_ended', sql`(${t.state} = 'waiting') = (${t.endedAt} is null)`),
  ],
);

/** Parts whose low stock administrators were told of, until they are restocked. */
export const lowStockNotices = pgTable('low_stock_notices', {
  productId: uuid('product_id').primaryKey(),
  createdAt,
});
