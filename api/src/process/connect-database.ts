import { isDeepStrictEqual } from 'node:util';
import { findRunningPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { makeDataFolder } from '@parts-forge/embedded-postgres/data-folder';
import { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';
import type pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { openDatabase, takesNoWrites, withOwnConnection } from '#src/platform/database/connection.ts';
import {
  boundStatementsOfPooledRole,
  boundStatementsOfRole,
  isPooled,
  sharesSessions,
} from '#src/platform/database/pooler.ts';
import { explainPostgresError } from './explain-postgres-error.ts';

export interface ConnectedDatabase {
  database: Database;
  failure: Promise<string>;
  close(): Promise<void>;
}

export interface DatabaseListeners {
  log(line: string): void;
  onProgress(text: string): void;
  onError(error: Error): void;
  /** The embedded PostgreSQL died, and restarts. */
  onDeath(how: string): void;
  /** PostgreSQL's programs run; loads the shop's code meanwhile. Must not throw. */
  onWait?(): void;
}

/** Existing data folders depend on these names. */
export const embeddedNames = { user: 'shop', database: 'shop', socketFolderPrefix: 'parts-forge-' } as const;

const oldestSupported = 150_000;

/** @throws StartError when the server is unreachable or too old */
export async function connectDatabase(
  config: Config,
  listeners: DatabaseListeners,
): Promise<ConnectedDatabase> {
  try {
    if (config.databaseUrl === null) return await startEmbedded(config, listeners);
    makeDataFolder(config.dataDir);
    return await connectToUrl(config, config.databaseUrl, listeners);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) {
      throw new StartError(explainPostgresError(error), { cause: error });
    }
    throw error;
  }
}

/**
 * For commands: joins the PostgreSQL of a running shop.
 * @throws StartError as `connectDatabase` does
 */
export async function connectBesideShop(
  config: Config,
  say: (text: string) => void,
): Promise<ConnectedDatabase> {
  const running =
    config.databaseUrl === null ? findRunningPostgres(config.dataDir, embeddedNames) : undefined;
  if (!running) {
    return connectDatabase(goPastPooler(config), listenForCommand(say));
  }
  const database = openDatabase(running, config, (error) => say(error.message));
  return { database, failure: new Promise(() => {}), close: () => database.close() };
}

export const listenForCommand = (say: (text: string) => void): DatabaseListeners => ({
  log: () => {},
  onProgress: say,
  onError: (error) => say(error.message),
  onDeath: () => {},
});

/** Commands need session features, which a pooler in transaction mode lacks. */
export const goPastPooler = (config: Config): Config => ({
  ...config,
  databaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
  databaseDirectUrl: null,
});

/**
 * Sends no query yet.
 * @param embedded null to use `DATABASE_URL`
 */
export function joinDatabase(
  config: Config,
  embedded: pg.PoolConfig | null,
  onError: (error: Error) => void,
): Database {
  return embedded
    ? openDatabase(embedded, config, onError)
    : openUrl(config, config.databaseUrl ?? '', onError);
}

function openUrl(config: Config, databaseUrl: string, onError: (error: Error) => void): Database {
  const { databaseDirectUrl, databasePoolSize: max } = config;
  const direct = databaseDirectUrl === null ? undefined : { connectionString: databaseDirectUrl };
  return openDatabase({ connectionString: databaseUrl, max }, config, onError, direct);
}

/**
 * @param options `changesNothing` leaves the role's settings alone and accepts any pooler
 * @throws StartError when the server is unreachable or too old, or a pooler has no direct address
 */
export async function connectToUrl(
  config: Config,
  databaseUrl: string,
  { onError }: Pick<DatabaseListeners, 'onError'>,
  { changesNothing = false } = {},
): Promise<ConnectedDatabase> {
  const { databaseDirectUrl } = config;
  const database = openUrl(config, databaseUrl, onError);
  try {
    if (databaseDirectUrl !== null) {
      await checkAnswer('DATABASE_DIRECT_URL', databaseDirectUrl, (text) =>
        withOwnConnection(database, (client) => client.query(text)),
      );
      // A session lock would stay on the pooler's connection and block every later start.
      if (await withOwnConnection(database, isPooled)) {
        throw new StartError('DATABASE_DIRECT_URL leads through a pooler: it has to lead past it.');
      }
      if (!changesNothing) await boundStatementsOfRole(database, config);
    }
    await checkAnswer('DATABASE_URL', databaseUrl, (text) => database.pool.query(text));
    if (databaseDirectUrl !== null) {
      await assertSameDatabase(database);
      if (!changesNothing) await boundStatementsOfPooledRole(database, config);
    } else if (!changesNothing) {
      await assertSessionsLast(database);
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, failure: new Promise(() => {}), close: () => database.close() };
}

/** @throws StartError when it is unreachable, too old, or behind a pooler in transaction mode */
export async function assertUsable(database: Database, databaseUrl: string): Promise<void> {
  await checkAnswer('DATABASE_URL', databaseUrl, (text) => database.pool.query(text));
  await assertSessionsLast(database);
}

/**
 * @throws StartError for a pooler in transaction mode, where session locks and settings leak to other
 * clients
 */
async function assertSessionsLast({ pool }: Database): Promise<void> {
  if (!(await sharesSessions(pool))) return;
  throw new StartError(
    'DATABASE_URL leads through a pooler in transaction mode: DATABASE_DIRECT_URL has to name the server behind it.',
  );
}

async function startEmbedded(
  config: Config,
  { log, onProgress, onError, onDeath, onWait = () => {} }: DatabaseListeners,
): Promise<ConnectedDatabase> {
  let isClosing = false;
  // Connections that end while PostgreSQL stops are no failure.
  const whileOpen =
    <T>(listener: (fact: T) => void) =>
    (fact: T) => {
      if (!isClosing) listener(fact);
    };
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    ...embeddedNames,
    // Half of PostgreSQL's default: the page cache holds the rest and can be reclaimed.
    settings: { max_logical_replication_workers: '0', io_method: 'sync', shared_buffers: '64MB' },
    log: whileOpen(log),
    onProgress,
    onDeath,
    onWait,
  });
  const database = openDatabase(
    { ...postgres.connection, max: config.databasePoolSize },
    config,
    whileOpen(onError),
  );
  const close = async () => {
    isClosing = true;
    await database.close();
    await postgres.stop();
  };
  return { database, failure: postgres.failure, close };
}

