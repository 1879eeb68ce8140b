import type pg from 'pg';
import { expect } from 'vitest';

/** Statements of this database that wait for a lock. */
export async function countWaiting(client: pg.Client): Promise<number> {
  // A transaction's first snapshot may miss later connections.
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ count: number }>(
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
}

export const awaitWaiting = (client: pg.Client, count: number) =>
  expect.poll(() => countWaiting(client), { timeout: 30_000 }).toBe(count);
