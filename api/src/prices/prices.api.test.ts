import { randomUUID } from 'node:crypto';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { OwnPrice } from '@parts-forge/contract/prices/agreed-prices';
import type { Product } from '@parts-forge/contract/products/products';
import { addDays, beginDay, readDay } from '@parts-forge/contract/text/days';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { unitPriceSql } from '#src/orders/take-stock.ts';
import { users } from '#src/users/schema.ts';
import {
  aProduct,
  batchBody,
  orderBody,
  type Person,
  readProduct,
  signedInAgain,
  signedInAs,
} from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { randomNumbers } from '#test/random-numbers.ts';
import { useShop } from '#test/use-shop.ts';
import { ownPriceSql } from './own-prices.ts';
import { agreedPrices } from './schema.ts';

const ZONE = 'Europe/Berlin';
const clock = createMovableClock();
const shop = useShop(() => ({ clock, env: { SHOP_TIME_ZONE: ZONE, SELLER_TAX_RATE: '20' } }));
let admin: Person;
let customer: Person;
beforeEach(async () => {
  clock.aheadMs = 0;
  [admin, customer] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
});

const inDays = (count: number) => addDays(readDay(clock.now(), ZONE), count);
/** To the first instant after the day. */
const passDay = (day: string) => {
  clock.aheadMs = beginDay(addDays(day, 1), ZONE).getTime() - Date.now();
};
const breaks = [
  { quantity: 500, price: 61.2 },
  { quantity: 5000, price: 57.9 },
];
const aPart = () => aProduct(shop, { price: 64.5, quantity: 24_800, priceBreaks: breaks });
const agree = ({ _id }: Product, price: number, more: object = {}, { email } = customer) =>
  admin.put('/agreed-price', { customer: email, productId: _id, fromQuantity: 50, price, ...more });
const readOwn = async (parts: readonly Product[], person = customer) =>
  (await person.get(`/price?products=${parts.map(({ _id }) => _id)}`)).body.data;
const place = (part: Product, quantity: number, price: number, person = customer) =>
  person.post('/order', {
    ...orderBody(person, part, quantity),
    totalPrice: Math.round(quantity * price * 100) / 100,
  });
const readPaid = async ({ body }: { body: { insertedId: string } }, buyer = customer) =>
  (await buyer.get(`/order/${body.insertedId}`)).body.price;

