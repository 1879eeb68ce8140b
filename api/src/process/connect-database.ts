import { findRunningPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { makeDataFolder } from '@parts-forge/embedded-postgres/data-folder';
import { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';
import type pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { explainPostgresError } from './explain-postgres-error.ts';

/** The database while the shop runs on it. */
export interface ConnectedDatabase {
  database: Database;
  /** Settles when the shop's own PostgreSQL dies again and again; never for one of the owner's choice. */
  failure: Promise<string>;
  /** Closes the pool, then the shop's own PostgreSQL. */
  close(): Promise<void>;
}

export interface DatabaseListeners {
  log(line: string): void;
  onProgress(text: string): void;
  /** Idle connections that broke. */
  onError(error: Error): void;
  /** How the shop's own PostgreSQL ended unasked, as a few words; it is started again. */
  onDeath(how: string): void;
}

/**
 * What the shop's own PostgreSQL is called. Existing data folders were made under these names and need them.
 */
export const embeddedNames = { user: 'shop', database: 'shop', socketFolderPrefix: 'parts-forge-' } as const;

const oldestSupported = 150_000;

/**
 * The database that `DATABASE_URL` names, else the shop's own.
 * @throws StartError when it cannot be reached or is too old
 */
export async function connectDatabase(
  config: Config,
  listeners: DatabaseListeners,
): Promise<ConnectedDatabase> {
  try {
    if (config.databaseUrl === null) return await startEmbedded(config, listeners);
    makeDataFolder(config.dataDir);
    return await connectToUrl(config.databaseUrl, config, listeners);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) {
      throw new StartError(explainPostgresError(error), { cause: error });
    }
    throw error;
  }
}

/**
 * For a command: the PostgreSQL of the shop that runs on the data folder, else the same one that a start would use.
 * @throws StartError as `connectDatabase` does
 */
export async function connectBesideShop(
  config: Config,
  say: (text: string) => void,
): Promise<ConnectedDatabase> {
  const onError = (error: Error) => say(error.message);
  const running =
    config.databaseUrl === null ? findRunningPostgres(config.dataDir, embeddedNames) : undefined;
  if (!running) {
    return connectDatabase(config, { log: () => {}, onProgress: say, onError, onDeath: () => {} });
  }
  const database = openDatabase(running, config, onError);
  return { database, failure: new Promise(() => {}), close: () => database.close() };
}

/**
 * For a process beside the one that has connected: a pool of its own, without asking anything yet.
 * @param embedded the shop's own PostgreSQL; null: the one that `DATABASE_URL` names
 */
export function joinDatabase(
  config: Config,
  embedded: pg.PoolConfig | null,
  onError: (error: Error) => void,
): Database {
  return openDatabase(embedded ?? { connectionString: config.databaseUrl ?? '' }, config, onError);
}

async function connectToUrl(
  databaseUrl: string,
  config: Config,
  { onError }: DatabaseListeners,
): Promise<ConnectedDatabase> {
  const database = openDatabase({ connectionString: databaseUrl }, config, onError);
  try {
    await checkAnswer(database.pool, databaseUrl);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, failure: new Promise(() => {}), close: () => database.close() };
}

async function startEmbedded(
  config: Config,
  { log, onProgress, onError, onDeath }: DatabaseListeners,
): Promise<ConnectedDatabase> {
  let isClosing = false;
  // While PostgreSQL stops, connections report that they end, which is no failure.
  const whileOpen =
    <T>(listener: (fact: T) => void) =>
    (fact: T) => {
      if (!isClosing) listener(fact);
    };
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    ...embeddedNames,
    log: whileOpen(log),
    onProgress,
    onDeath,
  });
  const database = openDatabase(postgres.connection, config, whileOpen(onError));
  const close = async () => {
    isClosing = true;
    await database.close();
    await postgres.stop();
  };
  return { database, failure: postgres.failure, close };
}

async function checkAnswer(pool: pg.Pool, databaseUrl: string): Promise<void> {
  // The address without its password, which must not end up on a screen or in a log.
  const { host, pathname } = new URL(databaseUrl);
  let version: number;
  try {
    const { rows } = await pool.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    version = rows[0]?.version ?? 0;
  } catch (error) {
    throw new StartError(`DATABASE_URL does not answer at ${host}${pathname}: ${readReason(error)}`);
  }
  if (version < oldestSupported) {
    throw new StartError(
      `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; 15 is the oldest.`,
    );
  }
}

/** The reason of a failure; of the last one where several addresses were tried. */
function readReason(error: unknown): string {
  if (error instanceof AggregateError) return readReason(error.errors.at(-1));
  return error instanceof Error ? error.message : String(error);
}
