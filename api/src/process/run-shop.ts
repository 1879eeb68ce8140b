import { type Config, readConfig } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { type ConnectedDatabase, connectDatabase } from './connect-database.ts';
import { findPort } from './listen.ts';
import type { Endings, Opening } from './open-shop.ts';
import { runOutOfPatience, waitForAbort } from './patience.ts';
import { explainError, say } from './say.ts';
import { type LastNumbers, readTakeOver } from './take-over.ts';

export const ENDING = { patienceMs: 25_000, abandonedMs: 4_000 };

/**
 * @param args may have `--take-over`: see `readTakeOver`
 * @returns the exit status
 */
export async function runShop(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  endings: Endings,
): Promise<number> {
  const opened = new AsyncDisposableStack();
  let drainMs = 0;
  const openAndServe = async () => {
    const config = readConfig(env);
    drainMs = config.drainMs;
    await prepareAndServe(config, { ...endings, takeOver: readTakeOver(args) }, opened);
  };
  return endInTime(serveAndClose(openAndServe, opened, endings), endings, () => drainMs);
}

/** Returns the exit status. */
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

/** @param readDrainMs extra time for draining, read at shutdown */
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
  // An external server starts without this process, so loading begins at once.
  if (config.databaseUrl !== null) wait.resolve();
  const connecting = connect(config, wait.resolve);
  // Registered at once, to stop a starting PostgreSQL even if loading fails.
  opened.defer(async () => {
    const connection = await connecting.catch(() => null);
    await connection?.close();
  });
  // Loading blocks this process, so it waits until PostgreSQL is starting.
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

type Serve = (opening: Opening) => Promise<void>;

async function loadShop(): Promise<Serve> {
  const { openShop } = await import('./open-shop.ts');
  return async (opening) => {
    await openShop(opening);
    await waitForAbort(opening.termination);
  };
}

async function loadWorkers(port: number): Promise<Serve> {
  const { superviseWorkers } = await import('./supervise-workers.ts');
  return (opening) => superviseWorkers(opening, port);
}

const announce = (address: string) => say(`The shop is open at ${address}`);

const connect = (config: Config, onWait: () => void): Promise<ConnectedDatabase> =>
  connectDatabase(config, {
    // Callers log their statement errors, so print only fatal lines.
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
