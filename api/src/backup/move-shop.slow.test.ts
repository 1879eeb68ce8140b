import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '#src/platform/database/connection.ts';
import { ensureInstance, findMovedTo } from '#src/platform/database/instance.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { type Rows, readRows } from '#test/backups.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import { newEmptyDatabase, startShop, type TestDatabase, type TestShop } from '#test/start-shop.ts';
import { moveShop } from './move-shop.ts';

let shop: TestShop;
let empty: TestDatabase;
let target: Database;
beforeEach(async () => {
  shop = await startShop();
  empty = await newEmptyDatabase();
  target = openDatabase(empty.connection, shop.config, () => {});
  // The identity service creates its keys now, so that nothing is written later: a shop is closed during a
  // move.
  await shop.request('/identity/get-session', { headers: { origin: shop.url } });
  const customer = await signedInAs(shop, 'user', { name: "Tab\tBackslash \\N Quote ' É 😀" });
  await customer.orders(await aProduct(shop));
});
afterEach(async () => {
  await target.close();
  await empty.drop();
  await shop.close();
});

const move = (signal = new AbortController().signal) =>
  moveShop({
    source: shop.services.database,
    target,
    targetName: 'db.example/shop',
    signal,
    say: () => {},
  });
const readSource = () => readRows(shop.services.database.connection);
const readTarget = () => readRows(empty.connection);
/** All rows except the move's mark. */
const withoutMark = (rows: Rows) =>
  new Map([...rows].map(([name, texts]) => [name, texts.filter((text) => !text.includes('"moved_to"'))]));

describe('a moved shop', () => {
  test('has the same rows, id and append-only trail, its source a mark', async () => {
    const source = await readSource();
    const tables = await move();
    expect(await readTarget()).toEqual(source);
    expect(tables.find(({ name }) => name === 'public.orders')?.count).toBe(1);
    const [before, after] = [await ensureInstance(shop.db), await ensureInstance(target.db)];
    expect(after).toEqual(before);
    await expect(target.pool.query('delete from trail')).rejects.toThrow();
    // Marked in its source alone.
    expect(await findMovedTo(shop.db)).toBe('db.example/shop');
    expect(await findMovedTo(target.db)).toBeNull();
    expect(withoutMark(await readSource())).toEqual(withoutMark(await readTarget()));
  });
});

describe('a repeated move', () => {
  test('compares, or is refused once the shop has changed; changes nothing', async () => {
    const first = await move();
    const rows = await readTarget();
    expect(await move()).toEqual(first);
    expect(await readTarget()).toEqual(rows);

    await target.pool.query("update products set name = 'Sold since'");
    const changed = await readTarget();
    await expect(move()).rejects.toThrow(
      'The shop has lived on in that database since it was moved (public.products: 1 rows here, 1 there)',
    );
    expect(await readTarget()).toEqual(changed);
  });

  test('starts over after an interruption', async () => {
    await expect(move(AbortSignal.abort())).rejects.toThrow();
    expect(await findMovedTo(shop.db)).toBeNull();
    const source = await readSource();
    await move();
    expect(await readTarget()).toEqual(source);
  });
});

describe('a refused move', () => {
  const expectRefusal = async (sentence: string | RegExp) => {
    const before = await readTarget();
    await expect(move()).rejects.toThrow(sentence);
    expect(await readTarget()).toEqual(before);
    expect(await findMovedTo(shop.db)).toBeNull();
  };

  test('leaves another shop unchanged', async () => {
    await migrate(target);
    await ensureInstance(target.db);
    await expectRefusal('The database has another shop: name an empty one.');
  });

  test('leaves tables with rows unchanged', async () => {
    await migrate(target);
    await target.db.execute(sql`insert into settings (name, value) values ('something', 'else')`);
    await expectRefusal('The database has another shop: name an empty one.');
  });

  test('leaves unrelated tables unchanged', async () => {
    await target.pool.query('create table notes (words text)');
    await expectRefusal('The database has tables that are no shop: name an empty one.');
  });

  test('leaves the target unchanged after a row would arrive altered', async () => {
    await migrate(target);
    await target.pool.query('alter table orders alter column created_at type timestamptz (0)');
    await shop.pool.query("update orders set created_at = '2026-01-01T00:00:00.123Z'");
    await expectRefusal('The rows did not arrive as they were: public.orders: 1 rows here, 1 there');
  });
});
