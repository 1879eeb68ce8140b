import { randomUUID } from 'node:crypto';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Product } from '@parts-forge/contract/products/products';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findMails } from '#src/mail-outbox/store.ts';
import {
  aProduct,
  type BatchLines,
  batchBody,
  type Person,
  readProduct,
  signedInAs,
} from '#test/builders.ts';
import { startMailServer } from '#test/mail-server.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { listWaiting, whileLocked } from '#test/waiting-statements.ts';

// Slow machines must not fail the races.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000', CONNECTION_TIMEOUT_MS: '60000' } });

const send = (customer: Person, body: object, headers: Record<string, string> = {}, at = shop) =>
  at.request('/order/batch', { method: 'POST', token: customer.token, body, headers });
const place = (customer: Person, lines: BatchLines) => customer.placesBatch(lines);
const readOrder = async (customer: Person, id: string): Promise<Order> =>
  (await customer.get(`/order/${id}`)).body;
const readStock = async ({ _id }: Product) => (await readProduct(shop, _id)).quantity;
const countOrders = async (customer: Person) => {
  const list = await customer.get(`/order?email=${encodeURIComponent(customer.email)}`);
  return list.body.data.length;
};

describe('placing a batch', () => {
  test('creates an order for each line, in the order of the lines', async () => {
    const customer = await signedInAs(shop, 'user');
    const display = await aProduct(shop, { price: 64.5, priceBreaks: [{ quantity: 100, price: 61.2 }] });
    const battery = await aProduct(shop, { price: 8.9, orderStep: 20, minimumOrder: 100 });
    const body = {
      ...batchBody(customer, [
        [display, 100],
        [battery, 400],
      ]),
      reference: 'Accra 7',
    };
    const placed = await send(customer, body);
    expect([placed.status, Object.keys(placed.body)]).toEqual([200, ['batch', 'insertedIds']]);
    const { batch, insertedIds } = placed.body;
    const orders = await Promise.all(insertedIds.map((id: string) => readOrder(customer, id)));
    const common = { batch, reference: 'Accra 7', status: 'due', phone: '233302771204' };
    expect(orders).toMatchObject([
      { ...common, productId: display._id, quantity: 100, price: 61.2, totalPrice: 6120 },
      { ...common, productId: battery._id, quantity: 400, price: 8.9, totalPrice: 3560 },
    ]);
    expect(orders[1].number).toBe(orders[0].number + 1);
    expect([await readStock(display), await readStock(battery)]).toEqual([900, 600]);
  });

  test('makes its orders listable by batch for their customer alone', async () => {
    const [customer, other] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'user')];
    const { batch, insertedIds } = (
      await place(customer, [
        [await aProduct(shop), 50],
        [await aProduct(shop), 50],
      ])
    ).body;
    await place(customer, [[await aProduct(shop), 50]]);
    const list = async ({ email, token }: Person) =>
      (await shop.request(`/order?email=${encodeURIComponent(email)}&batch=${batch}`, { token })).body.data;
    expect((await list(customer)).map(({ _id }: Order) => _id)).toEqual([...insertedIds].reverse());
    expect(await list(other)).toEqual([]);
  });

  test('sends one mail', async () => {
    const customer = await signedInAs(shop, 'user');
    const { insertedIds } = (
      await place(customer, [
        [await aProduct(shop), 50],
        [await aProduct(shop), 60],
      ])
    ).body;
    const { rows } = await findMails(shop.db, { limit: 100 });
    const mails = rows.filter(({ userId }) => userId === customer.userId);
    expect(mails).toMatchObject([{ kind: 'order-placed', orderId: insertedIds[0] }]);
    const admin = await signedInAs(shop, 'admin');
    const { subject, text } = (await admin.get(`/mail/${mails[0]?.id}`)).body;
    expect(subject).toMatch(/^Order \d+: 2 parts placed, pay until /);
    expect(text).toContain('110 pieces are held for you until');
    expect(text).toContain('60 × $19.99 = $1,199.40');
    expect(text).toContain('$2,198.90');
  });

  test('removes exactly the placed products from the saved list', async () => {
    const customer = await signedInAs(shop, 'user');
    const [placed, kept] = [await aProduct(shop), await aProduct(shop)];
    for (const { _id } of [placed, kept]) {
      await customer.put(`/batch/${_id}`, { quantity: 50 });
    }
    await place(customer, [
      [placed, 50],
      [await aProduct(shop), 50],
    ]);
    const { data } = (await customer.get('/batch')).body;
    expect(data.map(({ product }: { product: Product }) => product._id)).toEqual([kept._id]);
  });

  test('leaves a line that another tab has changed since', async () => {
    const customer = await signedInAs(shop, 'user');
    const [same, changed] = [await aProduct(shop), await aProduct(shop)];
    for (const [{ _id }, quantity] of [
      [same, 50],
      [changed, 500],
    ] as const) {
      await customer.put(`/batch/${_id}`, { quantity });
    }
    await place(customer, [
      [same, 50],
      [changed, 50],
    ]);
    const { data } = (await customer.get('/batch')).body;
    expect(data).toMatchObject([{ product: { _id: changed._id }, quantity: 500 }]);
  });
});

