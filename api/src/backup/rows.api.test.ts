import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#src/platform/database/connection.ts';
import { migrate, migrateToVersion } from '#src/platform/database/migrate.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import { newEmptyDatabase, type TestDatabase } from '#test/start-shop.ts';
import { useShop } from '#test/use-shop.ts';
import { loadRows, readRowsFolder, saveRows } from './rows.ts';
import { rowSchemas } from './schemas.ts';

let empty: TestDatabase;
let target: Database;
const folder = mkdtempSync(path.join(tmpdir(), 'parts-forge-rows-'));
const { signal } = new AbortController();
const readSaved = () => readRowsFolder(path.join(folder, 'rows'));

const shop = useShop();
beforeAll(async () => {
  empty = await newEmptyDatabase();
  target = openDatabase(empty.connection, shop.config, () => {});
});
afterAll(async () => {
  await target.close();
  await empty.drop();
  rmSync(folder, { recursive: true });
});

/** Possible extras: an identity, a generated column and triggers that reject changes. */
const extras = `
  create table public.acts (
    id int generated always as identity primary key,
    parent int references public.acts,
    words text not null,
    length int generated always as (length(words)) stored
  );
  create function public.refuse() returns trigger language plpgsql as
    $$ begin raise exception 'append-only'; end $$;
  create trigger no_change before update or delete on public.acts for each row execute function public.refuse();
  create trigger no_truncate before truncate on public.acts execute function public.refuse();
  create trigger no_insert before insert on public.acts for each row execute function public.refuse();
  alter table public.acts disable trigger no_insert;
`;
const readAll = async ({ pool }: Database, table: string) =>
  (await pool.query(`select to_jsonb(t)::text as row from ${table} t order by 1`)).rows;

test('loading restores rows, sequences and trigger modes', async () => {
  const source = shop.services.database;
  await signedInAs(shop, 'admin', { name: "Tab\tNewline\nBackslash \\N Quote ' É 😀" });
  await aProduct(shop);
  await source.pool.query(extras);
  await source.pool.query("insert into acts (words) values ('first'), (''), ('\\N')");
  await source.pool.query('insert into acts (parent, words) values (1, $1)', ['refers to the first']);
  await saveRows(source, rowSchemas, path.join(folder, 'rows'), signal);

  await migrate(target);
  await target.pool.query(extras);
  await target.pool.query("insert into acts (words) values ('was here before')");
  // Enabled in the target alone, and must be so afterwards.
  await target.pool.query('alter table acts enable always trigger no_insert');
  let finished = 0;
  await loadRows(target, rowSchemas, await readSaved(), signal, async (client) => {
    finished = (await client.query('select from acts')).rowCount ?? 0;
  });
  expect(finished).toBe(4);
  for (const table of ['acts', 'users', 'products', 'settings', 'access_tokens', 'migrations']) {
    expect(await readAll(target, table), table).toEqual(await readAll(source, table));
  }
  const { rows } = await target.pool.query(
    "select tgname, tgenabled from pg_trigger where tgrelid = 'acts'::regclass and not tgisinternal order by 1",
  );
  expect(rows).toEqual([
    { tgname: 'no_change', tgenabled: 'O' },
    { tgname: 'no_insert', tgenabled: 'A' },
    { tgname: 'no_truncate', tgenabled: 'O' },
  ]);
  await target.pool.query('alter table acts disable trigger no_insert');
  await target.pool.query("insert into acts (words) values ('next')");
  expect((await target.pool.query('select max(id) from acts')).rows).toEqual([{ max: 5 }]);
});

test('unknown tables are skipped and reported', async () => {
  const other = await newEmptyDatabase();
  const database = openDatabase(other.connection, shop.config, () => {});
  try {
    await migrate(database);
    const leftOut = await loadRows(database, rowSchemas, await readSaved(), signal, async () => {});
    expect(leftOut).toEqual(['"public"."acts"']);
    expect(await readAll(database, 'users')).toEqual(await readAll(shop.services.database, 'users'));
  } finally {
    await database.close();
    await other.drop();
  }
});

test('a failed load changes nothing', async () => {
  const before = await readAll(target, 'users');
  const failing = loadRows(target, rowSchemas, await readSaved(), signal, async () => {
    throw new Error('not fit for use');
  });
  await expect(failing).rejects.toThrow('not fit for use');
  expect(await readAll(target, 'users')).toEqual(before);
});

test('tables of an earlier version can be created', async () => {
  const other = await newEmptyDatabase();
  const database = openDatabase(other.connection, shop.config, () => {});
  try {
    await migrateToVersion(database, 1);
    expect((await database.pool.query('select from migrations')).rowCount).toBe(1);
    expect((await database.pool.query("select to_regclass('public.refunds') as name")).rows).toEqual([
      { name: null },
    ]);
  } finally {
    await database.close();
    await other.drop();
  }
});
