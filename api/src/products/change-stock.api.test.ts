import { randomUUID } from 'node:crypto';
import { LOW_STOCK_MINIMUM_ORDERS } from '@parts-forge/contract/calls/bounds';
import type { Product } from '@parts-forge/contract/products/products';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import type { ChangeListener } from '#src/platform/database/change-feed.ts';
import { aProduct, readProduct, signedInAs } from '#test/builders.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
import { readActivity, readLedger } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin', { name: 'Jonas Feld' });
const customer = usePerson(shop, 'user');
afterAll(async () => {
  expect(await findStockDifferences(shop.db, 100)).toEqual([]);
});

const change = (id: string, body: unknown, key: string | null = randomUUID()) =>
  shop.request(`/product/${id}/stock`, {
    method: 'POST',
    token: admin.token,
    body,
    ...(key !== null && { headers: { 'idempotency-key': key } }),
  });
const readStock = async (id: string) => (await readProduct(shop, id)).quantity;

describe('adding to the stock', () => {
  test('records quantity, reason, administrator and note in the ledger', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const restocked = await change(product._id, { add: 400, reason: 'restock', note: 'Delivery 7' });
    expect([restocked.status, restocked.body.data.quantity]).toEqual([200, 1400]);
    expect(await readStock(product._id)).toBe(1400);
    expect((await change(product._id, { add: -75, reason: 'correction' })).body.data.quantity).toBe(1325);
    const [corrected, added] = await readLedger(shop, product._id);
    expect(corrected).toMatchObject({ kind: 'correction', change: -75, balance: 1325 });
    expect(corrected).not.toHaveProperty('note');
    expect(added).toMatchObject({
      kind: 'restock',
      change: 400,
      balance: 1400,
      note: 'Delivery 7',
      by: { kind: 'admin', _id: admin.userId, name: 'Jonas Feld' },
    });
  });

  test('keeps the version and writes a trail entry without the note', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const { body } = await change(product._id, { add: 1, reason: 'restock', note: 'Only in the ledger' });
    expect(body.data.version).toBe(product.version);
    const [entry] = await readActivity(shop, '?what=stock-restocked&limit=1');
    expect(entry).toMatchObject({
      product: { _id: product._id },
      change: 1,
      before: { quantity: 1000 },
      after: { quantity: 1001 },
    });
    expect(JSON.stringify(entry)).not.toContain('Only in the ledger');
  });

  test('stays between zero and the largest possible stock', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const below = await change(product._id, { add: -1001, reason: 'correction' });
    expect([below.status, readCode(below), below.body.quantity]).toEqual([409, 'above-stock', 1000]);
    expect(below.body.detail).toBe('There are only 1,000 in stock.');
    const above = await change(product._id, { add: 99_999_001, reason: 'restock' });
    expect([above.status, readCode(above), above.body.quantity]).toEqual([409, 'stock-limit', 1000]);
    expect(above.body.detail).toBe('The stock can be no more than 100,000,000.');
    expect(await readStock(product._id)).toBe(1000);
    expect((await change(product._id, { add: -1000, reason: 'correction' })).status).toBe(200);
    expect(await readStock(product._id)).toBe(0);
    expect((await change(product._id, { add: 100_000_000, reason: 'restock' })).status).toBe(200);
    expect(await readStock(product._id)).toBe(100_000_000);
  });

  test('a stock that returned pieces brought above the most goes down', async () => {
    const product = await aProduct(shop, { quantity: 100_000_000, minimumOrder: 50 });
    const { _id } = await customer.orders(product);
    expect((await change(product._id, { add: 50, reason: 'restock' })).status).toBe(200);
    await customer.delete(`/order/${_id}`);
    expect(await readStock(product._id)).toBe(100_000_050);
    expect((await change(product._id, { add: -10, reason: 'correction' })).status).toBe(200);
    const count = { set: 5, was: 100_000_040, reason: 'correction' };
    expect((await change(product._id, count)).status).toBe(200);
  });

  test('lists a restocked part as in stock again', async () => {
    const product = await aProduct(shop, { quantity: 0 });
    const listInStock = async () =>
      (await shop.request(`/product?q=${product.number}&available=true`)).body.map(({ _id }: Product) => _id);
    expect(await listInStock()).toEqual([]);
    await change(product._id, { add: 500, reason: 'restock' });
    expect(await listInStock()).toEqual([product._id]);
  });

  test('loses no concurrent addition or order', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    await Promise.all([
      ...Array.from({ length: 10 }, () => change(product._id, { add: 7, reason: 'restock' })),
      ...Array.from({ length: 5 }, () => customer.orders(product, 50)),
    ]);
    expect(await readStock(product._id)).toBe(1000 + 70 - 250);
  });
});

describe('setting the stock', () => {
  test("succeeds only while the stock equals the administrator's value", async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const set = { set: 2000, was: 1000, reason: 'correction' };
    await customer.orders(product, 60);
    const refused = await change(product._id, set);
    expect([refused.status, readCode(refused), refused.body.quantity]).toEqual([409, 'stock-changed', 940]);
    expect(refused.body.detail).toBe('There are 940 in stock now.');
    expect(await readStock(product._id)).toBe(940);
    expect((await change(product._id, { ...set, was: 940 })).body.data.quantity).toBe(2000);
    expect((await readLedger(shop, product._id))[0]).toMatchObject({ change: 1060, balance: 2000 });
    expect((await change(product._id, { set: 0, was: 2000, reason: 'correction' })).status).toBe(200);
  });
});

