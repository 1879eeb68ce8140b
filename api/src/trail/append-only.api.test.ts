import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#src/platform/database/connection.ts';
import { aProduct } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
  await aProduct(shop);
});
afterAll(() => shop.close());

const readEntries = async ({ pool }: Database) => (await pool.query('select * from trail order by id')).rows;

test.each([
  "update trail set after = '{}'",
  'update trail set actor_id = null where false',
  'delete from trail',
  'delete from trail where false',
  'truncate trail',
  'truncate products, trail cascade',
  'insert into trail select * from trail on conflict (id) do update set event = excluded.event',
  "set session_replication_role = 'replica'; delete from trail",
])('the database refuses to change or remove an entry: %s', async (statement) => {
  const { database } = shop.services;
  const before = await readEntries(database);
  expect(before.length).toBeGreaterThan(0);
  // One connection, as its settings must not stay with another user of the pool.
  const client = await database.pool.connect();
  try {
    await expect(client.query(statement)).rejects.toMatchObject({
      code: '42501',
      message: 'entries of "trail" are neither changed nor removed',
    });
  } finally {
    client.release(true);
  }
  expect(await readEntries(database)).toEqual(before);
});