/** A busy or starting server says so. */
const isBusy = /timeout|starting up|too many|Connection terminated/;

/** @throws StartError when the server is unreachable three times, too old, not UTF-8 or read-only */
async function checkAnswer(
  setting: string,
  url: string,
  ask: (text: string) => Promise<pg.QueryResult<{ version: number; encoding: string; isReadOnly: boolean }>>,
): Promise<void> {
  // The password must not reach a screen or a log.
  const { host, pathname } = new URL(url);
  const text = `select current_setting('server_version_num')::int as version,
    current_setting('server_encoding') as encoding, ${takesNoWrites} as "isReadOnly"`;
  const askAgain = (error: unknown) => (isBusy.test(readReason(error)) ? ask(text) : Promise.reject(error));
  const { rows } = await ask(text)
    .catch(askAgain)
    .catch(askAgain)
    .catch((error: unknown) => {
      throw new StartError(`${setting} does not answer at ${host}${pathname}: ${readReason(error)}`);
    });
  const [answer] = rows;
  if (!answer || answer.version < oldestSupported) {
    const version = Math.floor((answer?.version ?? 0) / 10_000);
    throw new StartError(`${setting} leads to PostgreSQL ${version}; 15 is the oldest.`);
  }
  if (answer.encoding !== 'UTF8') {
    throw new StartError(
      `${setting} leads to a database in the encoding ${answer.encoding}, which lacks letters: make one with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (answer.isReadOnly) {
    throw new StartError(
      `${setting} leads to a server that takes no writes (${host}), as a standby does: name the primary.`,
    );
  }
}

/** @throws StartError when the addresses differ, as migrations would change the wrong database */
async function assertSameDatabase(database: Database): Promise<void> {
  const ask =
    'select current_database() as name, pg_postmaster_start_time()::text as started, oid::text from pg_database where datname = current_database()';
  const pooled = await database.pool.query(ask);
  const direct = await withOwnConnection(database, (client) => client.query(ask));
  if (isDeepStrictEqual(pooled.rows, direct.rows)) return;
  throw new StartError('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.');
}

function readReason(error: unknown): string {
  if (error instanceof AggregateError) return readReason(error.errors.at(-1));
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (untrusted.has(code)) {
    return `nobody that this machine trusts has signed its certificate (${error.message}); DATABASE_CA names who has.`;
  }
  if (error.message.startsWith('unsupported startup parameter')) {
    return 'this is a pooler such as PgBouncer; DATABASE_DIRECT_URL names the server behind it.';
  }
  return error.message;
}

/** Node's codes for an unknown certificate authority. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
