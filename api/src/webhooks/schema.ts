import { EVENT_TYPES } from '@parts-forge/contract/events/event-types';
import type { Webhook } from '@parts-forge/contract/events/webhooks';
import { bigint, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, instant } from '#src/platform/database/columns.ts';
import { users } from '#src/users/schema.ts';

const eventNumber = (name: string) => bigint(name, { mode: 'number' });

export const webhooks = pgTable('webhooks', {
  id: uuid('id').primaryKey(),
  url: text('url').notNull(),
  types: text('types', { enum: EVENT_TYPES }).array().notNull(),
  /** Signing needs it as it is (docs/explanation/threat-model.md). */
  secret: text('secret').notNull(),
  /** Separated by spaces, the newest first. */
  formerSecret: text('former_secret'),
  formerUntil: instant('former_until'),
  state: text('state', { enum: ['on', 'off'] })
    .notNull()
    .default('on'),
  /** Number of the last event that is done with. */
  place: eventNumber('place').notNull(),
  /** How often the event after `place` could not be sent. */
  attempts: integer('attempts').notNull().default(0),
  /** Since then no event was taken. */
  failingSince: instant('failing_since'),
  /** Since then the receiver refuses the event after `place` (4xx), between other failures, too. */
  refusedSince: instant('refused_since'),
  /** Moved forward while a process sends, and so the mark of its claim. */
  nextAttemptAt: instant('next_attempt_at').notNull(),
  /** Switched off with the maker's role; null for one from before makers were kept. */
  madeBy: uuid('made_by').references(() => users.id),
  /** The last attempt's outcome. */
  last: jsonb('last').$type<Webhook['last']>(),
  createdAt,
});

/** Has rows for events that failed or were asked for; others leave only the webhook's place. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** Null for a test. */
    event: eventNumber('event'),
    type: text('type').notNull(),
    state: text('state', { enum: ['sent', 'failed', 'set-aside'] }).notNull(),
    attempts: integer('attempts').notNull().default(1),
    /** Status or reason; the body is never read. */
    answer: text('answer').notNull(),
    ms: integer('ms').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [uniqueIndex('webhook_deliveries_event').on(t.webhookId, t.event)],
);
