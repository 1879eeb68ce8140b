import type pg from 'pg';
import { expect } from 'vitest';

/** Backends of this database that wait for a lock. */
export async function listWaiting(client: pg.ClientBase): Promise<number[]> {
  // A transaction's first snapshot may miss later connections.
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.map(({ pid }) => pid);
}

export const countWaiting = async (client: pg.ClientBase): Promise<number> =>
  (await listWaiting(client)).length;

export const awaitWaiting = (client: pg.ClientBase, count: number) =>
  expect.poll(() => countWaiting(client), { timeout: 30_000 }).toBe(count);