describe('a repeated stock change', () => {
  test('applies once, also for concurrent repeats', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const key = randomUUID();
    const add = { add: 100, reason: 'restock' };
    const answers = await Promise.all([1, 2, 3].map(() => change(product._id, add, key)));
    await change(product._id, { add: 5, reason: 'restock' });
    answers.push(await change(product._id, add, key));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.quantity}`))).toEqual(
      new Set(['200 1100']),
    );
    expect(await readStock(product._id)).toBe(1105);
  });

  test('needs the same content; a refusal leaves the key free', async () => {
    const [product, other] = [await aProduct(shop), await aProduct(shop)];
    const key = randomUUID();
    expect((await change(product._id, { add: -5000, reason: 'correction' }, key)).status).toBe(409);
    expect((await change(product._id, { add: 5, reason: 'restock' }, key)).status).toBe(200);
    for (const [id, body] of [
      [product._id, { add: 6, reason: 'restock' }],
      [other._id, { add: 5, reason: 'restock' }],
    ] as const) {
      const refused = await change(id, body, key);
      expectRefusal(refused, 422, 'key-reused');
      expect(refused.body.errors).toMatchObject([{ path: 'Idempotency-Key' }]);
    }
    const colleague = await signedInAs(shop, 'admin');
    const theirs = await colleague.post(
      `/product/${other._id}/stock`,
      { add: 8, reason: 'restock' },
      { 'idempotency-key': key },
    );
    expect(theirs.status).toBe(200);
  });
});

describe('refusals of a stock change', () => {
  test('an unknown or deleted part is 404', async () => {
    expect((await change(randomUUID(), { add: 5, reason: 'restock' })).status).toBe(404);
    const product = await aProduct(shop);
    await admin.delete(`/product/${product._id}`);
    expect((await change(product._id, { add: 5, reason: 'restock' })).status).toBe(404);
  });

  test.each([
    [{ reason: 'restock' }, 'add'],
    [{ add: 5, set: 7, was: 7, reason: 'restock' }, 'add'],
    [{ set: 7, reason: 'restock' }, 'was'],
    [{ add: 5, was: 7, reason: 'restock' }, 'was'],
    [{ add: 0, reason: 'restock' }, 'add'],
    [{ add: 1.5, reason: 'restock' }, 'add'],
    [{ add: '5', reason: 'restock' }, 'add'],
    [{ add: null, reason: 'restock' }, 'add'],
    [{ set: -1, was: 7, reason: 'correction' }, 'set'],
    [{ set: 100_000_001, was: 7, reason: 'correction' }, 'set'],
    [{ add: 5, reason: 'order' }, 'reason'],
    [{ add: 5 }, 'reason'],
    [{ add: 5, reason: 'restock', note: 'x'.repeat(201) }, 'note'],
  ])('%j is 422', async (body, path) => {
    const product = await aProduct(shop);
    const refused = await change(product._id, body);
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, path]);
  });
});

const correct = ({ _id }: Pick<Product, '_id'>, quantity: number) =>
  admin.put(`/product/${_id}`, { quantity });

test('a correction sets the stock and records the difference', async () => {
  const product = await aProduct(shop, { quantity: 1000 });
  const { status, body } = await correct(product, 940);
  expect([status, body.data.quantity]).toEqual([200, 940]);
  expect(await readProduct(shop, product._id)).toMatchObject({ quantity: 940 });
  await correct(product, 2000);
  expect(await readLedger(shop, product._id)).toMatchObject([
    { kind: 'correction', change: 1060, balance: 2000, by: { _id: admin.userId } },
    { kind: 'correction', change: -60, balance: 940 },
    { kind: 'initial', change: 1000, balance: 1000 },
  ]);
  const [entry] = await readActivity(shop, `?q=${product._id}`);
  expect(entry).toMatchObject({
    event: 'stock-corrected',
    product: { _id: product._id },
    before: { quantity: 940 },
    after: { quantity: 2000 },
  });
});

test('concurrent corrections each have their own ledger line', async () => {
  const product = await aProduct(shop, { quantity: 1000 });
  await Promise.all([500, 700, 900].map((quantity) => correct(product, quantity)));
  const moves = await readLedger(shop, product._id);
  const { quantity } = await readProduct(shop, product._id);
  expect(moves[0]?.balance).toBe(quantity);
  expect(moves.reduce((sum, { change }) => sum + change, 0)).toBe(quantity);
});

test('an unknown or deleted part is not corrected', async () => {
  const deleted = await aProduct(shop);
  await admin.delete(`/product/${deleted._id}`);
  for (const product of [deleted, { _id: shop.services.ids.next() }]) {
    expectRefusal(await correct(product, 10), 404, 'not-found');
  }
  expect(await readLedger(shop, deleted._id)).toHaveLength(1);
});

test('a correction publishes the part and its lists', async () => {
  const product = await aProduct(shop);
  const hear = vi.fn<ChangeListener>();
  shop.services.changes.subscribe(hear);
  await correct(product, 10);
  expect(hear).toHaveBeenCalledWith(new Set([`product:${product._id}`, 'products']), false);
});

/** Minimum orders left in `scarce_products`; null for a part that is not scarce. */
async function readScarcity(id: string): Promise<number | null> {
  const { rows } = await shop.pool.query('select minimum_orders from scarce_products where product_id = $1', [
    id,
  ]);
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
  const { rows } = await shop.pool.query(
    `select pg_get_functiondef('note_scarce_product'::regproc) as text
     union all select pg_get_triggerdef(oid) from pg_trigger where tgname like 'products_scarce%'`,
  );
  for (const { text } of rows) {
    const bounds = [...text.matchAll(/\* *\(?(\d+)\)?::bigint/g)].map(([, bound]) => Number(bound));
    expect(new Set(bounds), text).toEqual(new Set([LOW_STOCK_MINIMUM_ORDERS]));
  }
  expect(rows).toHaveLength(3);
});
