import { setTimeout as wait } from 'node:timers/promises';
import { type Config, readConfig } from '#src/platform/config.ts';
import { StartError } from '#src/platform/start-error.ts';
import { type ReachedDatabase, reachDatabase } from './connect-database.ts';
import { assertPortIsFree } from './listen.ts';

/** Closes one thing. What was opened last is closed first. */
export type Close = () => Promise<void>;

/**
 * The shop from its settings to its last answer: database, tables, demo shop, first administrator, calls and
 * pages, then the wait for `ending`, then everything closed in the opposite order.
 *
 * @returns the status for the process to end with
 */
export async function runShop(env: NodeJS.ProcessEnv, ending: AbortSignal): Promise<number> {
  const closes: Close[] = [];
  try {
    await openAndWait(readConfig(env), ending, closes);
    return 0;
  } catch (error) {
    if (ending.aborted) return 0;
    say(inWords(error));
    return 1;
  } finally {
    for (const close of closes.reverse()) await close().catch((error: unknown) => say(inWords(error)));
  }
}

async function openAndWait(config: Config, ending: AbortSignal, closes: Close[]): Promise<void> {
  await assertPortIsFree(config);
  // The code of the rest is read while PostgreSQL starts.
  const [reached, { openShop }] = await Promise.all([openDatabase(config, closes), import('./open-shop.ts')]);
  const died = failWhenDied(reached);
  try {
    await Promise.race([openShop({ config, database: reached.database, closes, ending, say }), died]);
  } catch (error) {
    // When PostgreSQL dies, a broken connection may be heard of first.
    await Promise.race([died, wait(500)]);
    throw error;
  }
  await Promise.race([aborted(ending), died]);
  say('Closing the shop.');
}

async function openDatabase(config: Config, closes: Close[]): Promise<ReachedDatabase> {
  const reached = await reachDatabase(config, {
    // A statement's error is logged, if it matters, by who made the statement.
    log: (line) => {
      if (/ (FATAL|PANIC): /.test(line)) say(`PostgreSQL: ${line}`);
    },
    onProgress: (text) => say(`${text} …`),
    onError: (error) => say(`The database broke an idle connection: ${error.message}`),
  });
  closes.push(reached.close);
  return reached;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function failWhenDied(reached: ReachedDatabase): Promise<never> {
  throw new StartError(`PostgreSQL ended unexpectedly (${await reached.died}); the shop closes.`);
}

function inWords(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** For the person who starts the shop, apart from the log on standard output. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