describe('an agreed price', () => {
  test('is what its customer pays, and nobody else', async () => {
    const part = await aPart();
    expect((await agree(part, 60)).status).toBe(200);
    expect(await readPaid(await place(part, 50, 60))).toBe(60);
    const other = await signedInAs(shop, 'user');
    expect((await place(part, 50, 60, other)).body).toMatchObject({ status: 409, price: 64.5 });
    expect(await readOwn([part], other)).toEqual([]);
    expect((await other.get('/agreed-price')).body.data).toEqual([]);
  });

  test('counts from its quantity, where the list is not lower', async () => {
    const part = await aPart();
    await agree(part, 62, { fromQuantity: 100 });
    for (const [quantity, price] of [
      [99, 64.5],
      [100, 62],
      [500, 61.2],
    ] as const) {
      expect(await readPaid(await place(part, quantity, price))).toBe(price);
    }
    expect((await place(part, 99, 62)).body).toMatchObject({ status: 409, price: 64.5 });
  });

  test('is charged to a client that sends the total of the list', async () => {
    const part = await aPart();
    await agree(part, 60);
    for (const price of [64.5, 61.2]) expect(await readPaid(await place(part, 500, price))).toBe(60);
    expect((await place(part, 500, 60.5)).body).toMatchObject({ status: 409, price: 60 });
  });

  test('holds to the end of its day where the shop is', async () => {
    const [part, day] = [await aPart(), inDays(2)];
    await agree(part, 60, { until: day });
    clock.aheadMs = beginDay(addDays(day, 1), ZONE).getTime() - Date.now() - 60_000;
    customer = await signedInAgain(shop, customer);
    expect(await readOwn([part])).toMatchObject([{ ownPrices: [{ price: 60, until: day }] }]);
    expect(await readPaid(await place(part, 50, 60))).toBe(60);
    passDay(day);
    expect(await readOwn([part])).toEqual([]);
    expect((await place(part, 50, 60)).body).toMatchObject({
      type: expect.stringContaining('price-changed'),
      price: 64.5,
    });
    expect((await place(part, 50, 64.5)).status).toBe(200);
  });

  test('replaces the one of the same quantity, and ends by hand', async () => {
    const part = await aPart();
    const first = await agree(part, 60, { until: inDays(0) });
    const second = await agree(part, 59);
    expect(second.body.data).toMatchObject({
      _id: first.body.data._id,
      customer: { email: customer.email },
      product: { _id: part._id, priceBreaks: breaks },
      price: 59,
    });
    expect(second.body.data).not.toHaveProperty('until');
    const list = await admin.get(`/agreed-price?customer=${customer.userId}`);
    expect([list.headers.get('x-total-count'), list.body.data]).toEqual(['1', [second.body.data]]);
    const path = `/agreed-price/${second.body.data._id}`;
    expect((await admin.delete(path)).body).toEqual({ deletedCount: 1 });
    expect((await admin.delete(path)).body).toEqual({ deletedCount: 0 });
    expect((await place(part, 50, 59)).status).toBe(409);
  });

  test('is found by customer, part, words and an end within three days', async () => {
    const [near, far] = [await aPart(), await aPart()];
    await agree(near, 60, { until: inDays(3) });
    await agree(far, 60, { until: inDays(4) });
    await agree(far, 61, {}, await signedInAs(shop, 'user'));
    const count = async (query: string) => (await admin.get(`/agreed-price?${query}`)).body.data.length;
    const mine = `customer=${customer.userId}`;
    expect(await count(`${mine}&ending=true`)).toBe(1);
    expect(await count(`product=${far._id}`)).toBe(2);
    expect(await count(`q=${far.number}`)).toBe(2);
    expect(await count(`q=${customer.email}`)).toBe(2);
    expect(await count(`${mine}&q=${far.number}`)).toBe(1);
  });

  test('above the price of the list is kept, and the list counts', async () => {
    const part = await aPart();
    expect((await agree(part, 70)).status).toBe(200);
    expect(await readOwn([part])).toMatchObject([{ ownPrices: [{ price: 70 }] }]);
    expect(await readPaid(await place(part, 50, 64.5))).toBe(64.5);
  });

  test.each([
    ['an end in the past', 'until', () => ({ until: inDays(-1) }), 'Must be today or later'],
    ['a day that is none', 'until', () => ({ until: '2027-02-30' }), 'Must be a day, such as 2026-11-21'],
    [
      'an unknown customer',
      'customer',
      () => ({ customer: 'no@body.example' }),
      'No customer has this email',
    ],
    ['an administrator', 'customer', () => ({ customer: admin.email }), 'No customer has this email'],
    ['an unknown part', 'productId', () => ({ productId: admin.userId }), 'No part on sale has this id'],
    ['no price', 'price', () => ({ price: 0 }), 'Must be at least 1'],
    ['no pieces', 'fromQuantity', () => ({ fromQuantity: 0 }), 'Must be at least 1'],
  ])('with %s is refused', async (_, path, more, message) => {
    const { status, body } = await agree(await aPart(), 60, more());
    expect([status, body.errors]).toEqual([422, [{ path, message }]]);
  });

  test('is net for a customer without tax, rounded once a line', async () => {
    const untaxed = { tax: 'exempt', taxReason: 'Export' } as const;
    await shop.db.update(users).set(untaxed).where(eq(users.id, customer.userId));
    const part = await aPart();
    await agree(part, 60.01);
    const { headers, body } = await customer.get(`/price?products=${part._id}`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.data[0].ownPrices).toEqual([{ fromQuantity: 50, price: 60.01, netPrice: 50.0083333333 }]);
    const placed = await customer.post('/order', { ...orderBody(customer, part, 57), totalPrice: 2850.48 });
    expect(placed.body).toMatchObject({ status: 409 });
    const right = await customer.post('/order', { ...orderBody(customer, part, 57), totalPrice: 2850.47 });
    expect((await customer.get(`/order/${right.body.insertedId}`)).body.totalPrice).toBe(2850.47);
  });

  test('is in no answer that a cache may share', async () => {
    const part = await aPart();
    await agree(part, 60);
    const seen = await customer.get(`/product/${part._id}`);
    expect(seen.body.data).toEqual(await readProduct(shop, part._id));
    expect(JSON.stringify(seen.body)).not.toContain('ownPrices');
  });
});

describe('the saved batch', () => {
  test('has own prices in its lines, and is placed at them', async () => {
    const [part, other] = [await aPart(), await aProduct(shop)];
    await agree(part, 60, { until: inDays(5) });
    for (const { _id } of [part, other]) await customer.put(`/batch/${_id}`, { quantity: 50 });
    const { data } = (await customer.get('/batch')).body;
    expect(data).toMatchObject([
      { price: 60, ownPrices: [{ fromQuantity: 50, price: 60, until: inDays(5) }] },
      { price: other.price },
    ]);
    expect(data[1]).not.toHaveProperty('ownPrices');
    const body = batchBody(customer, [
      [part, 50],
      [other, 50],
    ]);
    const placeLines = (totalPrice: number) => {
      const lines = body.lines.map((line, index) => (index === 0 ? { ...line, totalPrice } : line));
      return customer.post('/order/batch', { ...body, lines });
    };
    passDay(inDays(5));
    customer = await signedInAgain(shop, customer);
    expect((await placeLines(3000)).body).toMatchObject({ lines: [{ index: 0, price: 64.5 }] });
    clock.aheadMs = 0;
    customer = await signedInAgain(shop, customer);
    expect((await placeLines(3000)).status).toBe(200);
  });
});