describe('a batch with a refused line', () => {
  test('places nothing and lists every refused line', async () => {
    const customer = await signedInAs(shop, 'user');
    const [good, scarce, stepped, small, dear, graded] = [
      await aProduct(shop),
      await aProduct(shop, { quantity: 110 }),
      await aProduct(shop, { orderStep: 25 }),
      await aProduct(shop, { minimumOrder: 200 }),
      await aProduct(shop, { price: 2.9 }),
      await aProduct(shop, { price: 64.5, priceBreaks: [{ quantity: 100, price: 61.2 }] }),
    ];
    const gradedToo = await aProduct(shop, { price: 3, priceBreaks: [{ quantity: 100, price: 2 }] });
    const gone = { ...good, _id: randomUUID() };
    const body = batchBody(customer, [
      [good, 50],
      [scarce, 120],
      [stepped, 90],
      [small, 100],
      [{ ...dear, price: 2.75 }, 400],
      [gone, 50],
      // Right with and without price breaks.
      [{ ...graded, price: 61.2 }, 100],
      [gradedToo, 100],
    ]);
    const refused = await send(customer, body);
    expectRefusal(refused, 422, 'wrong-step');
    expect(refused.body.lines).toEqual([
      { index: 1, code: 'above-stock', detail: 'maximum order range 110', quantity: 110 },
      { index: 2, code: 'wrong-step', detail: 'Please order in steps of 25' },
      { index: 3, code: 'below-minimum', detail: 'Please order minimum 200' },
      {
        index: 4,
        code: 'price-changed',
        detail: 'The total is not the quantity times the present price.',
        price: 2.9,
      },
      { index: 5, code: 'not-found', detail: 'There is nothing here' },
    ]);
    expect(refused.body.errors).toEqual([
      { path: 'lines.2.quantity', message: 'Please order in steps of 25' },
    ]);
    expect([await countOrders(customer), await readStock(good)]).toEqual([0, 1000]);
  });

  test.each(['above-stock', 'price-changed', 'not-found'])('%s in one line places nothing', async (code) => {
    const customer = await signedInAs(shop, 'user');
    const [good, bad] = [await aProduct(shop), await aProduct(shop)];
    const line: BatchLines[number] =
      code === 'above-stock'
        ? [bad, 1001]
        : [code === 'price-changed' ? { ...bad, price: 19.98 } : { ...bad, _id: 'no id' }, 50];
    const refused = await place(customer, [[good, 50], line]);
    expect([readCode(refused), refused.body.lines.length]).toEqual([code, 1]);
    expect([await countOrders(customer), await readStock(good)]).toEqual([0, 1000]);
  });

  test('keeps the saved list unchanged', async () => {
    const customer = await signedInAs(shop, 'user');
    const product = await aProduct(shop);
    await customer.put(`/batch/${product._id}`, { quantity: 49 });
    expect((await place(customer, [[product, 49]])).status).toBe(422);
    expect((await customer.get('/batch')).body.data).toHaveLength(1);
  });

  test("reports broken rules before another customer's address", async () => {
    const [customer, other] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'user')];
    const product = await aProduct(shop);
    const asked = async (quantity: number) =>
      readCode(await send(customer, batchBody(other, [[product, quantity]])));
    expect([await asked(50), await asked(49), await asked(1001)]).toEqual([
      'not-yours',
      'below-minimum',
      'not-yours',
    ]);
  });
});

