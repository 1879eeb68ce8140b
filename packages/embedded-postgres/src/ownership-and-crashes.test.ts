import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { childPids, isRunning, parentPid, signalAll } from '#test/linux-processes.ts';
import {
  newDatabase,
  newFolder,
  query,
  start,
  startOwner,
  startOwnerWithTable,
  waitForEnd,
} from '#test/servers.ts';

describe("the data folder's owner", () => {
  test('a second owner is refused only while the first one runs', async () => {
    const dataDir = newDatabase();
    const first = await start(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'folder-in-use',
      message: `Another process is using the data folder ${dataDir}.`,
    });
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.stop();
    await start(dataDir);
  });

  test('two simultaneous starts on a fresh folder leave exactly one', async () => {
    const dataDir = newFolder();
    const owners = [startOwner(dataDir), startOwner(dataDir)];
    const facts = await Promise.all(owners.map((owner) => owner.nextFact()));
    expect(facts.filter((fact) => fact.connection)).toHaveLength(1);
    expect(facts.map((fact) => fact.problem).filter(Boolean)).toEqual([
      `Another process is using the data folder ${dataDir}.`,
    ]);
    for (const { child } of owners) child.kill('SIGTERM');
    await Promise.all(owners.map(({ child }) => waitForEnd(child)));
  });

  test("a command finds the owner's running PostgreSQL", async () => {
    const { nextFact } = startOwner(newDatabase());
    const { connection, running } = await nextFact();
    expect(running).toEqual(connection);
  });
});

describe('crashes', () => {
  test('kill -9 of the owner ends PostgreSQL and keeps the data', async () => {
    const dataDir = newDatabase();
    const { child, pid } = await startOwnerWithTable(dataDir);
    child.kill('SIGKILL');
    // Not awaited: an immediate start must itself wait for the old owner and PostgreSQL.
    const next = await start(dataDir);
    expect(isRunning(pid)).toBe(false);
    expect(await query(next.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
  });

  test.each(['supervisor', 'postmaster'] as const)(
    'kill -9 of the owner and the %s leaves no process behind',
    async (second) => {
      const dataDir = newDatabase();
      const { child, pid: postmaster } = await startOwnerWithTable(dataDir);
      const supervisor = parentPid(postmaster);
      const everything = [supervisor, ...childPids(supervisor), ...childPids(postmaster)];
      signalAll([child.pid ?? 0, { supervisor, postmaster }[second]], 'SIGKILL');
      await vi.waitFor(() => expect(everything.filter(isRunning)).toEqual([]), { timeout: 60_000 });
      const next = await start(dataDir);
      expect(await query(next.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
    },
  );

  test('a start stops a PostgreSQL that lost owner and supervisor', async () => {
    const dataDir = newDatabase();
    const { child, pid } = await startOwnerWithTable(dataDir);
    const supervisor = parentPid(pid);
    const helpers = childPids(supervisor).filter((childPid) => childPid !== pid);
    // Stopped first, so that it cannot react to the other deaths.
    child.kill('SIGSTOP');
    signalAll([supervisor, ...helpers], 'SIGKILL');
    child.kill('SIGKILL');
    await waitForEnd(child);
    expect(isRunning(pid)).toBe(true);
    const next = await start(dataDir);
    expect(isRunning(pid)).toBe(false);
    expect(await query(next.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
  });

  test('a stale PID that belongs to another process does no harm', async () => {
    const dataDir = newDatabase();
    const first = await start(dataDir);
    await query(first.connection, 'create table things as select 42 as answer');
    await first.stop();
    const leftovers = [
      `${process.pid}`,
      join(dataDir, 'postgres'),
      '1',
      '5432',
      join(dataDir, 'postgres'),
      '',
      '',
    ];
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${leftovers.join('\n')}\n`);
    writeFileSync(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), `${process.pid}\n`);
    const second = await start(dataDir);
    expect(await query(second.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
  });
});
