import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, inject } from 'vitest';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type PostgresConnection,
  startEmbeddedPostgres,
} from '#src/embedded-postgres.ts';
import { postmasterPid } from '#test/linux-processes.ts';
import { createThrowAwayFolder } from '#test/throw-away-folder.ts';

const ownerProcess = fileURLToPath(new URL('./owner-process.ts', import.meta.url));
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

export function newFolder(): string {
  const folder = createThrowAwayFolder();
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A data folder with a database, for tests that need no first start. */
export function newDatabase(): string {
  const dataDir = join(newFolder(), 'data');
  // For root, PostgreSQL runs as its files' owner; Node's copy would change that.
  execFileSync('cp', ['-Rp', inject('stoppedDatabase'), dataDir]);
  return dataDir;
}

/** Starts a PostgreSQL of this process; it stops after the test. */
export async function start(
  dataDir: string,
  options: Omit<EmbeddedPostgresOptions, 'dataDir'> = {},
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, ...options });
  cleanUps.push(() => postgres.stop());
  return postgres;
}

export async function query(connection: pg.ClientConfig, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  // Killing the server breaks this connection; the test asserts elsewhere.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A JSON line of `owner-process.ts`. */
export interface Fact {
  connection?: PostgresConnection;
  running?: PostgresConnection;
  problem?: string;
  failure?: string;
}

/** Starts PostgreSQL in another process. @param prefix precedes its command, to run it as another user */
export function startOwner(
  dataDir: string,
  prefix: string[] = [],
): { child: ChildProcess; nextFact(): Promise<Fact> } {
  const [command = '', ...args] = [...prefix, process.execPath, ownerProcess, dataDir];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  cleanUps.push(() => {
    child.kill('SIGTERM');
    return waitForEnd(child);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextFact = async (): Promise<Fact> => JSON.parse((await lines.next()).value ?? '{}');
  return { child, nextFact };
}

/** Starts an owner with a table. @returns its process and PostgreSQL's PID */
export async function startOwnerWithTable(dataDir: string): Promise<{ child: ChildProcess; pid: number }> {
  const { child, nextFact } = startOwner(dataDir);
  const { connection } = await nextFact();
  await query(connection ?? {}, 'create table things as select 42 as answer');
  return { child, pid: postmasterPid(dataDir) };
}

export async function waitForEnd(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
