import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import {
  childPids,
  findChild,
  isRunning,
  parentPid,
  postmasterPid,
  serverPids,
  signalAll,
} from '#test/linux-processes.ts';
import { newDatabase, query, start, startOwnerWithTable, waitForEnd } from '#test/servers.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';

const patience = { timeout: 60_000, interval: 20 };

/** A server with a table, and the list of its deaths. */
async function startWithTable() {
  const dataDir = newDatabase();
  const deaths: string[] = [];
  const postgres = await start(dataDir, { onDeath: (how) => void deaths.push(how) });
  await query(postgres.connection, 'create table things as select 42 as answer');
  return { dataDir, deaths, postgres };
}

async function answersAgain({ connection }: EmbeddedPostgres): Promise<void> {
  await vi.waitFor(async () => {
    expect(await query(connection, 'select answer from things')).toEqual([{ answer: 42 }]);
  }, patience);
}

describe('PostgreSQL after a death', () => {
  test('PostgreSQL restarts with its data after SIGKILL', async () => {
    const { dataDir, deaths, postgres } = await startWithTable();
    const pid = postmasterPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(postmasterPid(dataDir)).not.toBe(pid), patience);
    await answersAgain(postgres);
    expect(deaths).toEqual(['status 137']);
  });

  test('PostgreSQL restarts although a stopped process of it survives', async () => {
    const { dataDir, postgres } = await startWithTable();
    const client = new pg.Client(postgres.connection).on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = rows[0]?.pid ?? 0;
    process.kill(backend, 'SIGSTOP');
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await answersAgain(postgres);
    expect(isRunning(backend)).toBe(false);
    await client.end();
  });

  test.each(['checkpointer', 'background writer'])('PostgreSQL survives a killed %s', async (title) => {
    const { dataDir, deaths, postgres } = await startWithTable();
    const child = findChild(postmasterPid(dataDir), title);
    process.kill(child, 'SIGKILL');
    await vi.waitFor(() => expect(isRunning(child)).toBe(false), patience);
    await answersAgain(postgres);
    // PostgreSQL recovered by itself.
    expect(deaths).toEqual([]);
  });

  test('PostgreSQL restarts when its supervisor is killed', async () => {
    const { dataDir, deaths, postgres } = await startWithTable();
    const pid = postmasterPid(dataDir);
    process.kill(parentPid(pid), 'SIGKILL');
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), patience);
    await answersAgain(postgres);
    expect(deaths).toEqual(['signal SIGKILL']);
  });

  test('PostgreSQL restarts when all its processes are killed at once', async () => {
    const { dataDir, postgres } = await startWithTable();
    const pid = postmasterPid(dataDir);
    const supervisor = parentPid(pid);
    signalAll([supervisor, ...childPids(supervisor), ...childPids(pid)], 'SIGKILL');
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), patience);
    await answersAgain(postgres);
  });
});

describe('a stop', () => {
  test('a stop succeeds during a restart of PostgreSQL', async () => {
    const { dataDir, deaths, postgres } = await startWithTable();
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await vi.waitFor(() => expect(deaths).toHaveLength(1), patience);
    await postgres.stop();
    await vi.waitFor(() => expect(serverPids(dataDir)).toEqual([]), patience);
  });

  test('a stop succeeds when PostgreSQL is frozen', async () => {
    const { dataDir, postgres } = await startWithTable();
    const pid = postmasterPid(dataDir);
    signalAll([pid, ...childPids(pid)], 'SIGSTOP');
    await postgres.stop();
    await vi.waitFor(() => expect(serverPids(dataDir)).toEqual([]), patience);
  });

  test('a frozen PostgreSQL ends after its owner is killed', async () => {
    const dataDir = newDatabase();
    const { child, pid } = await startOwnerWithTable(dataDir);
    const all = [parentPid(pid), pid, ...childPids(pid)];
    signalAll(all.slice(1), 'SIGSTOP');
    child.kill('SIGKILL');
    await waitForEnd(child);
    await vi.waitFor(() => expect(all.filter(isRunning)).toEqual([]), patience);
    await answersAgain(await start(dataDir));
  });

  test('a start ends a frozen PostgreSQL without owner and supervisor', async () => {
    const dataDir = newDatabase();
    const { child, pid } = await startOwnerWithTable(dataDir);
    const supervisor = parentPid(pid);
    signalAll([pid, ...childPids(pid)], 'SIGSTOP');
    child.kill('SIGSTOP');
    const helpers = childPids(supervisor).filter((childPid) => childPid !== pid);
    signalAll([supervisor, ...helpers], 'SIGKILL');
    child.kill('SIGKILL');
    await waitForEnd(child);
    const next = await start(dataDir);
    expect(isRunning(pid)).toBe(false);
    await answersAgain(next);
  });
});
