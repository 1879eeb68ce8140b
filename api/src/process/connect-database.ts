import { startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { makeDataFolder } from '@parts-forge/embedded-postgres/data-folder';
import { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';
import type pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { explainPostgresError } from './explain-postgres-error.ts';

/** The database while the shop runs on it. */
export interface ReachedDatabase {
  database: Database;
  /** Settles when the shop's own PostgreSQL ends unasked; never for one of the owner's choice. */
  died: Promise<string>;
  /** Closes the pool, then the shop's own PostgreSQL. */
  close(): Promise<void>;
}

export interface DatabaseListeners {
  log(line: string): void;
  onProgress(text: string): void;
  /** Idle connections that broke. */
  onError(error: Error): void;
}

/**
 * What the shop's own PostgreSQL is called. Existing data folders were made under these names and are found under no
 * others.
 */
export const embeddedNames = { user: 'shop', database: 'shop', socketFolderPrefix: 'parts-forge-' } as const;

const oldestSupported = 150_000;

/**
 * The database that `DATABASE_URL` names, else the shop's own.
 * @throws StartError when it cannot be reached or is too old
 */
export async function reachDatabase(config: Config, listeners: DatabaseListeners): Promise<ReachedDatabase> {
  try {
    if (config.databaseUrl === null) return await startEmbedded(config, listeners);
    makeDataFolder(config.dataDir);
    return await connectTo(config.databaseUrl, listeners);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) {
      throw new StartError(explainPostgresError(error), { cause: error });
    }
    throw error;
  }
}

async function connectTo(databaseUrl: string, { onError }: DatabaseListeners): Promise<ReachedDatabase> {
  const database = openDatabase({ connectionString: databaseUrl }, onError);
  try {
    await checkAnswer(database.pool, databaseUrl);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, died: new Promise(() => {}), close: () => database.close() };
}

async function startEmbedded(
  { dataDir }: Config,
  { log, onProgress, onError }: DatabaseListeners,
): Promise<ReachedDatabase> {
  let isClosing = false;
  // A connection may still be saying goodbye when PostgreSQL stops; nobody needs to hear of that.
  const whileOpen =
    <T>(listener: (fact: T) => void) =>
    (fact: T) => {
      if (!isClosing) listener(fact);
    };
  const postgres = await startEmbeddedPostgres({
    dataDir,
    ...embeddedNames,
    log: whileOpen(log),
    onProgress,
  });
  const database = openDatabase(postgres.connection, whileOpen(onError));
  const close = async () => {
    isClosing = true;
    await database.close();
    await postgres.stop();
  };
  return { database, died: postgres.unexpectedExit, close };
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
    throw new StartError(`DATABASE_URL does not answer at ${host}${pathname}: ${reason(error)}`);
  }
  if (version < oldestSupported) {
    throw new StartError(
      `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; 15 is the oldest.`,
    );
  }
}

/** Several addresses may have been tried: then the last failure speaks for all. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors.at(-1));
  return error instanceof Error ? error.message : String(error);
}
