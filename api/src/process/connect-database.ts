import type pg from 'pg';
import { startEmbeddedPostgres } from '#src/db/embedded/embedded-postgres.ts';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { makeDataFolder } from './data-folder.ts';

/** The database while the shop runs on it. */
export interface ReachedDatabase {
  database: Database;
  /** Settles when the shop's own PostgreSQL ends unasked; never for one of the owner's choice. */
  died: Promise<string>;
  /** Closes the pool, then the shop's own PostgreSQL. */
  close(): Promise<void>;
}

export interface DatabaseEars {
  log(line: string): void;
  onProgress(text: string): void;
  /** Idle connections that broke. */
  onError(error: Error): void;
}

const oldestSupported = 150_000;

/**
 * The database that `DATABASE_URL` names, else the shop's own.
 * @throws StartError when it cannot be reached or is too old
 */
export async function reachDatabase(config: Config, ears: DatabaseEars): Promise<ReachedDatabase> {
  if (config.databaseUrl !== null) {
    makeDataFolder(config.dataDir);
    const database = openDatabase({ connectionString: config.databaseUrl }, ears.onError);
    try {
      await checkAnswer(database.pool, config.databaseUrl);
    } catch (error) {
      await database.close();
      throw error;
    }
    return { database, died: new Promise(() => {}), close: () => database.close() };
  }
  return startOurs(config, ears);
}

async function startOurs(config: Config, ears: DatabaseEars): Promise<ReachedDatabase> {
  let isClosing = false;
  // A connection may still be saying goodbye when PostgreSQL stops; nobody needs to hear of that.
  const whileOpen =
    <T>(hear: (fact: T) => void) =>
    (fact: T) => {
      if (!isClosing) hear(fact);
    };
  const log = whileOpen(ears.log);
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, onProgress: ears.onProgress });
  const database = openDatabase(postgres.connection, whileOpen(ears.onError));
  const close = async () => {
    isClosing = true;
    await database.close();
    await postgres.stop();
  };
  return { database, died: postgres.died, close };
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
