import { randomUUID } from 'node:crypto';
import { LOW_STOCK_MINIMUM_ORDERS } from '@parts-forge/contract/calls/bounds';
import { expect, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');
const customer = usePerson(shop, 'user');

/** Minimum orders left in `scarce_products`; null for a part that is not scarce. */
async function readScarcity(id: string): Promise<number | null> {
  const { rows } = await shop.services.database.pool.query(
    'select minimum_orders from scarce_products where product_id = $1',
    [id],
  );
  return rows[0]?.minimum_orders ?? null;
}

test('a part is scarce below the bound after any stock change', async () => {
  const enough = LOW_STOCK_MINIMUM_ORDERS * 50;
  const product = await aProduct(shop, { quantity: enough, minimumOrder: 50 });
  expect(await readScarcity(product._id)).toBeNull();

  const order = await customer.orders(product, 75);
  expect(await readScarcity(product._id)).toBe(LOW_STOCK_MINIMUM_ORDERS - 1.5);
  await customer.cancels(order);
  expect(await readScarcity(product._id)).toBeNull();

  const path = `/product/${product._id}`;
  const ask = (method: string, to: string, body: object, headers = {}) =>
    shop.request(to, { method, token: admin.token, body, headers });
  await ask('PUT', path, { quantity: 100 });
  expect(await readScarcity(product._id)).toBe(2);
  const key = { 'idempotency-key': randomUUID() };
  await ask('POST', `${path}/stock`, { add: 50, reason: 'restock' }, key);
  expect(await readScarcity(product._id)).toBe(3);
  await ask('PATCH', path, { minimumOrder: 75 }, { 'if-match': '"1"' });
  expect(await readScarcity(product._id)).toBe(2);
  await ask('PATCH', path, { name: 'Another name' }, { 'if-match': '"2"' });
  expect(await readScarcity(product._id)).toBe(2);

  await admin.delete(path);
  expect(await readScarcity(product._id)).toBeNull();
});

test('a part added below the bound is scarce at once', async () => {
  const product = await aProduct(shop, { quantity: 0, minimumOrder: 50 });
  expect(await readScarcity(product._id)).toBe(0);
});

test('database and contract have the same bound', async () => {
  const { rows } = await shop.services.database.pool.query(
    `select pg_get_functiondef('note_scarce_product'::regproc) as text
     union all select pg_get_triggerdef(oid) from pg_trigger where tgname like 'products_scarce%'`,
  );
  for (const { text } of rows) {
    const bounds = [...text.matchAll(/\* *\(?(\d+)\)?::bigint/g)].map(([, bound]) => Number(bound));
    expect(new Set(bounds), text).toEqual(new Set([LOW_STOCK_MINIMUM_ORDERS]));
  }
  expect(rows).toHaveLength(3);
});
