import { readdirSync } from 'node:fs';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { newDatabase, query, start } from '#test/servers.ts';
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