describe('the lines of a batch', () => {
  test('number 1 to 100, with each product once', async () => {
    const customer = await signedInAs(shop, 'user');
    const product = await aProduct(shop, { quantity: 1000, minimumOrder: 1 });
    const [line] = batchBody(customer, [[product, 1]]).lines;
    const others = Array.from({ length: 100 }, () => ({ ...line, productId: randomUUID() }));
    const status = async (lines: unknown) =>
      (await send(customer, { ...batchBody(customer, []), lines })).status;
    expect(await status([])).toBe(422);
    expect(await status([line, { ...line, productId: product._id.toUpperCase() }])).toBe(422);
    expect(await status([line, ...others])).toBe(422);
    expect(await status(others)).toBe(404);
    expect(await status([{ ...line, productId: product._id.toUpperCase() }])).toBe(200);
  });

  test('place a hundred orders at once', async () => {
    const customer = await signedInAs(shop, 'user');
    const products = await Promise.all(Array.from({ length: 100 }, () => aProduct(shop)));
    const placed = await place(
      customer,
      products.map((product) => [product, 50]),
    );
    expect(placed.body.insertedIds).toHaveLength(100);
    expect(await readStock(products[99] as Product)).toBe(950);
  });
});

describe('the same Idempotency-Key', () => {
  test('places a batch once, also for concurrent requests', async () => {
    const customer = await signedInAs(shop, 'user');
    const [first, second] = [await aProduct(shop), await aProduct(shop)];
    const body = batchBody(customer, [
      [first, 50],
      [second, 60],
    ]);
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(customer, body, headers)));
    expect(new Set(answers.map(({ body: answer }) => JSON.stringify(answer))).size).toBe(1);
    expect(await send(customer, body, headers)).toMatchObject({ body: answers[0]?.body });
    expect([await readStock(first), await readStock(second)]).toEqual([950, 940]);
  });

  test('rejects another body or a single order', async () => {
    const customer = await signedInAs(shop, 'user');
    const [first, second] = [await aProduct(shop), await aProduct(shop)];
    const headers = { 'idempotency-key': randomUUID() };
    const body = batchBody(customer, [[first, 50]]);
    await send(customer, body, headers);
    const others = [
      batchBody(customer, [
        [first, 50],
        [second, 50],
      ]),
      batchBody(customer, [[first, 60]]),
      batchBody(customer, [[second, 50]]),
      { ...body, address: 'Elsewhere 1' },
      { ...body, reference: 'Accra 7' },
    ];
    for (const other of others) expect(readCode(await send(customer, other, headers))).toBe('key-reused');
    expect(readCode(await customer.places(first, 50, headers))).toBe('key-reused');
    expect((await send(customer, { ...body, reference: '' }, headers)).status).toBe(200);
    expect([await readStock(first), await readStock(second)]).toEqual([950, 1000]);
  });
});

