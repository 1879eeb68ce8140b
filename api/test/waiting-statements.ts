import type pg from 'pg';
import { expect } from 'vitest';
import { withOwnConnection } from '#src/platform/database/connection.ts';
import type { TestShop } from './start-shop.ts';

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

type Lock = readonly [statement: string, ...values: unknown[]];

/** @param work must not return a promise that waits for the lock, which ends after it */
export const whileLocked = <Result>(
  shop: Pick<TestShop, 'services'>,
  [statement, ...values]: Lock,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  withOwnConnection(shop.services.database, async (client) => {
    await client.query('begin');
    await client.query(statement, values);
    const result = await work(client);
    await client.query('commit');
    return result;
  });

/** Both wait for the lock, in this order. */
export async function queueBehind<First, Second>(
  shop: Pick<TestShop, 'services'>,
  lock: Lock,
  first: () => Promise<First>,
  then: () => Promise<Second>,
): Promise<[First, Second]> {
  const { sent } = await whileLocked(shop, lock, async (client) => {
    const one = first();
    await awaitWaiting(client, 1);
    const other = then();
    await awaitWaiting(client, 2);
    return { sent: [one, other] as const };
  });
  return Promise.all(sent);
}
