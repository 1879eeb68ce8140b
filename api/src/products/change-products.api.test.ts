import { randomUUID } from 'node:crypto';
import type { Product } from '@parts-forge/contract/products';
import type { BulkChange, BulkLine } from '@parts-forge/contract/stock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import { anOrder, aProduct, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { readCode } from '#test/paying.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { readActivity, readLedger } from '#test/trail.ts';

const clock = createMovableClock();
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startShop({ clock });
  admin = await signedInAs(shop, 'admin');
});
afterAll(async () => {
  expect(await findStockDifferences(shop.services.database.db, 100)).toEqual([]);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const send = (body: unknown, key?: string) =>
  shop.request('/product/bulk', {
    method: 'POST',
    token: admin.token,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const preview = async (changes: BulkChange[]): Promise<BulkLine[]> => {
  const { status, body } = await send({ changes });
  expect([status, body.applied]).toEqual([200, false]);
  return body.lines;
};
const apply = async (changes: BulkChange[], key: string = randomUUID()): Promise<BulkLine[]> => {
  const { status, body } = await send({ changes, apply: true }, key);
  expect([status, body.applied]).toEqual([200, true]);
  return body.lines;
};
const state = ({ quantity, price, version }: Product) => ({ quantity, price, version });

describe('bulk changes', () => {
  test('have a preview that changes nothing', async () => {
    const product = await aProduct(shop, { quantity: 1000, price: 10 });
    const [line] = await preview([{ number: product.number, add: 500, price: 11.5 }]);
    expect(line).toEqual({
      number: product.number,
      ok: true,
      product: { _id: product._id, name: product.name, image: product.image },
      before: { quantity: 1000, price: 10, version: 1 },
      after: { quantity: 1500, price: 11.5, version: 2 },
    });
    expect(state(await readProduct(shop, product._id))).toEqual(line?.before);
  });

  test('have a preview that warns of the same addition within a day', async () => {
    const [part, other] = [await aProduct(shop, { price: 10 }), await aProduct(shop)];
    const file = [
      { number: part.number, add: 500 },
      { number: other.number, price: 12 },
    ];
    const warn = async (changes: BulkChange[]) =>
      (await preview(changes)).map(({ addedBefore }) => addedBefore !== undefined);
    expect(await warn(file)).toEqual([false, false]);
    await apply(file);
    expect(await warn(file)).toEqual([true, false]);
    const [entry] = await readActivity(shop, '?what=stock-restocked&limit=1');
    expect((await preview(file))[0]?.addedBefore).toBe(entry?.at);
    // Another quantity or another part is another delivery.
    expect(await warn([{ number: part.number, add: 501 }])).toEqual([false]);
    expect(await warn([{ number: other.number, add: 500 }])).toEqual([false]);
    expect((await apply(file)).map(({ ok, addedBefore }) => [ok, addedBefore])).toEqual(
      Array(2).fill([true, undefined]),
    );
    clock.aheadMs += 25 * 3_600_000;
    admin = await signedInAs(shop, 'admin');
    expect(await warn(file)).toEqual([false, false]);
  });

  test('match their preview and show in the next read', async () => {
    const [both, stock, price] = [
      await aProduct(shop, { price: 10 }),
      await aProduct(shop, { price: 10 }),
      await aProduct(shop, { price: 10 }),
    ];
    const changes = [
      { number: both.number.toLowerCase(), add: 500, price: 11.5 },
      { number: stock.number, add: 20, price: 10 },
      { number: price.number, price: 9 },
    ];
    const shown = await preview(changes);
    await shop.request(`/product/${both._id}`);
    expect(await apply(changes)).toEqual(shown);
    for (const [index, product] of [both, stock, price].entries()) {
      expect(state(await readProduct(shop, product._id))).toEqual(shown[index]?.after);
    }
    expect(shown.map((line) => line.after?.version)).toEqual([2, 1, 2]);
  });

  test('refuse an overlong number in its line alone', async () => {
    const part = await aProduct(shop, { price: 10 });
    const [line, other] = await apply([
      { number: `${part.number} ${'x'.repeat(5000)}`, add: 5 },
      { number: part.number, price: 11 },
    ]);
    expect(line).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(line?.number).toHaveLength(120);
    expect(other?.ok).toBe(true);
  });

  test('record restocks and edits in ledger and trail', async () => {
    const product = await aProduct(shop, { quantity: 1000, price: 10 });
    await apply([{ number: product.number, add: 500, price: 11.5 }]);
    expect((await readLedger(shop, product._id))[0]).toMatchObject({
      kind: 'restock',
      change: 500,
      balance: 1500,
      by: { kind: 'admin', _id: admin.userId },
    });
    const [edit] = await readActivity(shop, '?what=product-changed&limit=1');
    expect(edit).toMatchObject({
      product: { _id: product._id },
      before: { price: 10, version: 1 },
      after: { price: 11.5, version: 2 },
    });
    const [restock] = await readActivity(shop, '?what=stock-restocked&limit=1');
    expect(restock).toMatchObject({
      product: { _id: product._id },
      before: { quantity: 1000 },
      after: { quantity: 1500 },
    });
  });

  test('record a pure edit or a pure stock change alone', async () => {
    const [edited, taken] = [await aProduct(shop, { price: 10 }), await aProduct(shop, { quantity: 1000 })];
    const before = (await readLedger(shop, edited._id)).length;
    await apply([
      { number: edited.number, price: 12 },
      { number: taken.number, add: -40 },
    ]);
    expect(await readLedger(shop, edited._id)).toHaveLength(before);
    expect((await readLedger(shop, taken._id))[0]).toMatchObject({ kind: 'correction', change: -40 });
    const edits = await readActivity(shop, '?what=product-changed&limit=2');
    expect(edits[0]?.product?._id).toBe(edited._id);
    expect(edits[1]?.product?._id).not.toBe(taken._id);
  });

  test('list a restocked part as in stock again', async () => {
    const product = await aProduct(shop, { quantity: 0 });
    const inStock = async () =>
      (await shop.request(`/product?q=${product.number}&available=true`)).body.map(({ _id }: Product) => _id);
    expect(await inStock()).toEqual([]);
    await apply([{ number: product.number, add: 500 }]);
    expect(await inStock()).toEqual([product._id]);
  });

  test('update a list sorted by price', async () => {
    const [cheap, dear] = [await aProduct(shop, { price: 2 }), await aProduct(shop, { price: 99_000 })];
    const restocked = await aProduct(shop);
    const first = async () => (await shop.request('/product?sort=-price&limit=1')).body[0]._id;
    expect(await first()).toBe(dear._id);
    await apply([{ number: cheap.number, price: 99_500 }]);
    expect(await first()).toBe(cheap._id);
    // Also with a line that only adds stock.
    await apply([
      { number: dear.number, price: 99_600 },
      { number: restocked.number, add: 10 },
    ]);
    expect(await first()).toBe(dear._id);
  });

  test('leave a part unchanged at the same price', async () => {
    const { _id, number } = await aProduct(shop, { price: 10 });
    const before = await readProduct(shop, _id);
    expect((await apply([{ number, price: 10 }]))[0]).toMatchObject({ ok: true });
    expect(await readProduct(shop, _id)).toEqual(before);
  });

  test('add to the stock at that moment, not at the preview', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const changes = [{ number: product.number, add: 500 }];
    await preview(changes);
    await anOrder(shop, await signedInAs(shop, 'user'), product, 100);
    expect((await apply(changes))[0]).toMatchObject({ before: { quantity: 900 }, after: { quantity: 1400 } });
  });

  test('keep the price of open orders', async () => {
    const customer = await signedInAs(shop, 'user');
    const product = await aProduct(shop, { price: 10 });
    const order = await anOrder(shop, customer, product, 50);
    await apply([{ number: product.number, price: 12 }]);
    const { body } = await shop.request(`/order/${order._id}`, { token: customer.token });
    expect(body).toMatchObject({ price: 10, totalPrice: 500, status: 'due' });
  });
});

describe('an invalid line of a bulk change', () => {
  test('is skipped with its reason, unlike the other lines', async () => {
    const [good, wrong] = [await aProduct(shop), await aProduct(shop, { quantity: 1000, price: 10 })];
    const changes = [
      { number: 'PF-NONE', add: 5 },
      { number: good.number, add: 5 },
      { number: wrong.number, add: -1001 },
    ];
    const shown = await preview(changes);
    const lines = await apply(changes);
    expect(shown).toEqual(lines);
    expect(lines.map(({ ok, error }) => [ok, error?.code, error?.detail])).toEqual([
      [false, 'not-found', 'No part has the number PF-NONE.'],
      [true, undefined, undefined],
      [false, 'above-stock', 'There are only 1,000 in stock.'],
    ]);
    expect(lines[0]).toMatchObject({ before: null, after: null });
    expect(lines[2]).toMatchObject({ before: { quantity: 1000, price: 10, version: 1 }, after: null });
    expect((await readProduct(shop, good._id)).quantity).toBe(1005);
    expect((await readProduct(shop, wrong._id)).quantity).toBe(1000);
  });

  test.each([
    [{}, 'It changes neither stock nor price.'],
    [{ add: 0 }, 'It changes neither stock nor price.'],
    [{ add: 1.5 }, '“1.5” is not a whole number.'],
    [{ add: 100_000_000 }, 'The stock can be no more than 100,000,000.'],
    [{ price: 0.95 }, 'The price is below 1.'],
    [{ price: 100_000.01 }, 'The price is above 100,000.'],
    [{ price: 1.005 }, 'The price has more than two decimals.'],
  ])('%j is refused: %s', async (change, detail) => {
    const product = await aProduct(shop);
    for (const lines of [
      await preview([{ number: product.number, ...change }]),
      await apply([{ number: product.number, ...change }]),
    ]) {
      expect(lines[0]).toMatchObject({ ok: false, error: { detail } });
    }
    expect(state(await readProduct(shop, product._id))).toEqual(state(product));
  });

  test('distinguishes wrong values from an outdated version by its code', async () => {
    const product = await aProduct(shop, { price: 10 });
    const readError = async (change: Partial<BulkChange>) =>
      (await preview([{ number: product.number, ...change }]))[0]?.error;
    expect(await readError({ price: 0.95 })).toMatchObject({ code: 'invalid' });
    expect(await readError({ add: 5, version: 7 })).toEqual({
      code: 'version-changed',
      detail: 'The part was edited meanwhile.',
    });
  });

  test.each([1, 100_000])('may have a price at the bounds: %d', async (price) => {
    const product = await aProduct(shop, { price: 10 });
    expect((await preview([{ number: product.number, price }]))[0]).toMatchObject({ ok: true });
  });

  test('names a part twice, and both such lines are skipped', async () => {
    const product = await aProduct(shop);
    const lines = await apply([
      { number: product.number, add: 5 },
      { number: product.number.toLowerCase(), price: 30 },
    ]);
    const twice = (number: string) => ({ code: 'invalid', detail: `${number} is named more than once.` });
    expect(lines.map(({ ok, error }) => [ok, error])).toEqual([
      [false, twice(product.number)],
      [false, twice(product.number.toLowerCase())],
    ]);
    expect(state(await readProduct(shop, product._id))).toEqual(state(product));
  });

  test('has a price not above the price break', async () => {
    const product = await aProduct(shop, { price: 10 });
    await shop.services.database.pool.query(
      `update products set price_breaks = '[{"quantity":500,"priceCents":900}]' where id = $1`,
      [product._id],
    );
    const [line] = await preview([{ number: product.number, price: 9 }]);
    expect(line?.error?.detail).toBe('The price is not above that of its price break, $9.00 from 500.');
    expect((await preview([{ number: product.number, price: 9.01 }]))[0]?.ok).toBe(true);
  });
});

describe('repeated bulk changes', () => {
  test('apply once per key; other changes with the key are refused', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const key = randomUUID();
    const changes = [{ number: product.number, add: 100 }];
    const [first, second] = await Promise.all([apply(changes, key), apply(changes, key)]);
    expect(second).toEqual(first);
    expect((await readProduct(shop, product._id)).quantity).toBe(1100);
    const other = await send({ changes: [{ number: product.number, add: 101 }], apply: true }, key);
    expect([other.status, readCode(other)]).toEqual([422, 'key-reused']);
  });

  test('need a key', async () => {
    const product = await aProduct(shop);
    const refused = await send({ changes: [{ number: product.number, add: 5 }], apply: true });
    expect([refused.status, readCode(refused)]).toEqual([428, 'header-required']);
    expect((await readProduct(shop, product._id)).quantity).toBe(1000);
  });

  test('survive two administrators with the same parts in opposite order', async () => {
    const parts = await Promise.all(Array.from({ length: 8 }, () => aProduct(shop, { quantity: 1000 })));
    const changes = parts.map(({ number }) => ({ number, add: 10 }));
    await Promise.all([
      apply(changes),
      apply(changes.toReversed()),
      apply(changes),
      apply(changes.toReversed()),
    ]);
    const stocks = await Promise.all(parts.map(async ({ _id }) => (await readProduct(shop, _id)).quantity));
    expect(new Set(stocks)).toEqual(new Set([1040]));
  });
});

describe('the size of bulk changes', () => {
  test('one call takes at most 500 changes', async () => {
    const numbers = Array.from({ length: 501 }, (_, index) => `BULK-${index}`);
    await shop.services.database.pool.query(
      `with added as (
         insert into products (id, name, description, price_cents, quantity, minimum_order, image, number)
         select gen_random_uuid(), number, 'x', 1000, 1000, 50, '/images/x.webp', number from unnest($1::text[]) number
         returning id, quantity
       )
       insert into trail (id, event, topic, actor, request_id, product_id, stock_change)
       select gen_random_uuid(), 'product-added', 'products', 'system', gen_random_uuid(), id, quantity from added`,
      [numbers],
    );
    const changes = numbers.map((number) => ({ number, add: 1, price: 11, version: 1 }));
    const lines = await apply(changes.slice(0, 500));
    expect(lines.filter(({ ok }) => ok)).toHaveLength(500);
    expect((await send({ changes })).status).toBe(422);
    expect((await send({ changes: [] })).status).toBe(422);
  });
});
