import { index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';

/** Every object is a row, so a restart loses no open payment. */
export const sandboxObjects = pgTable(
  'sandbox_objects',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    data: jsonb('data').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date', precision: 3 })
      .notNull()
      .defaultNow(),
  },
  (t) => [index('sandbox_objects_kind').on(t.kind, t.createdAt)],
);

/** PostgreSQL's `if not exists` alone fails for two simultaneous processes. */
const CREATE_TABLE_LOCK = 5_210_773;

/** For servers without their own migrations. Repeatable, also concurrently. */
export async function createSandboxTable(pool: Pool): Promise<void> {
  // Several statements in one query are one transaction, which holds the lock.
  await pool.query(`
    select pg_advisory_xact_lock(${CREATE_TABLE_LOCK});
    create table if not exists sandbox_objects (
      id text primary key,
      kind text not null,
      data jsonb not null,
      created_at timestamp (3) with time zone not null default now()
    );
    create index if not exists sandbox_objects_kind on sandbox_objects using btree (kind, created_at);
  `);
}
