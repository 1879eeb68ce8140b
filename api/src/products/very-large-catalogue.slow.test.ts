import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { analyzeTables } from '#src/platform/database/analyze-tables.ts';
import { type Database, type Executor, openDatabase } from '#src/platform/database/connection.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { startPrimary } from '#test/standby.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { findProducts } from './find-products.ts';

const BATTERIES = 21_000;
const SPEAKERS = 10_002;

/** Filling takes longer than a request may. */
const env = { STATEMENT_TIMEOUT_MS: '60000' };

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop({ env });
  await addParts(shop.services.database.pool);
  await shop.services.database.pool.query('vacuum analyze products');
});
afterAll(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const addParts = (pool: pg.Pool) =>
  pool.query(
    `insert into products (id, name, number, description, price_cents, quantity, minimum_order, image)
     select gen_random_uuid(), case when n <= $1 then 'Battery ' else 'Speaker ' end || lpad(n::text, 5, '0'),
       'QX-' || n, 'Ready for use', n, 10000, 50, '/images/x.webp'
     from generate_series(1, $2::int) as n`,
    [BATTERIES, BATTERIES + SPEAKERS],
  );

/** How many parts the work reads. */
const countReads = (work: (tx: Executor) => Promise<unknown>): Promise<number> =>
  shop.services.database.db.transaction(async (tx) => {
    const read = async () => {
      const { rows } = await tx.execute<{ reads: number }>(
        sql`select seq_tup_read + idx_tup_fetch as reads from pg_stat_xact_user_tables where relname = 'products'`,
      );
      return Number(rows[0]?.reads);
    };
    const before = await read();
    await work(tx);
    return (await read()) - before;
  });

const list = async (query: string) => {
  const { body, headers } = await shop.request(`/product?${query}`);
  const next = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return {
    names: body.map(({ name }: { name: string }) => name),
    total: headers.get('x-total-count'),
    next: next?.split('?')[1] ?? '',
  };
};

test('a word that stands together far behind is found there, page by page, however the parts are sorted', async () => {
  for (const sort of ['name', 'price']) {
    const first = await list(`q=speaker&limit=2&sort=${sort}`);
    expect(first).toMatchObject({ names: ['Speaker 21001', 'Speaker 21002'], total: '10000+' });
    expect((await list(first.next)).names).toEqual(['Speaker 21003', 'Speaker 21004']);
  }
  const dearest = await list('q=battery&limit=2&sort=-price');
  expect(dearest).toMatchObject({ names: ['Battery 21000', 'Battery 20999'], total: '10000+' });
});

test('what many parts have is not counted while the server’s notes say so for certain, and counted when they do not', async () => {
  const { db, pool } = shop.services.database;
  const isCommon = async (text: string) => {
    const { rows } = await pool.query(
      "select from list_common_words('products', 10000) as common where strpos(common.word, $1) > 0",
      [text],
    );
    return rows.length > 0;
  };
  expect([await isCommon('batter'), await isCommon('a')]).toEqual([true, true]);
  // One more than counted, and half of what is noted is believed.
  expect([await isCommon('speaker'), await isCommon('typewriter')]).toEqual([false, false]);
  expect((await list('q=batter&limit=1')).total).toBe('10000+');
  expect(await countReads((tx) => findProducts(tx, { q: 'batter', limit: 1 }))).toBeLessThan(100);
  expect(await countReads((tx) => findProducts(tx, { q: 'speaker', limit: 1 }))).toBeGreaterThan(10_000);

  const similar = await list('q=battrey&similar=true&limit=2');
  expect(similar.names.map((name: string) => name.split(' ')[0])).toEqual(['Battery', 'Battery']);
  expect(await countReads((tx) => findProducts(tx, { q: 'battrey', similar: true, limit: 2 }))).toBeLessThan(
    100,
  );

  await pool.query(
    `insert into products (id, name, number, description, price_cents, quantity, minimum_order, image, fits) values
     (gen_random_uuid(), 'Coil', 'QX-COIL', '', 100, 10000, 50, '/images/x.webp', '{Battrex 7}'),
     (gen_random_uuid(), 'Fortrex clip', 'QX-CLIP', '', 100, 10000, 50, '/images/x.webp', '{}'),
     (gen_random_uuid(), 'Betteri lid', 'QX-LID', '', 100, 10000, 50, '/images/x.webp', '{}')`,
  );
  // A phone model resembles it as much.
  expect((await list('q=battrex7&similar=true&limit=1')).names).toEqual(['Coil']);
  // A name resembles it more, and a common word that resembles it is in no name.
  expect((await list('q=bettery&similar=true&limit=2')).names).toEqual([
    'Betteri lid',
    expect.stringMatching('Battery'),
  ]);
  expect((await list('q=fortex&similar=true')).names).toEqual(['Fortrex clip']);

  // The sessions of the pool tell the server of what they changed some seconds later.
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`update products set deleted_at = now() where price_cents between 11 and ${BATTERIES}`,
    );
    await tx.execute(sql`select pg_stat_force_next_flush()`);
  });
  expect(await isCommon('batter')).toBe(false);
  expect((await list('q=batter&limit=3')).total).toBe('10');
  expect((await list('q=battrey&similar=true&limit=20')).names).toHaveLength(10);
});

test('what was noted before the server was started is not believed, until it has looked again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parts-forge-notes-'));
  const countCommonWords = async ({ pool }: Database) =>
    (await pool.query("select from list_common_words('products', 10000)")).rows.length;
  const runServer = async (work: (database: Database) => Promise<void>) => {
    const { postgres } = await startPrimary(dataDir);
    const database = openDatabase(postgres.connection, readConfig(env), () => {});
    try {
      await work(database);
    } finally {
      await database.close();
      await postgres.stop();
    }
  };
  try {
    await runServer(async (database) => {
      await migrate(database);
      await addParts(database.pool);
      await analyzeTables(database);
      expect(await countCommonWords(database)).toBeGreaterThan(0);
    });
    await runServer(async (database) => {
      expect(await countCommonWords(database)).toBe(0);
      await analyzeTables(database);
      expect(await countCommonWords(database)).toBeGreaterThan(0);
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
