import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { BinarySource } from './binaries.ts';
import { makeDataFolder } from './data-folder.ts';
import {
  type DatabaseFolder,
  prepareDatabaseFolder,
  readPassword,
  resolveDatabaseFolder,
  type Transport,
} from './database-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { freePort } from './free-port.ts';
import { acquireOwnerLock } from './owner-lock.ts';
import { cleanUpAfterCrash, readRunningPostmaster } from './postmaster.ts';
import { type RestartingServer, startRestartingServer } from './restarting-server.ts';
import { startServerProcess } from './server-process.ts';
import { prepareSocketFolder, removeSocketFolder } from './socket-folder.ts';

/** Where PostgreSQL answers, as `pg` takes it: `host` is the socket's folder, or 127.0.0.1. */
export interface PostgresConnection {
  host: string;
  port: number;
  user: string;
  database: string;
  /** Set over TCP only: whoever can open the socket's folder needs none. */
  password?: string;
}

/** A PostgreSQL that runs as long as this process does, and is started again when it dies. */
export interface EmbeddedPostgres {
  /** Stays the same when it is started again. */
  connection: PostgresConnection;
  /** For example 18. */
  majorVersion: number;
  /** Closes it in order and gives the data folder free. May be repeated. */
  stop(): Promise<void>;
  /**
   * Settles when PostgreSQL died five times within a minute and is not started again: how the last time, as a few
   * words.
   */
  failure: Promise<string>;
}

/** Under which names the database is made, and found again. */
export interface DatabaseNames {
  /**
   * The superuser. An existing database knows only the one it was made with.
   * @default 'postgres'
   */
  user?: string;
  /**
   * Made when it is missing.
   * @default 'postgres'
   */
  database?: string;
}

export interface EmbeddedPostgresOptions extends DatabaseNames {
  /** Made when it is missing. PostgreSQL's own files are in `postgres` below it. */
  dataDir: string;
  /**
   * Begins the name of the socket's folder below the system's temporary directory, which is needed only where the path
   * of the data folder is too long for a socket.
   * @default 'embedded-postgres-'
   */
  socketFolderPrefix?: string;
  /** Gets each line PostgreSQL writes. */
  log?(line: string): void;
  /** Hears of what takes time just now, for a person who waits. */
  onProgress?(text: string): void;
  /**
   * Hears each time that one of PostgreSQL's programs was started which takes longest, making the database or the server
   * itself: a good moment for work of one's own that keeps this process from everything else.
   */
  onWait?(): void;
  /** Hears how PostgreSQL ended unasked, as a few words, before it is started again. */
  onDeath?(how: string): void;
  /**
   * How a new database is reached; an existing one keeps its own way.
   * @default 'socket', on Windows 'tcp'
   */
  transport?: Transport;
  /**
   * `installed` leaves out the PostgreSQL that came as an npm package.
   * @default 'any'
   */
  source?: BinarySource;
  /**
   * PostgreSQL's own settings, stronger than ours. Lower durability (`fsync`) only for data that nobody would miss, and
   * leave `listen_addresses` alone: a database made for a socket asks nobody for a password.
   */
  settings?: Record<string, string>;
}

const defaultTransport: Transport = process.platform === 'win32' ? 'tcp' : 'socket';
const defaultName = 'postgres';

/**
 * Makes the database when there is none and starts PostgreSQL on it as a child of this process. An owner of the folder
 * that is just closing is waited for, as is a PostgreSQL that it left behind.
 *
 * @throws EmbeddedPostgresError when another process owns the folder, it cannot be written, or no PostgreSQL can run
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, user = defaultName, database = defaultName } = options;
  makeDataFolder(dataDir);
  const lock = acquireOwnerLock(dataDir);
  try {
    const folder = await prepareDatabaseFolder(dataDir, {
      user,
      transport: options.transport ?? defaultTransport,
      source: options.source ?? 'any',
      onProgress: options.onProgress ?? (() => {}),
      onWait: options.onWait ?? (() => {}),
    });
    const { server, host, port } = await startServer(folder, options);
    const { password } = folder;
    const connection = { host, port, user, database, ...(password !== undefined && { password }) };
    await createDatabase(connection).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    const stop = async () => {
      await server.stop();
      lock.release();
    };
    const { majorVersion } = folder.binaries;
    return { connection, majorVersion, stop: once(stop), failure: server.failure };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Where the PostgreSQL of a data folder answers while its owner runs, for commands beside that owner.
 * @returns `undefined` when it does not run, is not ready, or there is no such folder
 */
export function findRunningPostgres(
  dataDir: string,
  { user = defaultName, database = defaultName }: DatabaseNames = {},
): PostgresConnection | undefined {
  try {
    const postmaster = readRunningPostmaster(resolveDatabaseFolder(dataDir));
    if (!postmaster?.isReady) return undefined;
    const { port, socketFolder } = postmaster;
    if (socketFolder) return { host: socketFolder, port, user, database };
    const password = readPassword(dataDir);
    return { host: '127.0.0.1', port, user, database, ...(password !== undefined && { password }) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function startServer(
  folder: DatabaseFolder,
  options: EmbeddedPostgresOptions,
): Promise<{ server: RestartingServer; host: string; port: number }> {
  const { socketFolderPrefix = 'embedded-postgres-', settings = {} } = options;
  const { log = () => {}, onDeath = () => {}, onWait = () => {} } = options;
  const isTcp = folder.password !== undefined;
  const prepareSocket = () =>
    isTcp ? folder.path : prepareSocketFolder(folder.path, socketFolderPrefix, folder.runAs.owner);
  const socketFolder = prepareSocket();
  const host = isTcp ? '127.0.0.1' : socketFolder;
  // On a socket the port is nothing but a part of the socket's name.
  const port = isTcp ? await freePort() : 5432;
  const allSettings = {
    listen_addresses: isTcp ? host : '',
    unix_socket_directories: isTcp ? '' : socketFolder,
    unix_socket_permissions: '0700',
    // One pool for each process, as many processes as are tried together, and some for psql and tests.
    max_connections: '200',
    log_destination: 'stderr',
    logging_collector: 'off',
    lc_messages: 'C',
    ...settings,
  };
  const startCleanly = async (signal: AbortSignal) => {
    // Somebody may have cleaned the temporary directory since the last start.
    prepareSocket();
    await cleanUpAfterCrash(folder.path, socketFolder);
    return startServerProcess(folder, { port, settings: allSettings, log, onWait, signal });
  };
  const server = await startRestartingServer(
    (signal) => repeatWhileOccupied(() => startCleanly(signal)),
    onDeath,
  );
  const stop = async () => {
    await server.stop();
    removeSocketFolder(socketFolder, folder.path);
  };
  return { server: { ...server, stop }, host, port };
}

/**
 * A process of the former server may hold its memory for a moment after it can no longer be seen; PostgreSQL refuses to
 * start beside it, and nobody should have to start again by hand for that.
 */
async function repeatWhileOccupied<T>(start: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + OCCUPIED_MS;
  while (true) {
    try {
      return await start();
    } catch (error) {
      if (!isOccupied(error) || Date.now() > giveUpAt) throw error;
    }
    await wait(100);
  }
}

const OCCUPIED_MS = 10_000;

const isOccupied = (error: unknown) =>
  error instanceof EmbeddedPostgresError &&
  error.details.code === 'server-ended' &&
  error.details.reason.includes('shared memory block');

async function createDatabase(connection: PostgresConnection): Promise<void> {
  const { database } = connection;
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
