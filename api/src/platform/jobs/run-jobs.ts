import { setTimeout as wait } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { requestContext } from '#src/platform/core/request-context.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { withSetupLock } from '#src/platform/database/migrate.ts';
import type { Platform } from '#src/platform/platform.ts';
import { measureJobs } from './measure-jobs.ts';

const QUEUE_TIMEOUT_MS = 600_000;
const STOP_TIMEOUT_MS = 6_000;

export const QUEUE_SCHEMA = 'jobs';

/** Runs at any time, repeatedly. */
export interface Job {
  name: string;
  /** Its times are in UTC. */
  cron: string;
  run(): Promise<unknown>;
}

/** Each round runs in one process. The returned function stops after the current work. */
export async function runJobs(
  platform: Pick<Platform, 'database' | 'log' | 'metrics'>,
  jobs: readonly Job[],
): Promise<() => Promise<void>> {
  const { database, log } = platform;
  // The queue migrates its own tables, which no request timeout may cut off.
  const queue = openDatabase(
    { ...database.connection, max: 2 },
    { statementTimeoutMs: QUEUE_TIMEOUT_MS, connectionTimeoutMs: 10_000 },
    (error) => log.warn({ err: error }, 'a connection of the jobs broke'),
  );
  const boss = new PgBoss({
    db: { executeSql: (text, values) => queue.pool.query(text, values) },
    schema: QUEUE_SCHEMA,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the jobs have a problem'));
  const stop = async () => {
    const stopping = boss.stop({ graceful: true, close: false, timeout: 5_000 });
    stopping
      .then(() => queue.close())
      .catch((error: unknown) => log.warn({ err: error }, 'the jobs stopped badly'));
    // The database may hang.
    await Promise.race([stopping, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  };
  try {
    await boss.start();
    // Two processes that start together would replace each other's queues.
    await withSetupLock(queue, () => prepareQueues(boss, jobs));
    await work(boss, jobs, platform);
    return stop;
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/**
 * At most one round waits, as piled-up rounds would find nothing to do. A killed process's round does not
 * block the next.
 */
const POLICY = 'short';

async function prepareQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  // Jobs of former versions.
  for (const { name } of await boss.getSchedules())
    if (!jobs.some((job) => job.name === name)) await boss.unschedule(name);
  for (const { name, cron } of jobs) {
    // Queues keep their policy, and former versions used another one.
    const existing = await boss.getQueue(name);
    if (existing && existing.policy !== POLICY) await boss.deleteQueue(name);
    await boss.createQueue(name, { policy: POLICY, retryLimit: 0, expireInSeconds: 600 });
    await boss.schedule(name, cron, null, { tz: 'UTC' });
  }
}

async function work(
  boss: PgBoss,
  jobs: readonly Job[],
  platform: Pick<Platform, 'log' | 'metrics'>,
): Promise<void> {
  const runRound = createRunner(
    platform,
    jobs.map(({ name }) => name),
  );
  for (const job of jobs) {
    // Catches up on missed work.
    await boss.send(job.name);
    await boss.work(job.name, { pollingIntervalSeconds: 15 }, () =>
      requestContext.runAsSystem(() => runRound(job)),
    );
  }
}

/** The queue itself does not report failures. */
function createRunner(
  { log, metrics }: Pick<Platform, 'log' | 'metrics'>,
  names: readonly string[],
): (job: Job) => Promise<void> {
  const note = metrics ? measureJobs(metrics, names) : null;
  return async ({ name, run }) => {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    try {
      const result = await run();
      note?.(name, 'done', seconds());
      log.debug({ job: name, result }, 'job done');
    } catch (error) {
      note?.(name, 'failed', seconds());
      log.error({ err: error, job: name }, 'a round of the regular work failed');
      throw error;
    }
  };
}
