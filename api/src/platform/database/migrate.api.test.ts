import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '#src/platform/core/start-error.ts';
import { writeDatabaseUrl } from '#test/doctor.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { openDatabase } from './connection.ts';
import { findMovedTo, markMoved } from './instance.ts';
import { countMigrations, migrate } from './migrate.ts';

const limits = { statementTimeoutMs: 5000, connectionTimeoutMs: 5000 };

test('a statement that the database refuses is named in a sentence', async () => {
  const { connection, drop } = await newEmptyDatabase();
  onTestFinished(drop);
  const owner = openDatabase(connection, limits, () => {});
  const user = { name: `reader_${process.pid}`, password: 'reader' };
  await owner.pool.query(`create role ${user.name} login password '${user.password}'`);
  const database = openDatabase({ connectionString: writeDatabaseUrl(connection, user) }, limits, () => {});
  const refusal = await migrate(database).catch((error: unknown) => error);
  await database.close();
  await owner.pool.query(`drop role ${user.name}`);
  await owner.close();
  expect(refusal).toBeInstanceOf(StartError);
  const { message } = refusal as StartError;
  expect(message).toMatch(
    /^The database refuses a statement that sets the tables up: permission denied .+ \(42501\)\. The statement is: /,
  );
  expect(message.length).toBeLessThan(400);
});

test('the name index is rebuilt under another version of ICU', async () => {
  const { connection, drop } = await newEmptyDatabase();
  onTestFinished(drop);
  const database = openDatabase(connection, limits, () => {});
  onTestFinished(() => database.close());
  const { pool } = database;
  await migrate(database);
  const readIndex = async () =>
    (await pool.query("select pg_relation_filenode('products_by_name') as file")).rows[0].file;
  const before = await readIndex();
  await migrate(database);
  expect(await readIndex()).toBe(before);
  await pool.query("update pg_collation set collversion = '1' where collname = 'name_order'");
  await migrate(database);
  expect(await readIndex()).not.toBe(before);
  const { rows } = await pool.query(
    "select collversion = pg_collation_actual_version(oid) as same from pg_collation where collname = 'name_order'",
  );
  expect(rows).toEqual([{ same: true }]);
});

test('a program refuses a database that a newer one has migrated', async () => {
  const { connection, drop } = await newEmptyDatabase();
  onTestFinished(drop);
  const database = openDatabase(connection, limits, () => {});
  onTestFinished(() => database.close());
  const { pool } = database;
  await migrate(database);
  const known = countMigrations();
  await pool.query("insert into migrations (hash, created_at) values ('newer', 9e12)");
  await pool.query("update settings set value = '7.8.9' where name = 'release'");
  await expect(migrate(database)).rejects.toThrow(
    new StartError(
      `A newer version of the shop has migrated the database: it has ${known + 1} migrations (version 7.8.9), this program (version 1.1.0) knows ${known}. Start the newer version, or restore a backup from before the upgrade.`,
    ),
  );
  expect((await pool.query("select value from settings where name = 'release'")).rows).toEqual([
    { value: '7.8.9' },
  ]);
});

test('release 1.0.0 reads a moved shop in a migrated database', async () => {
  const { connection, drop } = await newEmptyDatabase();
  onTestFinished(drop);
  const database = openDatabase(connection, limits, () => {});
  onTestFinished(() => database.close());
  await migrate(database);
  const { rows } = await database.pool.query("select value from settings where name = 'moved_to'");
  expect(rows).toEqual([{ value: expect.stringMatching(/^a newer version: start version 1\.1\.0/) }]);
  expect(await findMovedTo(database.db)).toBeNull();
  await markMoved(database.db, 'db.example/shop');
  await migrate(database);
  expect(await findMovedTo(database.db)).toBe('db.example/shop');
});
