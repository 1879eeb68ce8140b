import { type Config, readConfig } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { isDatabaseUnavailable } from '#src/platform/database/unavailable.ts';
import { type ConnectedDatabase, connectDatabase } from './connect-database.ts';
import { assertPortIsFree } from './listen.ts';
import type { Endings, Opening } from './open-shop.ts';
import { runOutOfPatience, waitForAbort } from './patience.ts';

const TAKE_OVER = '--take-over';

/** When the shop is to end it does, whatever hangs; what it leaves behind ends with its process. */
export const ENDING = { patienceMs: 25_000, abandonedMs: 4_000 };

/**
 * The shop from its settings to its last answer: database, tables, demo shop, first administrator, calls and
 * pages, then the wait for its end, then everything closed in the opposite order.
 *
 * @param args `--take-over` puts a restored shop in the place of the one that was backed up
 * @returns the status for the process to end with
 */
export async function runShop(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  endings: Endings,
): Promise<number> {
  const { termination, abandonment } = endings;
  const tooLate = waitForAbort(termination).then(() => runOutOfPatience(abandonment, ENDING));
  return Promise.race([openServeAndClose(env, args, endings), tooLate.then(() => 1)]);
}

async function openServeAndClose(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  endings: Endings,
): Promise<number> {
  const opened = new AsyncDisposableStack();
  let status = 0;
  try {
    await openAndServe(readConfig(env), { ...endings, takesOver: readTakesOver(args) }, opened);
  } catch (error) {
    if (!endings.termination.aborted) {
      say(explain(error));
      status = 1;
    }
  }
  await opened.disposeAsync().catch((error: unknown) => say(explain(error)));
  return status;
}

/** @throws StartError for anything else than `--take-over` */
function readTakesOver(args: readonly string[]): boolean {
  const unknown = args.find((arg) => arg !== TAKE_OVER);
  if (unknown !== undefined) {
    throw new StartError(`${unknown} is no option of npm start; ${TAKE_OVER} is the only one.`);
  }
  return args.length > 0;
}

async function openAndServe(
  config: Config,
  how: Endings & Pick<Opening, 'takesOver'>,
  opened: AsyncDisposableStack,
): Promise<void> {
  await assertPortIsFree(config);
  // The code of the rest is read while PostgreSQL starts.
  const [reached, { openShop }] = await Promise.all([connect(config, opened), import('./open-shop.ts')]);
  const failure = throwOnFailure(reached);
  await Promise.race([openShop({ config, database: reached.database, opened, ...how, say }), failure]);
  await Promise.race([waitForAbort(how.termination), failure]);
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
    onDeath: (how) => say(`PostgreSQL ended unexpectedly (${how}); it is started again.`),
  });
  opened.defer(() => connection.close());
  return connection;
}

async function throwOnFailure(reached: ConnectedDatabase): Promise<never> {
  const how = await reached.failure;
  throw new StartError(`PostgreSQL ends again and again (${how}); the shop closes.`);
}

function explain(error: unknown): string {
  if (error instanceof SuppressedError) return `${explain(error.error)}\n${explain(error.suppressed)}`;
  if (error instanceof StartError) return error.message;
  if (isDatabaseUnavailable(error))
    return `The database went away while the shop was starting: ${String(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** For the person who starts the shop, apart from the log on standard output. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
