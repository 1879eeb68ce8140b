import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { newDatabase, newFolder, query, start } from '#test/servers.ts';
import { backUpDatabase } from './back-up-database.ts';
import { restoreDatabase } from './restore-database.ts';

const keepAsIs = { replaces: false, prepare: async () => {} };

/**
 * Transfers between accounts, one after the other, until it is stopped, while PostgreSQL writes everything to the files
 * and begins a new log again and again, as it does by itself in hours.
 */
function transfer(connection: pg.ClientConfig) {
  const done = { last: 0 };
  let isStopped = false;
  const repeat = async (work: (client: pg.Client, n: number) => Promise<unknown>) => {
    const client = new pg.Client(connection);
    await client.connect();
    for (let n = 1; !isStopped; n += 1) await work(client, n);
    await client.end();
  };
  const worked = Promise.all([
    repeat(async (client, n) => {
      await client.query('begin');
      await client.query('insert into transfers values ($1)', [n]);
      await client.query('update accounts set cents = cents - 1 where id = $1', [n % 500]);
      await client.query('update accounts set cents = cents + 1 where id = $1', [(n * 7) % 500]);
      await client.query('commit');
      done.last = n;
    }),
    repeat(async (client) => {
      await client.query('checkpoint');
      await client.query('select pg_switch_wal()');
    }),
  ]);
  const stop = async () => {
    isStopped = true;
    await worked;
  };
  return { done, stop };
}

test('a copy that is made while the database is written to is the database at one moment', async () => {
  const [dataDir, target, restored] = [newDatabase(), join(newFolder(), 'backup'), newFolder()];
  const source = await start(dataDir);
  await query(source.connection, 'create table transfers (n int primary key)');
  await query(
    source.connection,
    'create table accounts as select id, 1000::int as cents, repeat($$x$$, 400) as note from generate_series(0, 499) id',
  );
  const writer = transfer(source.connection);
  await expect.poll(() => writer.done.last, { timeout: 60_000 }).toBeGreaterThan(50);
  const before = writer.done.last;
  await backUpDatabase({ dataDir, connection: source.connection, target });
  const after = writer.done.last + 1;
  await writer.stop();
  expect(after - before).toBeGreaterThan(20);

  expect(await restoreDatabase({ dataDir: restored, source: target, ...keepAsIs })).toBeNull();
  const copy = await start(restored);
  const [found] = await query(
    copy.connection,
    `select count(*)::int as count, max(n)::int as last, (select sum(cents)::int from accounts) as cents,
       (select count(*)::int from pg_replication_slots) as slots
     from transfers`,
  );
  // Every transfer up to one moment, whole, and none after it.
  const { last } = found as { last: number };
  expect(found).toEqual({ count: last, last, cents: 500_000, slots: 0 });
  expect(last).toBeGreaterThanOrEqual(before);
  expect(last).toBeLessThanOrEqual(after);
  // The one that was copied goes on as if nothing had been.
  expect(await query(source.connection, 'select count(*)::int as slots from pg_replication_slots')).toEqual([
    { slots: 0 },
  ]);
  expect(existsSync(join(dataDir, 'postgres', 'backup_label'))).toBe(false);
});

