import { EVENT_TYPES } from '@parts-forge/contract/events/event-types';
import { bigint, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '#src/platform/database/columns.ts';

/** Numbers of facts, whose figures stay in the trail and the orders. `number-events.ts` writes it. */
export const events = pgTable(
  'events',
  {
    /** Not taken back: receivers keep the last one that they read. */
    number: bigint('number', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The order's id, or that of the trail's entry. */
    id: uuid('id').notNull(),
    type: text('type', { enum: EVENT_TYPES }).notNull(),
    at: instant('at').notNull(),
    orderId: uuid('order_id'),
    productId: uuid('product_id'),
  },
  (t) => [uniqueIndex('events_id').on(t.id)],
);
