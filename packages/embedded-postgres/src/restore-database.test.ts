import { chmodSync, chownSync, lstatSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { newDatabase, newFolder, query, start } from '#test/servers.ts';
import { makeDataFolder } from './data-folder.ts';
import { restoreDatabase } from './restore-database.ts';

const prepare = async (connection: pg.ClientConfig) =>
  void (await query(connection, 'create table things as select 42 as answer'));

test('a restore replaces a database only on request and keeps it', async () => {
  const dataDir = newDatabase();
  const old = await start(dataDir);
  await query(old.connection, 'create table things as select 7 as answer');
  const refused = () => restoreDatabase({ dataDir, replaces: false, prepare });
  await expect(refused()).rejects.toMatchObject({ code: 'folder-in-use' });
  await old.stop();
  await expect(refused()).rejects.toMatchObject({ code: 'database-exists' });

  const aside = await restoreDatabase({ dataDir, replaces: true, prepare });
  const replaced = await start(dataDir);
  expect(await query(replaced.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
  const former = await start(aside ?? '');
  expect(await query(former.connection, 'select answer from things')).toEqual([{ answer: 7 }]);
});

test('a failed restore changes nothing', async () => {
  const dataDir = newDatabase();
  const files = readdirSync(dataDir).sort();
  const failing = restoreDatabase({
    dataDir,
    replaces: true,
    prepare: async () => {
      throw new Error('not fit for use');
    },
  });
  await expect(failing).rejects.toThrow('not fit for use');
  expect(readdirSync(dataDir).sort()).toEqual(files);
  const again = await start(dataDir);
  expect(await query(again.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(process.getuid?.() === 0)("root's restore belongs to the owner of the data folder", async () => {
  const dataDir = newFolder();
  chmodSync(dataDir, 0o700);
  chownSync(dataDir, 54321, 54321);
  const findOwners = () =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map(
      (name) => lstatSync(join(dataDir, name)).uid,
    );
  await restoreDatabase({ dataDir, replaces: false, prepare });
  await restoreDatabase({ dataDir, replaces: true, prepare });
  expect(new Set(findOwners())).toEqual(new Set([54321]));
  const { connection } = await start(dataDir);
  expect(await query(connection, 'select answer from things')).toEqual([{ answer: 42 }]);
  expect(new Set(findOwners())).toEqual(new Set([54321]));
});

test.runIf(process.getuid?.() === 0)('folders that root makes in another belong to its owner', () => {
  const home = newFolder();
  chownSync(home, 54321, 54321);
  makeDataFolder(join(home, 'shop', 'data'));
  expect(['shop', 'shop/data'].map((name) => lstatSync(join(home, name)).uid)).toEqual([54321, 54321]);
});

test('a database that may not be read is never taken for none', async () => {
  const dataDir = newDatabase();
  rmSync(join(dataDir, 'postgres'), { recursive: true });
  // A loop is as unreadable for root as a private folder is for others.
  symlinkSync('postgres', join(dataDir, 'postgres'));
  await expect(start(dataDir)).rejects.toMatchObject({ code: 'folder-not-readable' });
  await expect(restoreDatabase({ dataDir, replaces: true, prepare })).rejects.toMatchObject({
    code: 'folder-not-readable',
  });
});