test.each<[string, (part: Product) => Promise<unknown>]>([
  ['a quantity', ({ _id }) => customer.put(`/batch/${_id}`, { quantity: 500 })],
  ['pasted lines', ({ number }) => customer.post('/batch/lines', { text: `${number}, 500` })],
  [
    'a list of the browser',
    ({ _id }) =>
      customer.post('/batch/join', { join: randomUUID(), lines: [{ productId: _id, quantity: 500 }] }),
  ],
])('%s comes into the batch at the own price', async (_, add) => {
  const part = await aPart();
  await agree(part, 60);
  await add(part);
  expect((await customer.get('/batch')).body.data).toMatchObject([{ quantity: 500, price: 60 }]);
});

test('the SQL statement takes the own price as the contract does', async () => {
  const next = randomNumbers(53);
  const random = (below: number) => Math.floor(next() * below);
  const [parts, people] = [
    await Promise.all(Array.from({ length: 50 }, aPart)),
    await Promise.all(Array.from({ length: 40 }, () => signedInAs(shop, 'user'))),
  ];
  const days = [null, inDays(-1), inDays(0), inDays(1)];
  const rows = Array.from({ length: 10_000 }, () => ({
    userId: people[random(40)]?.userId ?? '',
    productId: parts[random(50)]?._id ?? '',
    fromQuantity: 1 + random(6000),
    priceCents: 5000 + random(2000),
    until: days[random(4)] ?? null,
  }));
  for (let from = 0; from < rows.length; from += 1000) {
    const some = rows.slice(from, from + 1000).map((row) => ({ ...row, id: shop.services.ids.next() }));
    await shop.db.insert(agreedPrices).values(some).onConflictDoNothing();
  }
  const cases = rows.map(({ userId, productId, fromQuantity }) => ({
    userId,
    productId,
    quantity: Math.max(1, fromQuantity + random(3) - 1),
  }));
  const kept = new Map<string, OwnPrice[]>();
  for (const { userId, productId, priceCents, until, fromQuantity } of await shop.db
    .select()
    .from(agreedPrices)) {
    if (until !== null && until < inDays(0)) continue;
    const key = `${userId} ${productId}`;
    kept.set(key, [...(kept.get(key) ?? []), { fromQuantity, price: priceCents / 100 }]);
  }
  const listed = unitPriceSql('asked.quantity', '6450', 'asked.breaks');
  const own = ownPriceSql('asked.user_id', 'asked.product_id', 'asked.quantity', 'asked.today');
  const { rows: priced } = await shop.pool.query<{ price: number }>(
    `select least(${listed}, ${own}) as price
     from (select *, $4::jsonb as breaks, $5::date as today
       from unnest($1::uuid[], $2::uuid[], $3::int[]) with ordinality as line (user_id, product_id, quantity, place)
     ) as asked order by place`,
    [
      cases.map(({ userId }) => userId),
      cases.map(({ productId }) => productId),
      cases.map(({ quantity }) => quantity),
      JSON.stringify(breaks.map(({ quantity, price }) => ({ quantity, priceCents: price * 100 }))),
      inDays(0),
    ],
  );
  const expected = cases.map(({ userId, productId, quantity }) => {
    const ownPrices = kept.get(`${userId} ${productId}`);
    return unitPriceFor(quantity, { price: 64.5, priceBreaks: breaks, ownPrices });
  });
  expect(priced.map(({ price }) => price)).toEqual(expected);
  expect(new Set(expected).size).toBeGreaterThan(500);
});

test('no order has another price than its buyer saw while prices end', async () => {
  const [part, day] = [await aPart(), inDays(1)];
  // A minute before the end, so that no sign-in ends.
  passDay(day);
  clock.aheadMs -= 60_000;
  admin = await signedInAs(shop, 'admin');
  const buyers = await Promise.all(Array.from({ length: 50 }, () => signedInAs(shop, 'user')));
  for (const buyer of buyers) await agree(part, 60, { until: day }, buyer);
  const buy = async (buyer: Person, index: number) => {
    const seen = index % 2 ? 60 : 64.5;
    const { status, body } = await place(part, 50, seen, buyer);
    const price = status === 200 ? await readPaid({ body }, buyer) : body.price;
    return { seen, status, price };
  };
  const early = buyers.slice(0, 25).map(buy);
  await Promise.any(early);
  passDay(day);
  const tries = await Promise.all([...early, ...buyers.slice(25).map(buy)]);
  for (const { seen, status, price } of tries) {
    if (status === 200) expect(price).toBeLessThanOrEqual(seen);
    else expect([status, seen, price]).toEqual([409, 60, 64.5]);
  }
  const placed = tries.filter(({ status }) => status === 200).length;
  expect((await readProduct(shop, part._id)).quantity).toBe(24_800 - placed * 50);
  // One at least before the end, and all who saw the list's price.
  expect(placed).toBeGreaterThanOrEqual(26);
  expect(placed).toBeLessThan(50);
});
