import { PgBoss } from 'pg-boss';
import { purgeExpired } from '#src/identity/purge-expired.ts';
import { forgetEvents } from '#src/payments/prune-events.ts';
import { reconcile } from '#src/payments/reconcile.ts';
import type { Services } from '#src/services.ts';

interface Job {
  name: string;
  /** In UTC. */
  cron: string;
  work(services: Services): Promise<unknown>;
}

/** What the shop does by the clock, and once when it starts. Each may run at any time and be repeated. */
const jobs: readonly Job[] = [
  { name: 'reconcile-payments', cron: '* * * * *', work: reconcile },
  { name: 'purge-expired', cron: '17 * * * *', work: purgeExpired },
  { name: 'forget-events', cron: '37 3 * * *', work: forgetEvents },
];

/**
 * Does the shop's regular work from now on. However many processes share the database, one of them does each round.
 * @returns how to stop: work that has begun is finished first
 */
export async function runJobs(services: Services): Promise<() => Promise<void>> {
  const { database, log } = services;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    schema: 'jobs',
  });
  boss.on('error', (error) => log.error({ err: error }, 'the jobs have a problem'));
  await boss.start();
  for (const { name, cron, work } of jobs) {
    // Rounds that pile up while one takes long would find nothing to do.
    await boss.createQueue(name, { policy: 'exclusive', retryLimit: 0, expireInSeconds: 600 });
    await boss.schedule(name, cron, null, { tz: 'UTC' });
    // What was left undone while the shop was closed.
    await boss.send(name);
    await boss.work(name, { pollingIntervalSeconds: 15 }, async () => {
      const result = await work(services);
      log.debug({ job: name, result }, 'job done');
    });
  }
  return () => boss.stop({ graceful: true, close: false, timeout: 5_000 });
}
