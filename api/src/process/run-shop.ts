import { type Config, describeFormerSettings, readConfig } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { type ConnectedDatabase, connectDatabase } from './connect-database.ts';
import { findPort } from './listen.ts';
import type { Endings, Opening } from './open-shop.ts';
import { runOutOfPatience, waitForAbort } from './patience.ts';
import { explainError, say } from './say.ts';
import { type LastNumbers, readTakeOver } from './take-over.ts';

/** When the shop is to end it does, whatever hangs; what it leaves behind ends with its process. */
export const ENDING = { patienceMs: 25_000, abandonedMs: 4_000 };

/**
 * The shop from its settings to its last answer: database, tables, demo shop, first administrator, calls and
 * pages, then the wait for its end, then everything closed in the opposite order.
 *
 * @param args `--take-over` puts a restored shop in the place of the one that was backed up: see `readTakeOver`
 * @returns the status for the process to end with
 */
export async function runShop(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  endings: Endings,
): Promise<number> {
  const opened = new AsyncDisposableStack();
  let drainMs = 0;
  const openAndServe = async () => {
    for (const sentence of describeFormerSettings(env)) say(sentence);
    const config = readConfig(env);
    drainMs = config.drainMs;
    await prepareAndServe(config, { ...endings, takeOver: readTakeOver(args) }, opened);
  };
  return endInTime(serveAndClose(openAndServe, opened, endings), endings, () => drainMs);
}

/**
 * Serves until the end, then closes what was opened. What goes wrong is told in a sentence.
 * @returns the status for the process to end with
 */
export async function serveAndClose(
  serve: () => Promise<void>,
  opened: AsyncDisposableStack,
  { termination }: Pick<Endings, 'termination'>,
): Promise<number> {
  let status = 0;
  try {
    await serve();
  } catch (error) {
    if (!termination.aborted) {
      say(explainError(error));
      status = 1;
    }
  }
  await opened.disposeAsync().catch((error: unknown) => say(explainError(error)));
  return status;
}

/** @param readDrainMs how much longer a shop may take that serves on at first; asked when it is told to end */
export function endInTime(
  status: Promise<number>,
  { termination, abandonment }: Endings,
  readDrainMs: () => number,
): Promise<number> {
  const tooLate = waitForAbort(termination).then(() =>
    runOutOfPatience(abandonment, { ...ENDING, patienceMs: ENDING.patienceMs + readDrainMs() }),
  );
  return Promise.race([status, tooLate.then(() => 1)]);
}

async function prepareAndServe(
  config: Config,
  how: Endings & { takeOver: LastNumbers | null },
  opened: AsyncDisposableStack,
): Promise<void> {
  const port = await findPort(config);
  const wait = Promise.withResolvers<void>();
  // A server of the owner's choice is only asked, which leaves time.
  if (config.databaseUrl !== null) wait.resolve();
  const connecting = connect(config, wait.resolve);
  // At once, so that a PostgreSQL on its way is stopped, too, where reading the code fails.
  opened.defer(async () => {
    const connection = await connecting.catch(() => null);
    await connection?.close();
  });
  // The code of the rest is read while PostgreSQL starts, and not before: reading it keeps this process from all else.
  await Promise.race([wait.promise, connecting]);
  const [reached, serve, { prepareDatabase }] = await Promise.all([
    connecting,
    config.workers === 1 ? loadShop() : loadWorkers(port),
    import('./prepare-database.ts'),
  ]);
  const { database } = reached;
  const served = async () => {
    await prepareDatabase({ config, database, ...how, say });
    await serve({ config, database, opened, ...how, speaks: true, announce, say });
  };
  await Promise.race([served(), throwOnFailure(reached)]);
  say('Closing the shop.');
}

/** Opens the shop and lasts until it is told to end. */
type Serve = (opening: Opening) => Promise<void>;

/** The shop in this process. */
async function loadShop(): Promise<Serve> {
  const { openShop } = await import('./open-shop.ts');
  return async (opening) => {
    await openShop(opening);
    await waitForAbort(opening.termination);
  };
}

/** The shop in several processes, which this one watches. */
async function loadWorkers(port: number): Promise<Serve> {
  const { superviseWorkers } = await import('./supervise-workers.ts');
  return (opening) => superviseWorkers(opening, port);
}

const announce = (address: string) => say(`The shop is open at ${address}`);

const connect = (config: Config, onWait: () => void): Promise<ConnectedDatabase> =>
  connectDatabase(config, {
    // A statement's error is logged, if it matters, by who made the statement.
    log: (line) => {
      if (/ (FATAL|PANIC): /.test(line)) say(`PostgreSQL: ${line}`);
    },
    onProgress: (text) => say(`${text} …`),
    onError: (error) => say(`The database broke an idle connection: ${error.message}`),
    onDeath: (how) => say(`PostgreSQL ended unexpectedly (${how}); it is started again.`),
    onWait,
  });

async function throwOnFailure(reached: ConnectedDatabase): Promise<never> {
  const how = await reached.failure;
  throw new StartError(`PostgreSQL ends again and again (${how}); the shop closes.`);
}
