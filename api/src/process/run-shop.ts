import { setTimeout as wait } from 'node:timers/promises';
import { type Config, readConfig } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { type ConnectedDatabase, connectDatabase } from './connect-database.ts';
import { assertPortIsFree } from './listen.ts';

/**
 * The shop from its settings to its last answer: database, tables, demo shop, first administrator, calls and
 * pages, then the wait for `termination`, then everything closed in the opposite order.
 *
 * @returns the status for the process to end with
 */
export async function runShop(env: NodeJS.ProcessEnv, termination: AbortSignal): Promise<number> {
  const opened = new AsyncDisposableStack();
  let status = 0;
  try {
    await openAndWait(readConfig(env), termination, opened);
  } catch (error) {
    if (!termination.aborted) {
      say(explain(error));
      status = 1;
    }
  }
  await opened.disposeAsync().catch((error: unknown) => say(explain(error)));
  return status;
}

async function openAndWait(
  config: Config,
  termination: AbortSignal,
  opened: AsyncDisposableStack,
): Promise<void> {
  await assertPortIsFree(config);
  // The code of the rest is read while PostgreSQL starts.
  const [connection, { openShop }] = await Promise.all([connect(config, opened), import('./open-shop.ts')]);
  const exit = failOnExit(connection);
  try {
    await Promise.race([openShop({ config, database: connection.database, opened, termination, say }), exit]);
  } catch (error) {
    // When PostgreSQL dies, a broken connection may be heard of first.
    await Promise.race([exit, wait(500)]);
    throw error;
  }
  await Promise.race([waitForAbort(termination), exit]);
  say('Closing the shop.');
}

async function connect(config: Config, opened: AsyncDisposableStack): Promise<ConnectedDatabase> {
  const connection = await connectDatabase(config, {
    // A statement's error is logged, if it matters, by who made the statement.
    log: (line) => {
      if (/ (FATAL|PANIC): /.test(line)) say(`PostgreSQL: ${line}`);
    },
    onProgress: (text) => say(`${text} …`),
    onError: (error) => say(`The database broke an idle connection: ${error.message}`),
  });
  opened.defer(() => connection.close());
  return connection;
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function failOnExit({ unexpectedExit }: ConnectedDatabase): Promise<never> {
  throw new StartError(`PostgreSQL ended unexpectedly (${await unexpectedExit}); the shop closes.`);
}

function explain(error: unknown): string {
  if (error instanceof SuppressedError) return `${explain(error.error)}\n${explain(error.suppressed)}`;
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** For the person who starts the shop, apart from the log on standard output. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