describe('the limit of unpaid orders', () => {
  const limited = useShop({ shareDatabaseWith: shop, env: { RATE_LIMITS: 'on', UNPAID_ORDERS: '2' } });

  test('counts a batch as one until all of it is paid', async () => {
    const customer = await signedInAs(limited, 'user');
    const aLine = async (): Promise<BatchLines[number]> => [await aProduct(shop), 50];
    const placeLimited = async (lines: BatchLines) => send(customer, batchBody(customer, lines), {}, limited);
    const first = await placeLimited([await aLine(), await aLine(), await aLine()]);
    expect((await placeLimited([await aLine()])).status).toBe(200);
    const [product] = await aLine();
    expect(readCode(await placeLimited([[product, 50]]))).toBe('too-many-unpaid');
    // Validation errors come first.
    expect(readCode(await placeLimited([[product, 49]]))).toBe('below-minimum');
    const orders = await Promise.all(first.body.insertedIds.map((id: string) => readOrder(customer, id)));
    for (const order of orders.slice(1)) await customer.pays(order);
    expect(readCode(await placeLimited([[product, 50]]))).toBe('too-many-unpaid');
    await customer.pays(orders[0]);
    expect((await placeLimited([[product, 50]])).status).toBe(200);
  });

  test('holds for concurrent batches', async () => {
    const customer = await signedInAs(limited, 'user');
    const products = await Promise.all(Array.from({ length: 8 }, () => aProduct(shop)));
    const answers = await Promise.all(
      products.map((product) => send(customer, batchBody(customer, [[product, 50]]), {}, limited)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});

test('REQUIRE_VERIFIED_EMAIL refuses a batch from an unverified address', async () => {
  const server = await startMailServer();
  onTestFinished(server.close);
  const env = { ...server.env, REQUIRE_VERIFIED_EMAIL: 'on' };
  const strict = await startForTest({ shareDatabaseWith: shop, env });
  const customer = await signedInAs(strict, 'user');
  const product = await aProduct(shop);
  const asked = async (quantity: number) =>
    readCode(await send(customer, batchBody(customer, [[product, quantity]]), {}, strict));
  expect([await asked(50), await asked(49)]).toEqual(['email-not-verified', 'below-minimum']);
});

describe('concurrent batches', () => {
  let buyers: Person[];
  beforeAll(async () => {
    buyers = await Promise.all(Array.from({ length: 8 }, () => signedInAs(shop, 'user')));
  });

  const aBuyer = (index: number) => buyers[index % buyers.length] as Person;
  const readStocks = (products: readonly Product[]) => Promise.all(products.map(readStock));

  /** Number of orders per batch of these products. */
  async function countByBatch(products: readonly Product[]): Promise<number[]> {
    const { rows } = await shop.pool.query<{ count: number }>(
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
        if (index % 3 === 2) return aBuyer(index).places(single as Product, 50);
        const lines: BatchLines = products.map((product) => [product, 50]);
        return aBuyer(index).placesBatch(index % 3 === 0 ? lines : lines.toReversed());
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
    const lock = ['select from products where id = $1 for update', products[1]?._id] as const;
    await whileLocked(shop, lock, async (client) => {
      const sent = customer.placesBatch(lines, key);
      await expect.poll(() => listWaiting(client), { timeout: 30_000 }).toHaveLength(1);
      await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
        await listWaiting(client),
      ]);
      expect((await sent).status).toBe(503);
    });
    shop.expectErrors([{ msg: 'the database does not answer' }]);
    expect(await readStocks(products)).toEqual([1000, 1000]);
    expect(await countByBatch(products)).toEqual([]);
    const again = await customer.placesBatch(lines, key);
    expect([again.status, again.body.insertedIds.length]).toEqual([200, 2]);
    expect(await customer.placesBatch(lines, key)).toMatchObject({ body: again.body });
    expect(await readStocks(products)).toEqual([950, 950]);
  });

  test('placing a batch and emptying its saved list do not deadlock', async () => {
    const customer = await signedInAs(shop, 'user');
    const products = await Promise.all(
      Array.from({ length: 6 }, () => aProduct(shop, { quantity: 100_000 })),
    );
    const lines = products.map((product) => [product, 50] as const);
    const join = () =>
      customer.post('/batch/join', {
        join: randomUUID(),
        lines: products.map(({ _id: productId }) => ({ productId, quantity: 50 })),
      });
    for (let round = 0; round < 10; round += 1) {
      await join();
      const answers = await Promise.all([
        customer.placesBatch(round % 2 === 0 ? lines : lines.toReversed()),
        customer.delete('/batch'),
        join(),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect(shop.services.database.counts.repeated).toBe(0);
  });
});
