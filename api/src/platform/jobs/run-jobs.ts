import { randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Platform } from '#src/platform/platform.ts';

/** Regular work. It may run at any time and be repeated. */
export interface Job {
  name: string;
  /** When, in UTC. */
  cron: string;
  run(): Promise<unknown>;
}

/**
 * Does regular work from now on, and once at the start. However many processes share the database, one of them does each round.
 * @returns how to stop: work that has begun is finished first
 */
export async function runJobs(
  { database, log }: Pick<Platform, 'database' | 'log'>,
  jobs: readonly Job[],
): Promise<() => Promise<void>> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    schema: 'jobs',
  });
  boss.on('error', (error) => log.error({ err: error }, 'the jobs have a problem'));
  await boss.start();
  for (const { name, cron, run } of jobs) {
    // Rounds that pile up while one takes long would find nothing to do.
    await boss.createQueue(name, { policy: 'exclusive', retryLimit: 0, expireInSeconds: 600 });
    await boss.schedule(name, cron, null, { tz: 'UTC' });
    // What was left undone while the shop was closed.
    await boss.send(name);
    await boss.work(name, { pollingIntervalSeconds: 15 }, () =>
      requestContext.run({ requestId: randomUUID() }, async () => {
        const result = await run();
        log.debug({ job: name, result }, 'job done');
      }),
    );
  }
  return () => boss.stop({ graceful: true, close: false, timeout: 5_000 });
}
