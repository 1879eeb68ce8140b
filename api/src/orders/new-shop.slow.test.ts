import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { startForTest } from '#test/use-shop.ts';

const ORDERS = 300;

test('orders of a new shop never scan growing tables', async () => {
  const shop = await startForTest();
  const customer = await signedInAs(shop, 'user');
  const part = await aProduct(shop, { quantity: ORDERS * 50 });
  const place = () => customer.places(part, 50, { 'idempotency-key': randomUUID() });
  // Sequential, so that few connections place them and cache their plans.
  for (let count = 0; count < ORDERS; count += 1) await place();
  const readRows = async () => {
    const { rows } = await shop.pool.query<{ name: string; read: number; inserted: number }>(
      `select relname as name, seq_tup_read::int as read, n_tup_ins::int as inserted from pg_stat_user_tables
       where n_tup_ins >= ${ORDERS} order by relname`,
    );
    return rows;
  };
  // Each connection publishes its counts after ten idle seconds, or when asked.
  const publish = () => shop.pool.query('select pg_stat_force_next_flush()');
  const listGrown = async () => {
    await Promise.all(Array.from({ length: shop.pool.totalCount }, publish));
    return (await readRows()).map(({ name }) => name);
  };
  await expect.poll(listGrown, { timeout: 60_000 }).toContain('order_keys');
  // A full scan per order would read half of ORDERS².
  const scanned = (await readRows()).filter(({ read }) => read > (ORDERS * ORDERS) / 8);
  expect(scanned).toEqual([]);
});
