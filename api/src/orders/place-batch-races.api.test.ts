import { randomUUID } from 'node:crypto';
import type { Product } from '@parts-forge/contract/products/products';
import { beforeAll, expect, test } from 'vitest';
import { withOwnConnection } from '#src/platform/database/connection.ts';
import { findStock } from '#src/products/store.ts';
import {
  aProduct,
  type BatchLines,
  type Person,
  placeBatch,
  placeOrder,
  signedInAs,
} from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';
import { listWaiting } from '#test/waiting-statements.ts';

let buyers: Person[];
// Slow machines must not fail these tests.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000', CONNECTION_TIMEOUT_MS: '60000' } });
beforeAll(async () => {
  buyers = await Promise.all(Array.from({ length: 8 }, () => signedInAs(shop, 'user')));
});

const aBuyer = (index: number) => buyers[index % buyers.length] as Person;
const readStocks = (products: readonly Product[]) =>
  Promise.all(products.map(({ _id }) => findStock(shop.services.database.db, _id)));

/** Number of orders per batch of these products. */
async function countByBatch(products: readonly Product[]): Promise<number[]> {
  const { rows } = await shop.services.database.pool.query<{ count: number }>(
    'select count(*) from orders where product_id = any($1) and batch is not null group by batch',
    [products.map(({ _id }) => _id)],
  );
  return rows.map(({ count }) => count);
}

test('opposite batches and single orders sell exactly the stock', async () => {
  const products = await Promise.all(Array.from({ length: 3 }, () => aProduct(shop, { quantity: 1000 })));
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, index) => {
      const [single] = products;
      if (index % 3 === 2) return placeOrder(shop, aBuyer(index), single as Product, 50);
      const lines: BatchLines = products.map((product) => [product, 50]);
      return placeBatch(shop, aBuyer(index), index % 3 === 0 ? lines : lines.toReversed());
    }),
  );
  // Late requests get 409. Callers would not notice a deadlock, so the retries are counted.
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(shop.services.database.counts.repeated).toBe(0);
  expect(shop.errors).toEqual([]);
  const batches = await countByBatch(products);
  expect(new Set(batches)).toEqual(new Set([3]));
  const isPlaced = (index: number) => answers[index]?.status === 200;
  const placed = [...answers.keys()].filter(isPlaced);
  const singles = placed.filter((index) => index % 3 === 2).length;
  expect(batches).toHaveLength(placed.length - singles);
  const left = 1000 - 50 * batches.length;
  expect(await readStocks(products)).toEqual([left - 50 * singles, left, left]);
  // The stock is sold out.
  expect(left - 50 * singles).toBe(0);
});

test('a batch with a killed connection places nothing and can be resent', async () => {
  const [customer] = buyers as [Person];
  const products = [await aProduct(shop), await aProduct(shop)];
  const lines: BatchLines = products.map((product) => [product, 50]);
  const key = { 'idempotency-key': randomUUID() };
  await withOwnConnection(shop.services.database, async (client) => {
    await client.query('begin');
    await client.query('select from products where id = $1 for update', [products[1]?._id]);
    const sent = placeBatch(shop, customer, lines, key);
    await expect.poll(() => listWaiting(client), { timeout: 30_000 }).toHaveLength(1);
    await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
      await listWaiting(client),
    ]);
    expect((await sent).status).toBe(503);
    await client.query('commit');
  });
  shop.expectErrors();
  expect(await readStocks(products)).toEqual([1000, 1000]);
  expect(await countByBatch(products)).toEqual([]);
  const again = await placeBatch(shop, customer, lines, key);
  expect([again.status, again.body.insertedIds.length]).toEqual([200, 2]);
  expect(await placeBatch(shop, customer, lines, key)).toMatchObject({ body: again.body });
  expect(await readStocks(products)).toEqual([950, 950]);
});

test('placing a batch and emptying its saved list do not deadlock', async () => {
  const customer = await signedInAs(shop, 'user');
  const products = await Promise.all(Array.from({ length: 6 }, () => aProduct(shop, { quantity: 100_000 })));
  const lines = products.map((product) => [product, 50] as const);
  const join = () =>
    customer.post('/batch/join', {
      join: randomUUID(),
      lines: products.map(({ _id: productId }) => ({ productId, quantity: 50 })),
    });
  for (let round = 0; round < 10; round += 1) {
    await join();
    const answers = await Promise.all([
      placeBatch(shop, customer, round % 2 === 0 ? lines : lines.toReversed()),
      customer.delete('/batch'),
      join(),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
  expect(shop.services.database.counts.repeated).toBe(0);
  expect(shop.errors).toEqual([]);
});