test('the copy is for its owner alone, and what a transport lost of empty folders is made again', async () => {
  const [dataDir, target, restored] = [newDatabase(), newFolder(), newFolder()];
  const source = await start(dataDir);
  await query(source.connection, 'create table things as select 42 as answer');
  await backUpDatabase({ dataDir, connection: source.connection, target });
  expect(statSync(join(target, 'postgres')).mode & 0o777).toBe(0o700);
  expect(statSync(join(target, 'postgres', 'PG_VERSION')).mode & 0o777).toBe(0o600);
  for (const name of readdirSync(join(target, 'postgres'))) {
    const folder = join(target, 'postgres', name);
    if (statSync(folder).isDirectory() && readdirSync(folder).length === 0)
      rmSync(folder, { recursive: true });
  }
  await restoreDatabase({ dataDir: restored, source: target, ...keepAsIs });
  const copy = await start(restored);
  expect(await query(copy.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
});

test('a TCP database brings its password along', async () => {
  const [dataDir, target, restored] = [newFolder(), newFolder(), newFolder()];
  const source = await start(dataDir, { transport: 'tcp' });
  await backUpDatabase({ dataDir, connection: source.connection, target });
  await restoreDatabase({ dataDir: restored, source: target, ...keepAsIs });
  const copy = await start(restored);
  expect(copy.connection.password).toBe(source.connection.password);
  expect(await query(copy.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await expect(query({ ...copy.connection, password: 'wrong' }, 'select 1')).rejects.toMatchObject({
    code: '28P01',
  });
});

test('a restored database takes no settings from its backup', async () => {
  const [dataDir, target, restored] = [newDatabase(), newFolder(), newFolder()];
  const source = await start(dataDir);
  await backUpDatabase({ dataDir, connection: source.connection, target });
  const archives = "archive_mode = 'on'\narchive_command = 'false'\n";
  for (const name of ['postgresql.conf', 'postgresql.auto.conf'])
    appendFileSync(join(target, 'postgres', name), archives);
  for (const name of ['pg_hba.conf', 'pg_ident.conf'])
    writeFileSync(join(target, 'postgres', name), '# from elsewhere\n');
  await restoreDatabase({ dataDir: restored, source: target, ...keepAsIs });
  const copy = await start(restored);
  expect(
    await query(copy.connection, "select setting from pg_settings where name like 'archive_%mode'"),
  ).toEqual([{ setting: 'off' }]);
  for (const name of ['pg_hba.conf', 'pg_ident.conf'])
    expect(readFileSync(join(restored, 'postgres', name), 'utf8')).not.toContain('from elsewhere');
  expect(statSync(join(restored, 'postgres', 'pg_hba.conf')).mode & 0o777).toBe(0o600);
});

test('a database that is there is put aside only when that is asked for, whole', async () => {
  const [dataDir, target, other] = [newDatabase(), newFolder(), newDatabase()];
  const source = await start(dataDir);
  await query(source.connection, 'create table things as select 42 as answer');
  await backUpDatabase({ dataDir, connection: source.connection, target });
  const old = await start(other);
  await query(old.connection, 'create table things as select 7 as answer');
  await expect(restoreDatabase({ dataDir: other, source: target, ...keepAsIs })).rejects.toMatchObject({
    code: 'folder-in-use',
  });
  await old.stop();
  await expect(restoreDatabase({ dataDir: other, source: target, ...keepAsIs })).rejects.toMatchObject({
    code: 'database-exists',
  });

  const aside = await restoreDatabase({ dataDir: other, source: target, ...keepAsIs, replaces: true });
  const replaced = await start(other);
  expect(await query(replaced.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
  const former = await start(aside ?? '');
  expect(await query(former.connection, 'select answer from things')).toEqual([{ answer: 7 }]);
});

test('a restore that fails leaves everything as it was', async () => {
  const [dataDir, target] = [newDatabase(), newFolder()];
  const source = await start(dataDir);
  await query(source.connection, 'create table things as select 42 as answer');
  await backUpDatabase({ dataDir, connection: source.connection, target });
  await source.stop();
  const files = readdirSync(dataDir).sort();
  const failing = restoreDatabase({
    dataDir,
    source: target,
    replaces: true,
    prepare: async () => {
      throw new Error('not fit for use');
    },
  });
  await expect(failing).rejects.toThrow('not fit for use');
  expect(readdirSync(dataDir).sort()).toEqual(files);
  const again = await start(dataDir);
  expect(await query(again.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
});

test('a backup of a PostgreSQL that this machine lacks is refused before anything is copied', async () => {
  const [target, restored] = [newFolder(), newFolder()];
  mkdirSync(join(target, 'postgres'));
  writeFileSync(join(target, 'postgres', 'PG_VERSION'), '9\n');
  await expect(restoreDatabase({ dataDir: restored, source: target, ...keepAsIs })).rejects.toMatchObject({
    code: 'version-not-available',
  });
  expect(readdirSync(restored)).toEqual(['owner.lock']);
});
