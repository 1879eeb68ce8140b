import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#src/app.ts';
import { seedDemo } from '#src/demo/seed.ts';
import { ensureFirstAdmin } from '#src/identity/administrators.ts';
import { countStrayPayments } from '#src/payments/store.ts';
import { describePayments } from '#src/platform/core/config/payments.ts';
import type { Config } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { takeOver } from '#src/platform/database/instance.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { isDatabaseUnavailable } from '#src/platform/database/unavailable.ts';
import { createServices } from '#src/services.ts';
import { listen } from './listen.ts';
import { runOutOfPatience } from './patience.ts';

/** Answers that are being given when the shop is told to end may take this long; less when its launcher is gone. */
const GRACE = { patienceMs: 10_000, abandonedMs: 3_000 };

const RETRY_MS = 500;

/** Why the shop may have to end. */
export interface Endings {
  /** It is asked to end, or abandoned. */
  termination: AbortSignal;
  /** Its launcher is gone. */
  abandonment: AbortSignal;
}

export interface Opening extends Endings {
  config: Config;
  database: Database;
  /** Takes how to close each thing that is opened; the last one is closed first. */
  opened: AsyncDisposableStack;
  /** Puts a restored shop in the place of the one that was backed up. */
  takesOver: boolean;
  say(text: string): void;
}

/**
 * Opens the shop on a database that answers, and returns when it serves.
 * @throws StartError when the port cannot be had; the signal's reason when the end comes first
 */
export async function openShop({
  config,
  database,
  opened,
  termination,
  abandonment,
  takesOver,
  say,
}: Opening): Promise<void> {
  const log = createLog(config.logLevel);
  const persist = (work: () => Promise<void>) => retryWhileUnavailable(work, { termination, say });
  await persist(() => migrate(database));
  if (takesOver) await persist(async () => say(describeTakeOver(await takeOver(database.db))));
  if (config.seed === 'demo') await persist(() => seedDemo(config, database));
  termination.throwIfAborted();

  const services = await createServices(config, database, log);
  opened.defer(() => services.close());
  const administrator = await ensureFirstAdmin(config, services);
  if (administrator) say(describeSignIn(administrator));
  termination.throwIfAborted();

  const app = await buildApp(services);
  let stopJobs = async () => {};
  opened.defer(() => stopJobs());
  opened.defer(() =>
    closeServer(app, config.livePages ? Promise.resolve() : runOutOfPatience(abandonment, GRACE)),
  );
  say(describePayments(config));
  if (services.copiedAt !== null) say(describeCopy(services.copiedAt));
  await persist(async () => {
    const strays = await countStrayPayments(database.db);
    if (strays > 0) say(describeStrays(strays));
  });
  say(`The shop is open at ${await listen(app, config)}`);
  services.mailer.start();
  // Loaded only now: nobody waits for it.
  const [{ runJobs }, { listJobs }] = await Promise.all([
    import('#src/platform/jobs/run-jobs.ts'),
    import('#src/jobs.ts'),
  ]);
  await persist(async () => {
    stopJobs = await runJobs(services, listJobs(services));
  });
}

/** The database may go away while the shop opens, as at any other time; each step may be repeated. */
async function retryWhileUnavailable(
  work: () => Promise<void>,
  { termination, say }: Pick<Opening, 'termination' | 'say'>,
): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      termination.throwIfAborted();
      if (!isDatabaseUnavailable(error)) throw error;
      say('The database went away while the shop was opening; waiting for it …');
      await wait(RETRY_MS);
    }
  }
}

const describeTakeOver = (isDone: boolean): string =>
  isDone
    ? 'This shop has taken the place of the one that was backed up, and finishes its refunds.'
    : 'There is nothing to take over: this shop was not restored from a backup, or has taken over before.';

const describeCopy = (copiedAt: Date): string =>
  `This shop was restored from the backup of ${copiedAt.toISOString()}. It gives no money of that shop back before it ` +
  'is started once with: npm start -- --take-over';

const describeStrays = (count: number): string =>
  `Warning: ${count} payments belong to no order of this shop; table stray_payments has them. See docs/backup.md.`;

/** Shown once: a password that was made up is stored as its hash alone. */
function describeSignIn({ email, password }: { email: string; password: string | null }): string {
  if (password === null) return `The first administrator signs in as ${email} with ADMIN_PASSWORD.`;
  return `The first administrator signs in as ${email} with the password ${password} (shown only this once).`;
}

/** Fastify finishes the answers it has begun; whoever takes longer is cut off. In development nobody is waited for. */
async function closeServer(app: FastifyInstance, graceIsOver: Promise<void>): Promise<void> {
  graceIsOver.then(() => app.server.closeAllConnections());
  // Browsers leave connections open for a next request, and closing would wait for those.
  const tidyUp = setInterval(() => app.server.closeIdleConnections(), 100);
  await app.close();
  clearInterval(tidyUp);
}
