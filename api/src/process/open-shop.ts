import { buildApp } from '#src/app.ts';
import { isSeedingDue } from '#src/demo/beginning.ts';
import type { DemoSignIn } from '#src/demo/seed-demo.ts';
import { ensureFirstAdmin, type FirstSignIn } from '#src/identity/administrators.ts';
import { countStrayPayments } from '#src/payments/store.ts';
import { systemClock } from '#src/platform/core/clock.ts';
import type { FirebaseSettings } from '#src/platform/core/config/firebase.ts';
import { describePayments } from '#src/platform/core/config/payments.ts';
import type { Config } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { createServices, type Services } from '#src/services.ts';
import { startEvents } from '#src/webhooks/send-webhooks.ts';
import { closeServer } from './close-server.ts';
import { gatherFigures, giveFigures } from './gather-figures.ts';
import { listen } from './listen.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

export interface Endings {
  /** Shutdown is requested, or the launcher is gone. */
  termination: AbortSignal;
  /** The launcher is gone. */
  abandonment: AbortSignal;
}

export interface Opening extends Endings {
  config: Config;
  database: Database;
  /** Runs in reverse order. */
  opened: AsyncDisposableStack;
  worker?: number;
  /** Prints the notes for the operator. */
  speaks: boolean;
  /** Called once the shop serves. */
  announce(address: string): void;
  say(text: string): void;
}

/**
 * Returns once the jobs run.
 * @throws StartError when the port is busy; the signal's reason
 */
export async function openShop(opening: Opening): Promise<void> {
  const { config, database, opened, termination, worker, say } = opening;
  const log = createLog(config.logLevel);
  const services = worker
    ? await createServices(config, database, log.child({ worker }), systemClock, gatherFigures)
    : await createServices(config, database, log);
  opened.defer(() => services.close());
  await ensureFirstAdmin(config, services, (signIn) => say(describeSignIn(signIn, config)));
  termination.throwIfAborted();
  if (await isSeedingDue(config, database.db)) {
    const { seedDemo } = await import('#src/demo/seed-demo.ts');
    await seedDemo(services, (customer) => say(describeCustomer(customer)));
  }
  if (config.firebase) say(describeFirebase(config.firebase));
  termination.throwIfAborted();

  const app = await buildApp(services);
  let stopJobs = async () => {};
  opened.defer(() => stopJobs());
  opened.defer(() => closeServer(app, config, opening));
  if (opening.speaks) await describeShop(services, opening);
  opening.announce(await listen(app, config));
  if (worker && services.metrics) giveFigures(services.metrics);
  services.mailer.start();
  opened.defer(startEvents(services));
  // Loaded late: no request waits for it.
  const [{ runJobs }, { listJobs }] = await Promise.all([
    import('#src/platform/jobs/run-jobs.ts'),
    import('#src/jobs.ts'),
  ]);
  stopJobs = await retryWhileUnavailable(() => runJobs(services, listJobs(services)), opening);
}

async function describeShop({ copiedAt }: Services, opening: Opening): Promise<void> {
  const { config, database, say } = opening;
  say(describePayments(config));
  if (copiedAt !== null) say(describeCopy(copiedAt));
  const strays = await retryWhileUnavailable(() => countStrayPayments(database.db), opening);
  if (strays > 0) say(describeStrays(strays));
}

const describeCopy = (copiedAt: Date): string =>
  `This shop was restored from the backup of ${copiedAt.toISOString()}. It takes no keys, sends no webhooks and gives no money ` +
  'of that shop back before it is started once with: npm start -- --take-over';

const describeStrays = (count: number): string =>
  `Warning: ${count} payments belong to no order of this shop; table stray_payments has them. See docs/guides/backup.md.`;

const describeFirebase = ({ projectId, serviceAccount }: FirebaseSettings): string =>
  `Sign-in: the Firebase project ${projectId}. ` +
  (serviceAccount
    ? 'The accounts of removed people are deleted there too.'
    : 'The accounts of removed people stay there, as FIREBASE_SERVICE_ACCOUNT is not set.');

/** Printed once: only the hash of the password is stored. */
function describeSignIn({ email, password }: FirstSignIn, { firebase }: Pick<Config, 'firebase'>): string {
  if (firebase) return `The first account that proves ${email} by signing in becomes the administrator.`;
  if (password === null) return `The first administrator signs in as ${email} with ADMIN_PASSWORD.`;
  return `The first administrator signs in as ${email} with the password ${password} (shown only this once).`;
}

const describeCustomer = ({ email, password }: DemoSignIn): string =>
  `A customer of the demonstration signs in as ${email} with the password ${password} (shown only this once).`;
