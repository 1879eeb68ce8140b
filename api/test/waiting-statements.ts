import type pg from 'pg';
import { expect } from 'vitest';

/** How many statements of this database wait for a lock. */
export async function countWaiting(client: pg.Client): Promise<number> {
  // A transaction keeps the connections it saw at its first look, and those that wait may have been opened after it.
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ count: number }>(
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
}

/** Resolves when so many statements of this database wait for a lock. */
export const awaitWaiting = (client: pg.Client, count: number) =>
  expect.poll(() => countWaiting(client), { timeout: 30_000 }).toBe(count);
