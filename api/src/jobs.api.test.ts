import { PgBoss } from 'pg-boss';
import { expect, test, vi } from 'vitest';
import { useShop } from '#test/use-shop.ts';
import { listJobs } from './jobs.ts';
import { runJobs } from './platform/jobs/run-jobs.ts';

const shop = useShop();

test('one of several processes reconciles payments and removes expired data', async () => {
  const start = () => runJobs(shop.services, listJobs(shop.services));
  const stops = await Promise.all([start(), start()]);
  const { rows } = await shop.pool.query('select name, cron from jobs.schedule order by name');
  expect(rows).toEqual([
    { name: 'apply-imports', cron: '* * * * *' },
    { name: 'check-consistency', cron: '47 * * * *' },
    { name: 'delete-hosted-accounts', cron: '* * * * *' },
    { name: 'expire-orders', cron: '* * * * *' },
    { name: 'fetch-payment-events', cron: '* * * * *' },
    { name: 'forget-keys-and-imports', cron: '33 4 * * *' },
    { name: 'forget-mails', cron: '27 4 * * *' },
    { name: 'forget-numbered-events', cron: '23 4 * * *' },
    { name: 'forget-payment-events', cron: '37 3 * * *' },
    { name: 'number-events', cron: '* * * * *' },
    { name: 'purge-expired', cron: '17 * * * *' },
    { name: 'reconcile-payments', cron: '* * * * *' },
    { name: 'send-mail', cron: '* * * * *' },
    { name: 'write-reminders', cron: '* * * * *' },
  ]);
  // One round of each at the start, in any free process.
  const completed = async () =>
    (await shop.pool.query("select distinct name from jobs.job where state = 'completed'")).rows.map(
      ({ name }) => name,
    );
  await vi.waitFor(
    async () =>
      expect(await completed()).toEqual(
        expect.arrayContaining([
          'apply-imports',
          'check-consistency',
          'delete-hosted-accounts',
          'expire-orders',
          'fetch-payment-events',
          'forget-payment-events',
          'forget-mails',
          'purge-expired',
          'reconcile-payments',
          'send-mail',
          'write-reminders',
        ]),
      ),
    { timeout: 40_000, interval: 200 },
  );
  await Promise.all(stops.map((stop) => stop()));
});

test('a schedule of a former version is removed', async () => {
  const only = { name: 'only', cron: '0 0 1 1 *', run: async () => {} };
  await (await runJobs(shop.services, [only]))();
  const { rows } = await shop.pool.query('select name from jobs.schedule');
  expect(rows).toEqual([{ name: 'only' }]);
});

test("a killed process's round does not block those of others", async () => {
  // A queue as a former version left it.
  const older = new PgBoss({
    db: { executeSql: (text, values) => shop.pool.query(text, values) },
    schema: 'jobs',
    supervise: false,
    schedule: false,
  });
  await older.start();
  await older.createQueue('count', { policy: 'exclusive' });
  await older.send('count');
  expect(await older.fetch('count')).toHaveLength(1);
  await older.stop({ graceful: false, close: false });

  let rounds = 0;
  const countRounds = { name: 'count', cron: '0 0 1 1 *', run: async () => (rounds += 1) };
  const stop = await runJobs(shop.services, [countRounds]);
  await vi.waitFor(() => expect(rounds).toBe(1), { timeout: 40_000, interval: 50 });
  await stop();

  // As after a kill in the middle of a round.
  await shop.pool.query("update jobs.job set state = 'active', completed_on = null where name = 'count'");
  const stopAgain = await runJobs(shop.services, [countRounds]);
  await vi.waitFor(() => expect(rounds).toBe(2), { timeout: 40_000, interval: 50 });
  await stopAgain();
});
