import { createServer } from 'node:net';
import pg from 'pg';
import { makeDataFolder } from '#src/process/data-folder.ts';
import type { Source } from './binaries.ts';
import {
  type DatabaseFolder,
  databaseFolderOf,
  prepareDatabaseFolder,
  readPassword,
  type Transport,
} from './database-folder.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { clearAfterCrash, runningPostmaster } from './postmaster-file.ts';
import { runServer, type ServerProcess } from './server-process.ts';
import { removeSocketFolder, socketFolder } from './socket-folder.ts';

/** A PostgreSQL of the shop's own, as long as the shop runs. */
export interface EmbeddedPostgres {
  /** Where it answers: user and database `shop`. */
  connection: pg.PoolConfig;
  /** For example 18. */
  majorVersion: number;
  /** Closes it in order and gives the data folder free. May be repeated. */
  stop(): Promise<void>;
  /** Settles when PostgreSQL ends without having been asked to: how it ended, as a few words. */
  died: Promise<string>;
}

export interface EmbeddedPostgresOptions {
  /** Made when it is missing. The database is `postgres` in it. */
  dataDir: string;
  /** Each line PostgreSQL writes. */
  log(line: string): void;
  /** What takes time just now, for a person who waits. */
  onProgress(text: string): void;
  /** By default what the system can do. */
  transport?: Transport;
  /** By default the PostgreSQL that came with the shop, else an installed one. */
  source?: Source;
  /** PostgreSQL's own settings; durability is never lowered but by tests, whose data nobody misses. */
  settings?: Record<string, string>;
}

const user = 'shop';
const database = 'shop';
const usualTransport: Transport = process.platform === 'win32' ? 'tcp' : 'socket';

/**
 * Makes the database when there is none and starts PostgreSQL on it as a child of this process.
 *
 * @throws StartError when another shop owns the folder, it cannot be written, or no PostgreSQL can run
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  makeDataFolder(options.dataDir);
  const lock = takeOwnerLock(options.dataDir);
  try {
    const folder = await prepareDatabaseFolder(options.dataDir, {
      transport: options.transport ?? usualTransport,
      source: options.source ?? 'any',
      onProgress: options.onProgress,
    });
    const { server, connection } = await startServer(folder, options);
    await createDatabase(connection).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    const stop = async () => {
      await server.stop();
      lock.release();
    };
    const { majorVersion } = folder.binaries;
    return { connection, majorVersion, stop: once(stop), died: server.died };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Where the shop's PostgreSQL answers while the shop runs, for commands beside it.
 * @returns `undefined` when it does not run
 */
export function findRunningPostgres(dataDir: string): pg.PoolConfig | undefined {
  try {
    const running = runningPostmaster(databaseFolderOf(dataDir));
    if (!running?.isReady) return undefined;
    if (running.socketFolder) return { host: running.socketFolder, port: running.port, user, database };
    return { host: '127.0.0.1', port: running.port, user, database, password: readPassword(dataDir) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function startServer(
  folder: DatabaseFolder,
  options: EmbeddedPostgresOptions,
): Promise<{ server: ServerProcess; connection: pg.PoolConfig }> {
  const { password } = folder;
  const sockets = password ? folder.path : socketFolder(folder.path, folder.runAs.owner);
  await clearAfterCrash(folder.path, sockets);
  const port = password ? await freePort() : 5432;
  const host = password ? '127.0.0.1' : sockets;
  const settings = {
    listen_addresses: password ? host : '',
    unix_socket_directories: password ? '' : sockets,
    unix_socket_permissions: '0700',
    // One pool for each process, as many processes as are tried together, and some for psql and tests.
    max_connections: '200',
    log_destination: 'stderr',
    logging_collector: 'off',
    lc_messages: 'C',
    ...options.settings,
  };
  const running = await runServer(folder, port, settings, options.log);
  const stop = async () => {
    await running.stop();
    removeSocketFolder(sockets, folder.path);
  };
  const server = { ...running, stop };
  return { server, connection: { host, port, user, database, ...(password ? { password } : {}) } };
}

async function createDatabase(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
