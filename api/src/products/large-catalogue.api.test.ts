import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { Executor } from '#src/platform/database/connection.ts';
import { writeCursor } from '#src/platform/database/cursor.ts';
import { aProduct, readProduct } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';
import { awaitWaiting, whileLocked } from '#test/waiting-statements.ts';
import { findProducts } from './find-products.ts';
import { findNearNumber, findScarceProducts, replaceProductImage } from './store.ts';

const PARTS = 5000;
/** More than are counted, and last by name and price. */
const SPEAKERS = 1001;

const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' } });
beforeAll(async () => {
  await shop.pool.query(
    `insert into products (id, name, number, description, price_cents, quantity, minimum_order, image)
     select gen_random_uuid(), case when n <= $1 then 'Part' else 'Speaker ' || n end, 'QX-' || lpad(n::text, 5, '0'), '',
       100 + greatest(0, n - $1), 10000, 50, '/images/x.webp'
     from generate_series(1, $2::int) as n order by n desc`,
    [PARTS, PARTS + SPEAKERS],
  );
  // Autovacuum does this in time, including the GIN index's pending list.
  await shop.pool.query('vacuum analyze products');
});

/** The result, and the number of parts read. */
async function countReads<T>(work: (tx: Executor) => Promise<T>) {
  return shop.db.transaction(async (tx) => {
    const read = async () => {
      const { rows } = await tx.execute<{ reads: number }>(
        sql`select seq_tup_read + idx_tup_fetch as reads from pg_stat_xact_user_tables where relname = 'products'`,
      );
      return Number(rows[0]?.reads);
    };
    // PostgreSQL may scan a table of this size, unlike a large one.
    await tx.execute(sql`set local enable_seqscan = off`);
    const before = await read();
    const result = await work(tx);
    return { result, reads: (await read()) - before };
  });
}

test('a page sorted by name is read from its index', async () => {
  const first = await countReads((tx) => findProducts(tx, { sort: 'name', limit: 10, withoutTotal: true }));
  const after = writeCursor(first.result.next ?? []);
  const second = await countReads((tx) =>
    findProducts(tx, { sort: 'name', limit: 10, withoutTotal: true, after }),
  );
  expect(second.result.rows).toHaveLength(10);
  expect([first.reads, second.reads].filter((reads) => reads > 20)).toEqual([]);
});

async function list(query: string) {
  const { body, headers } = await shop.request(`/product?${query}`);
  const next = /<.+[?](.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
  const names = body.map(({ name }: { name: string }) => name);
  return { names, total: headers.get('x-total-count'), next };
}

test('a page that just fills within 5000 parts has a next one', async () => {
  const { next } = await list('limit=2&sort=name');
  // Of the 5000 parts after these two, the last two match.
  const page = await list(`q=speaker&${next}`);
  expect(page.names).toEqual(['Speaker 5001', 'Speaker 5002']);
  expect((await list(page.next)).names).toEqual(['Speaker 5003', 'Speaker 5004']);
});

test.each(['name', 'price'])('a common word is found far back in the order by %s', async (sort) => {
  const first = await list(`q=speaker&limit=2&sort=${sort}`);
  expect(first).toMatchObject({ names: ['Speaker 5001', 'Speaker 5002'], total: '1000+' });
  expect((await list(first.next)).names).toEqual(['Speaker 5003', 'Speaker 5004']);
});

test('the scarcest parts are found by the index alone', async () => {
  const scarce = [
    await aProduct(shop, { quantity: 5000, minimumOrder: 50 }),
    await aProduct(shop, { quantity: 40, minimumOrder: 50 }),
  ];
  const { result, reads } = await countReads((tx) => findScarceProducts(tx, 100));
  expect(result.map(({ _id }) => _id)).toEqual(scarce.map(({ _id }) => _id).reverse());
  expect(reads).toBeLessThan(100);
});

test.each([
  ['QX-0012A', 'QX-0012'],
  ['QX-D0120', 'QX-00120'],
  ['QX00120', 'QX-00120'],
  ['QX-001200', 'QX-00120'],
  ['Q-X00120', 'QX-00120'],
  ['QX-ABCDE', null],
])('the number nearest to %s is found by the index alone', async (number, meant) => {
  const { result, reads } = await countReads((tx) => findNearNumber(tx, number));
  // Several numbers differ in one character.
  if (meant === null) expect(result).toBeNull();
  else expect(result).toContain(meant);
  expect(reads).toBeLessThan(100);
});

test.each(['zq', '(zq', 'zq–', '6.1'])('a search for "%s" without matches reads few parts', async (q) => {
  const { result, reads } = await countReads(async (tx) => {
    // With so few parts it would scan them in order.
    await tx.execute(sql`set local enable_indexscan = off`);
    return findProducts(tx, { q });
  });
  expect(result).toMatchObject({ rows: [], total: 0 });
  expect(reads).toBeLessThan(100);
});

test('replacing a picture locks parts by id, like a batch', async () => {
  const { database, changes } = shop.services;
  const [first, second] = [await aProduct(shop), await aProduct(shop)];
  const ids = [first._id, second._id].sort();
  const from = '/images/replaced.webp';
  await database.pool.query('update products set image = $1 where id = any($2)', [from, ids]);
  // A table scan would lock the part with the higher id first.
  await database.pool.query('update products set description = description where id = $1', [ids[0]]);
  const lock = 'select from products where id = $1 for no key update';
  const { replaced } = await whileLocked(shop, [lock, ids[0]], async (client) => {
    const replaced = changes.write((tx, changed) => {
      changed('products', 'catalogue', `product:${first._id}`, `product:${second._id}`);
      return replaceProductImage(tx, from, '/images/other.webp');
    });
    await awaitWaiting(client, 1);
    await client.query(`${lock} nowait`, [ids[1]]);
    return { replaced };
  });
  expect((await replaced).sort()).toEqual(ids);
  expect(await readProduct(shop, second._id)).toMatchObject({ image: '/images/other.webp' });
});
