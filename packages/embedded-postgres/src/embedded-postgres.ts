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

/** `pg` reads `PGSSLMODE` and the like where an option is missing or empty, hence the blank. */
const ignoringEnvironment = {
  ssl: false,
  sslnegotiation: 'postgres',
  options: ' ',
  replication: 'false',
} as const;

export interface PostgresConnection extends Readonly<typeof ignoringEnvironment> {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
}

/** Restarts after a death; stops with this process. */
export interface EmbeddedPostgres {
  connection: PostgresConnection;
  majorVersion: number;
  /** Releases the data folder. Repeatable. */
  stop(): Promise<void>;
  /** Describes the last of five deaths within a minute. */
  failure: Promise<string>;
}

export interface DatabaseNames {
  /**
   * An existing database has only its original superuser.
   * @default 'postgres'
   */
  user?: string;
  /**
   * Created when missing.
   * @default 'postgres'
   */
  database?: string;
}

export interface EmbeddedPostgresOptions extends DatabaseNames {
  /** The package creates it when it is missing. */
  dataDir: string;
  /**
   * For the socket's temporary folder.
   * @default 'embedded-postgres-'
   */
  socketFolderPrefix?: string;
  log?(line: string): void;
  onProgress?(text: string): void;
  /** Called during the start: a good moment for blocking work. */
  onWait?(): void;
  onDeath?(how: string): void;
  /**
   * An existing database keeps its own.
   * @default 'socket', on Windows 'tcp'
   */
  transport?: Transport;
  /** @default 'any' */
  source?: BinarySource;
  /**
   * Lower durability (`fsync`) only for disposable data. Never set `listen_addresses`: a socket database
   * asks for no password.
   */
  settings?: Record<string, string>;
}

const defaultTransport: Transport = process.platform === 'win32' ? 'tcp' : 'socket';
const defaultName = 'postgres';

/**
 * Creates a missing database. Waits for a closing owner.
 * @throws EmbeddedPostgresError
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
    const connection = toConnection({ host, port, user, database }, folder.password);
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

/** For commands outside the owner's process; `undefined` when PostgreSQL is not ready. */
export function findRunningPostgres(
  dataDir: string,
  { user = defaultName, database = defaultName }: DatabaseNames = {},
): PostgresConnection | undefined {
  try {
    const postmaster = readRunningPostmaster(resolveDatabaseFolder(dataDir));
    if (!postmaster?.isReady) return undefined;
    const { port, socketFolder } = postmaster;
    if (socketFolder) return toConnection({ host: socketFolder, port, user, database });
    return toConnection({ host: '127.0.0.1', port, user, database }, readPassword(dataDir));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

type Address = Pick<PostgresConnection, 'host' | 'port' | 'user' | 'database'>;

function toConnection(address: Address, password?: string): PostgresConnection {
  return { ...ignoringEnvironment, ...address, ...(password !== undefined && { password }) };
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
  // The socket's name contains the port.
  const port = isTcp ? await freePort() : 5432;
  const allSettings = {
    listen_addresses: isTcp ? host : '',
    unix_socket_directories: isTcp ? '' : socketFolder,
    unix_socket_permissions: '0700',
    // Several processes each have a pool.
    max_connections: '200',
    log_destination: 'stderr',
    logging_collector: 'off',
    lc_messages: 'C',
    ...settings,
  };
  const startCleanly = async (signal: AbortSignal) => {
    // A clean-up of the temporary directory may have removed it.
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

/** PostgreSQL refuses to start while a dead server's process still holds its shared memory. */
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
