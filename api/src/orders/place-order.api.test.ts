import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findMails } from '#src/mail-outbox/store.ts';
import { aProduct, orderBody, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const customer = usePerson(shop, 'user');
const admin = usePerson(shop, 'admin');

const place = (body: unknown, token: string | null = customer.token, headers: Record<string, string> = {}) =>
  shop.request('/order', { method: 'POST', token, body, headers });
const fetchOrders = async (person: Person) =>
  (await person.get(`/order?email=${encodeURIComponent(person.email)}`)).body.data;

describe('placing an order', () => {
  test('takes the stock and ignores price, names and status in the request', async () => {
    const product = await aProduct(shop, { price: 19.99, quantity: 1000 });
    const placed = await place({
      ...orderBody(customer, product, 57),
      status: 'paid',
      name: 'Somebody else',
      productName: 'Gold bar',
      image: 'https://evil.example/x.png',
    });
    expect(placed.status).toBe(200);
    expect(Object.keys(placed.body)).toEqual(['insertedId']);
    const { body: order } = await customer.get(`/order/${placed.body.insertedId}`);
    expect(order).toMatchObject({
      _id: placed.body.insertedId,
      productId: product._id,
      productName: product.name,
      image: product.image,
      name: 'Amara Okafor',
      email: customer.email,
      address: '12 Oxford Street, Osu\nAccra',
      phone: '233302771204',
      quantity: 57,
      totalPrice: 1139.43,
      status: 'due',
    });
    expect(order).not.toHaveProperty('transactionId');
    expect((await readProduct(shop, product._id)).quantity).toBe(943);
  });

  test("refuses quantities below the minimum with 'Please order minimum {minimumOrder}'", async () => {
    const product = await aProduct(shop, { minimumOrder: 50 });
    const refused = await place(orderBody(customer, product, 49));
    expect(refused.status).toBe(422);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(refused.body).toMatchObject({
      type: 'urn:parts-forge:problem:below-minimum',
      status: 422,
      errors: [{ path: 'quantity', message: 'Please order minimum 50' }],
    });
    expect(refused.body).not.toHaveProperty('quantity');
    expect((await readProduct(shop, product._id)).quantity).toBe(1000);
  });

  test("refuses quantities above the stock with 'maximum order range {quantity}'", async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    await place(orderBody(customer, product, 100));
    const refused = await place(orderBody(customer, product, 901));
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ detail: 'maximum order range 900', quantity: 900 });
    expect((await readProduct(shop, product._id)).quantity).toBe(900);
  });

  test.each([100_000_001, 3_000_000_000, Number.MAX_SAFE_INTEGER])(
    'refuses %d pieces with 422',
    async (quantity) => {
      const product = await aProduct(shop, { price: 1 });
      const refused = await place({ ...orderBody(customer, product), quantity, totalPrice: quantity });
      expect(refused.status).toBe(422);
      expect(refused.body.errors).toEqual([
        { path: 'quantity', message: 'Amount must be no more than $999,999.99' },
      ]);
    },
  );

  test('refuses impossible quantities even at a total of 0', async () => {
    const product = await aProduct(shop);
    for (const quantity of [3_000_000_000, -3_000_000_000]) {
      const refused = await place({ ...orderBody(customer, product), quantity, totalPrice: 0 });
      expect(refused.status, String(quantity)).toBe(422);
    }
  });

  test('shows in the product list, first for its customer', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const readListed = async (headers: Record<string, string> = {}) =>
      (await shop.request('/product', { headers })).body.find(
        ({ _id }: { _id: string }) => _id === product._id,
      ).quantity;
    expect(await readListed()).toBe(1000);
    const [cookie = ''] = (await place(orderBody(customer, product, 50))).headers.getSetCookie();
    expect(await readListed({ cookie: cookie.split(';')[0] ?? '' })).toBe(950);
    await place(orderBody(customer, product, 50));
    await expect.poll(() => readListed()).toBe(900);
  });

  test('accepts quantities from the minimum order to the whole stock', async () => {
    const product = await aProduct(shop, { quantity: 101, minimumOrder: 50 });
    for (const quantity of [51, 50]) {
      expect((await place(orderBody(customer, product, quantity))).status).toBe(200);
    }
    expect((await readProduct(shop, product._id)).quantity).toBe(0);
    const one = await aProduct(shop, { quantity: 50, minimumOrder: 50 });
    expect((await place(orderBody(customer, one, 51))).body.detail).toBe('maximum order range 50');
    expect((await place(orderBody(customer, one, 50))).status).toBe(200);
  });

  test('accepts $999,999.99 and refuses a cent more', async () => {
    const product = await aProduct(shop, { price: 99.99, quantity: 100_000 });
    expect((await place(orderBody(customer, product, 10_001))).status).toBe(200);
    const round = await aProduct(shop, { price: 0.01, quantity: 100_000_000 });
    const refused = await place(orderBody(customer, round, 100_000_000));
    expect(refused.body.errors).toEqual([
      { path: 'quantity', message: 'Amount must be no more than $999,999.99' },
    ]);
    expect((await place(orderBody(customer, round, 99_999_999))).status).toBe(200);
  });

  test('has bounds for totalPrice', async () => {
    const product = await aProduct(shop, { price: 19.99, quantity: 10_000 });
    const send = (totalPrice: number) => place({ ...orderBody(customer, product), totalPrice });
    for (const total of [999.5, 999.504, 999.4951]) expect((await send(total)).status, `${total}`).toBe(200);
    for (const total of [999.49, 999.51, 999.506]) expect((await send(total)).status, `${total}`).toBe(409);
  });

  test('refuses a wrong total with the present price', async () => {
    const product = await aProduct(shop, { price: 20 });
    const refused = await place({ ...orderBody(customer, product, 50), totalPrice: 999.99 });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      type: 'urn:parts-forge:problem:price-changed',
      detail: 'The total is not the quantity times the present price.',
      price: 20,
    });
    // Beyond the database's integers, as a total and as a unit price.
    for (const totalPrice of [1e300, 50 * 30_000_000]) {
      expect((await place({ ...orderBody(customer, product, 50), totalPrice })).status).toBe(409);
    }
  });

  test('accepts a piece at the highest possible price', async () => {
    const product = await aProduct(shop, { price: 100_000, minimumOrder: 1 });
    expect((await place(orderBody(customer, product, 1))).status).toBe(200);
  });

  test('sends one mail', async () => {
    const buyer = await signedInAs(shop, 'user');
    const { insertedId } = (await place(orderBody(buyer, await aProduct(shop)), buyer.token)).body;
    const { rows } = await findMails(shop.db, { limit: 100 });
    const mails = rows.filter(({ userId }) => userId === buyer.userId);
    expect(mails).toMatchObject([{ kind: 'order-placed', orderId: insertedId }]);
  });

  test('answers 404 for an unknown, deleted or malformed product id', async () => {
    const product = await aProduct(shop);
    await admin.delete(`/product/${product._id}`);
    for (const productId of [product._id, randomUUID(), 'oled-display', '']) {
      expect((await place({ ...orderBody(customer, product), productId })).status, productId).toBe(404);
    }
  });

  test('reports validation before ownership, and ownership before stock', async () => {
    const product = await aProduct(shop);
    const other = await signedInAs(shop, 'user');
    expect((await place(orderBody(other, product, 49))).status).toBe(422);
    expect((await place(orderBody(other, product, 50))).status).toBe(403);
    expect((await place(orderBody(other, product, 1001))).status).toBe(403);
    const negative = await place({ ...orderBody(customer, product), quantity: -1 });
    expect([negative.status, negative.body.detail]).toEqual([422, 'Please order minimum 50']);
  });

  test('accepts only JSON in UTF-8 without keys of prototypes', async () => {
    const product = await aProduct(shop);
    const body = JSON.stringify(orderBody(customer, product));
    const strange = body.replace('{', '{"__proto__":{"role":"admin"},');
    expect((await place(strange)).status).toBe(400);
    const type = 'application/json; charset=iso-8859-1';
    expect((await place(body, customer.token, { 'content-type': type })).status).toBe(415);
    const response = await fetch(`${shop.url}/order`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
      body: Buffer.concat([Buffer.from('{"address":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    });
    expect(response.status).toBe(400);
  });
});

describe('an Idempotency-Key', () => {
  test('places once for sequential and concurrent repeats', async () => {
    const product = await aProduct(shop, { quantity: 10_000 });
    const headers = { 'idempotency-key': randomUUID() };
    const body = orderBody(customer, product);
    const first = await place(body, customer.token, headers);
    const again = await Promise.all(Array.from({ length: 20 }, () => place(body, customer.token, headers)));
    expect(first.status).toBe(200);
    for (const answer of again) expect(answer.body).toEqual(first.body);
    expect((await readProduct(shop, product._id)).quantity).toBe(9950);

    const together = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => place(body, customer.token, together)),
    );
    expect(new Set(answers.map((answer) => answer.body.insertedId)).size).toBe(1);
    expect((await readProduct(shop, product._id)).quantity).toBe(9900);
  });

  test('repeats its answer after the stock is sold out', async () => {
    const product = await aProduct(shop, { quantity: 50 });
    const headers = { 'idempotency-key': randomUUID() };
    const first = await place(orderBody(customer, product), customer.token, headers);
    const again = await place(orderBody(customer, product), customer.token, headers);
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
  });

  test('rejects another body', async () => {
    const product = await aProduct(shop);
    const headers = { 'idempotency-key': randomUUID() };
    await place(orderBody(customer, product), customer.token, headers);
    const refused = await place(orderBody(customer, product, 60), customer.token, headers);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      type: 'urn:parts-forge:problem:key-reused',
      errors: [{ path: 'Idempotency-Key', message: 'This Idempotency-Key was used for another request' }],
    });
    expect((await readProduct(shop, product._id)).quantity).toBe(950);
  });

  test('rejects another reference, but treats an empty one as none', async () => {
    const product = await aProduct(shop);
    const headers = { 'idempotency-key': randomUUID() };
    const body = orderBody(customer, product);
    const { insertedId } = (await place(body, customer.token, headers)).body;
    const other = await place({ ...body, reference: 'PO 4711' }, customer.token, headers);
    expect(other.body.type).toBe('urn:parts-forge:problem:key-reused');
    expect((await place({ ...body, reference: ' ' }, customer.token, headers)).body).toEqual({ insertedId });
  });

  test('stays unused after a refusal', async () => {
    const product = await aProduct(shop);
    const headers = { 'idempotency-key': randomUUID() };
    const refused = await place(orderBody(customer, product, 1001), customer.token, headers);
    expect([refused.status, refused.body.quantity]).toEqual([409, 1000]);
    expect((await place(orderBody(customer, product), customer.token, headers)).status).toBe(200);
  });

  test('belongs to one customer', async () => {
    const product = await aProduct(shop);
    const other = await signedInAs(shop, 'user');
    const headers = { 'idempotency-key': randomUUID() };
    const mine = await place(orderBody(customer, product), customer.token, headers);
    const theirs = await place(orderBody(other, product), other.token, headers);
    expect(theirs.status).toBe(200);
    expect(theirs.body.insertedId).not.toBe(mine.body.insertedId);
  });

  test('rejects malformed keys', async () => {
    const product = await aProduct(shop);
    const placeWith = (key: string) =>
      place(orderBody(customer, product), customer.token, { 'idempotency-key': key });
    for (const key of ['', 'x'.repeat(256), 'two words', 'é']) {
      const refused = await placeWith(key);
      expect([refused.status, refused.body.errors[0].path], key).toEqual([422, 'Idempotency-Key']);
    }
    for (const key of ['x', 'x'.repeat(255)]) expect((await placeWith(key)).status).toBe(200);
  });
});

describe('concurrent buyers', () => {
  test('300 simultaneous orders of 50 pieces sell a stock of 1000 exactly', async () => {
    const product = await aProduct(shop, { quantity: 1000, minimumOrder: 50 });
    const buyers = await Promise.all(Array.from({ length: 6 }, () => signedInAs(shop, 'user')));
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const buyer = buyers[index % buyers.length] as Person;
        return place(orderBody(buyer, product, 50), buyer.token);
      }),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(280);
    expect((await readProduct(shop, product._id)).quantity).toBe(0);
    const orders = await Promise.all(buyers.map(fetchOrders));
    expect(orders.flat()).toHaveLength(20);
  });
});
