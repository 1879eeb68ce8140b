import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { runJobs } from './run-jobs.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

test('payments are reconciled and what has expired is removed by the clock, by one process of several', async () => {
  const stops = await Promise.all([runJobs(shop.services), runJobs(shop.services)]);
  const { rows } = await shop.services.database.pool.query(
    'select name, cron from jobs.schedule order by name',
  );
  expect(rows).toEqual([
    { name: 'purge-expired', cron: '17 * * * *' },
    { name: 'reconcile-payments', cron: '* * * * *' },
  ]);
  // A round at the start, told to whichever process is free; no second one beside it.
  const rounds = async () => (await pool.query('select name, state from jobs.job order by name')).rows;
  await vi.waitFor(
    async () =>
      expect(await rounds()).toEqual([
        { name: 'purge-expired', state: 'completed' },
        { name: 'reconcile-payments', state: 'completed' },
      ]),
    { timeout: 40_000, interval: 200 },
  );
  await Promise.all(stops.map((stop) => stop()));
  expect(shop.errors).toEqual([]);
});
