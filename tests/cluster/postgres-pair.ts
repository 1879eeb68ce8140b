import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listInstalledFolders } from '@parts-forge/embedded-postgres/binaries';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { childPids, signalAll } from '@parts-forge/embedded-postgres/linux-processes';
import pg from 'pg';
import { type Program, startProgram, waitFor } from '../../api/test/programs.ts';

/** The balancer's user, without rights. */
export const WATCHER = 'watcher';
const USER = 'shop';
const DATABASE = 'shop';
const STANDBY = 'standby';
/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65534, gid: 65534 };

/** Commits wait until the standby has written them to disk. */
export interface PostgresPair {
  password: string;
  /** Of the first primary and its standby. */
  ports: readonly [number, number];
  /** Bypasses the balancer. */
  withPrimary<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Like a power failure. */
  killPrimary(): void;
  /** Pauses it until it is woken. */
  stallStandby(): void;
  wakeStandby(): void;
  /** Afterwards no commit waits for a standby. */
  promoteStandby(): Promise<void>;
  stop(): Promise<void>;
}

interface Server {
  folder: string;
  port: number;
  program: Program;
}

/** Folder with all needed programs; `undefined` for none. */
export const findPostgresPrograms = (): string | undefined =>
  listInstalledFolders().find((folder) =>
    ['postgres', 'initdb', 'pg_basebackup'].every((name) => existsSync(join(folder, name))),
  );

/**
 * @param folder empty, and reachable by every user
 * @param bin PostgreSQL's programs
 */
export async function startPostgresPair(folder: string, bin: string): Promise<PostgresPair> {
  const place = preparePlace(folder, bin);
  const primary = await startPrimary(place);
  const connectTo = ({ port }: { port: number }, database = DATABASE) =>
    new pg.Client({
      host: '127.0.0.1',
      port,
      user: USER,
      password: place.password,
      database,
      connectionTimeoutMillis: 5_000,
    });
  const run = async <T>(client: pg.Client, work: (client: pg.Client) => Promise<T>) => {
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  };
  await run(connectTo(primary, 'postgres'), async (client) => {
    await client.query(`create database ${DATABASE}`);
    await client.query(`create role ${WATCHER} login`);
  });
  const standby = await startStandby(place, primary);
  await run(connectTo(primary), replicateSynchronously);
  let current: Server = primary;

  return {
    password: place.password,
    ports: [primary.port, standby.port],
    withPrimary: (work) => run(connectTo(current), work),
    killPrimary: () => signalServer(primary, 'SIGKILL'),
    stallStandby: () => signalServer(standby, 'SIGSTOP'),
    wakeStandby: () => signalServer(standby, 'SIGCONT'),
    async promoteStandby() {
      await run(connectTo(standby), (client) => client.query('select pg_promote(true)'));
      current = standby;
    },
    async stop() {
      for (const { program } of [standby, primary]) await program.end('SIGQUIT');
    },
  };
}

const signalServer = ({ program: { pid } }: Server, name: NodeJS.Signals): void =>
  signalAll([pid, ...childPids(pid)], name);

/** Default: this process's user. */
interface RunsAs {
  uid?: number;
  gid?: number;
}

interface Place {
  folder: string;
  bin: string;
  runsAs: RunsAs;
  password: string;
  logFile: string;
}

function preparePlace(folder: string, bin: string): Place {
  const runsAs: RunsAs = process.getuid?.() === 0 ? NOBODY : {};
  mkdirSync(folder, { mode: 0o755 });
  if (runsAs.uid !== undefined) chownSync(folder, runsAs.uid, runsAs.gid ?? runsAs.uid);
  const password = randomBytes(18).toString('hex');
  return { folder, bin, runsAs, password, logFile: join(folder, '..', 'postgres.log') };
}

async function startPrimary(place: Place): Promise<Server> {
  const { bin, logFile, runsAs } = place;
  const folder = join(place.folder, 'one');
  const passwordFile = join(place.folder, 'password');
  writeFileSync(passwordFile, place.password, { mode: 0o600 });
  if (runsAs.uid !== undefined) chownSync(passwordFile, runsAs.uid, runsAs.gid ?? runsAs.uid);
  const how = ['-D', folder, '-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  await runProgram(join(bin, 'initdb'), [...how, '--locale=C'], { logFile, ...runsAs });
  // Only the watcher may connect without a password.
  writeFileSync(
    join(folder, 'pg_hba.conf'),
    [
      `host postgres ${WATCHER} 127.0.0.1/32 trust`,
      `host all ${USER} 127.0.0.1/32 scram-sha-256`,
      `host replication ${USER} 127.0.0.1/32 scram-sha-256`,
      '',
    ].join('\n'),
  );
  return startServer(place, folder);
}

async function startStandby(place: Place, primary: Server): Promise<Server> {
  const { bin, logFile, runsAs } = place;
  const folder = join(place.folder, 'two');
  const from = `host=127.0.0.1 port=${primary.port} user=${USER} password=${place.password} application_name=${STANDBY}`;
  const how = ['-d', from, '-D', folder, '-X', 'stream', '-R', '-c', 'fast'];
  await runProgram(join(bin, 'pg_basebackup'), how, { logFile, ...runsAs });
  return startServer(place, folder);
}

async function startServer({ bin, logFile, runsAs }: Place, folder: string): Promise<Server> {
  const port = await freePort();
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = startProgram(join(bin, 'postgres'), ['-D', folder, ...args], { logFile, ...runsAs });
  const isListening = async () => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: WATCHER, database: 'postgres' });
    // A refusal, before the watcher exists, also proves a running server.
    return client.connect().then(
      () => client.end().then(() => true),
      (error: unknown) => error instanceof Error && 'code' in error && error.code === '28000',
    );
  };
  await waitFor(`PostgreSQL on ${folder}`, isListening, { program });
  return { folder, port, program };
}

/** From here on commits wait for the standby's disk. */
async function replicateSynchronously(client: pg.Client): Promise<void> {
  await client.query(`alter system set synchronous_standby_names = 'FIRST 1 (${STANDBY})'`);
  await client.query('select pg_reload_conf()');
  await waitFor('synchronous replication', async () => {
    const { rows } = await client.query("select 1 from pg_stat_replication where sync_state = 'sync'");
    return rows.length === 1;
  });
}

/** @throws Error with what it said for a status other than 0 */
export async function runProgram(...given: Parameters<typeof startProgram>): Promise<void> {
  const program = startProgram(...given);
  const status = await program.ended;
  if (status !== 0) throw new Error(`${given[0]} ended with status ${status}: ${program.said()}`);
}
