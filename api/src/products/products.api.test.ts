import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { images } from '#src/images/schema.ts';
import { anOrder, aProduct, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let shop: TestShop;
let admin: Person;
let customer: Person;
const image = `/images/${'b'.repeat(64)}-1280.webp`;

beforeAll(async () => {
  shop = await startShop();
  admin = await signedInAs(shop, 'admin');
  customer = await signedInAs(shop, 'user');
  await shop.services.database.db
    .insert(images)
    .values({ hash: 'b'.repeat(64), type: 'webp', width: 10, height: 10, bytes: 10 });
});
afterAll(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const namesAt = async (path: string) =>
  (await shop.request(path)).body.map((product: { name: string }) => product.name) as string[];
const newProduct = (more: object = {}) => ({
  name: 'Vapour chamber',
  description: 'Copper, 0.4 mm.\nTwo layers.',
  price: 4.2,
  quantity: 1000,
  minimumOrder: 50,
  image,
  ...more,
});
const add = (body: unknown, token: string | null = admin.token) =>
  shop.request('/product', { method: 'POST', token, body });

describe('the list of products', () => {
  test('is newest first, for everyone; ?limit=3 gives the three newest', async () => {
    const made: string[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) made.unshift((await aProduct(shop, { name })).name);
    expect((await namesAt('/product')).slice(0, 4)).toEqual(made);
    expect(await namesAt('/product?limit=3')).toEqual(made.slice(0, 3));
    expect(await namesAt('/product?limit=3&unknown=1')).toEqual(made.slice(0, 3));
  });

  test('finds a text anywhere in the name, every character literal, without regard to case', async () => {
    await aProduct(shop, { name: 'Zinc 50%_a\\b shield' });
    expect(await namesAt(`/product?q=${encodeURIComponent('50%_A\\B')}`)).toEqual(['Zinc 50%_a\\b shield']);
    expect(await namesAt(`/product?q=${encodeURIComponent('50%xa')}`)).toEqual([]);
    expect(await namesAt(`/product?q=${encodeURIComponent("'; drop table products; --")}`)).toEqual([]);
  });

  test('finds capital letters beyond ASCII too', async () => {
    await aProduct(shop, { name: 'Écran Ünique' });
    expect(await namesAt(`/product?q=${encodeURIComponent('écran ü')}`)).toEqual(['Écran Ünique']);
  });

  test('leaves out what has less stock than its minimum order with available=true', async () => {
    await aProduct(shop, { name: 'Quartz sold out', quantity: 49, minimumOrder: 50 });
    await aProduct(shop, { name: 'Quartz in stock', quantity: 50, minimumOrder: 50 });
    expect(await namesAt('/product?q=quartz&available=true')).toEqual(['Quartz in stock']);
    expect(await namesAt('/product?q=quartz')).toHaveLength(2);
  });

  test.each([
    ['name', ['Sorted a', 'sorted B', 'Sorted c', 'Sorted d', 'Sorted d']],
    ['price', ['Sorted c', 'Sorted a', 'Sorted d', 'Sorted d', 'sorted B']],
    ['-price', ['sorted B', 'Sorted d', 'Sorted d', 'Sorted a', 'Sorted c']],
    ['newest', ['Sorted d', 'Sorted d', 'Sorted c', 'sorted B', 'Sorted a']],
  ])('sorted by %s is read page by page without loss or repeat', async (sort, expected) => {
    if ((await namesAt('/product?q=sorted')).length === 0) {
      for (const [name, price] of [
        ['Sorted a', 5],
        ['sorted B', 9],
        ['Sorted c', 2],
        ['Sorted d', 7],
        ['Sorted d', 7],
      ] as const) {
        await aProduct(shop, { name, price });
      }
    }
    const seen: string[] = [];
    let path: string | undefined = `/product?q=sorted&sort=${sort}&limit=2`;
    while (path) {
      const { body, headers } = await shop.request(path);
      expect(headers.get('x-total-count')).toBe('5');
      seen.push(...body.map((product: { name: string }) => product.name));
      const link: string | null = headers.get('link');
      expect(link ?? '</').toMatch(/^<\//);
      path = /<(.+)>; rel="next"/.exec(link ?? '')?.[1];
    }
    expect(seen).toEqual(expected);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=',
    'limit=abc',
    `q=${'x'.repeat(121)}`,
    'after=',
    'sort=cheap',
    'available=yes',
    'after=xyz',
    'limit=1&limit=2',
  ])('with ?%s is refused', async (query) => {
    const refused = await shop.request(`/product?${query}`);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toHaveLength(1);
  });

  test.each(['limit=1', 'limit=100', `q=${'x'.repeat(120)}`, 'q=', 'available=false'])(
    'with ?%s is answered',
    async (query) => {
      expect((await shop.request(`/product?${query}`)).status).toBe(200);
    },
  );

  test('with a forged cursor is refused and not a failure of the server', async () => {
    for (const cursor of [
      ['x', 'y'],
      ['2026-01-01', randomUUID()],
      [1, 2],
      ['2026-13-01T00:00:00.000Z', randomUUID()],
    ]) {
      const after = Buffer.from(JSON.stringify(cursor)).toString('base64url');
      expect((await shop.request(`/product?after=${after}`)).status).toBe(422);
    }
  });

  test('has an ETag, answers 304, and is compressed', async () => {
    for (let count = 0; count < 5; count += 1) await aProduct(shop);
    const first = await shop.request('/product');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(etag).not.toBe('');
    const again = await shop.request('/product', { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, null]);
    for (const encoding of ['br', 'gzip']) {
      const packed = await fetch(`${shop.url}/product`, { headers: { 'accept-encoding': encoding } });
      expect(packed.headers.get('content-encoding')).toBe(encoding);
      expect(packed.headers.get('vary')).toBe('accept-encoding');
      expect(await packed.json()).toEqual(first.body);
    }
    await aProduct(shop);
    const changed = await shop.request('/product', { headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
  });
});

test('the cursor behind the longest name is one that the list takes', async () => {
  const name = `${'💠'.repeat(119)}Z`;
  for (let count = 0; count < 2; count += 1) await aProduct(shop, { name });
  const { headers } = await shop.request(`/product?q=${encodeURIComponent('💠Z')}&sort=name&limit=1`);
  const next = /^<(.+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
  expect(await namesAt(next)).toEqual([name]);
});

test('products and reviews are read also with a token that has ended', async () => {
  const { _id } = await aProduct(shop);
  for (const path of ['/product', '/product?limit=3', `/product/${_id}`, '/review', '/config']) {
    for (const token of ['x'.repeat(43), customer.token, admin.token]) {
      expect((await shop.request(path, { token })).status, path).toBe(200);
    }
  }
});

describe('one product', () => {
  test('is under field data', async () => {
    const product = await aProduct(shop, { price: 64.5 });
    const { status, headers, body } = await shop.request(`/product/${product._id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ _id: product._id, price: 64.5, quantity: 1000, minimumOrder: 50 });
    const etag = headers.get('etag') ?? '';
    const again = await shop.request(`/product/${product._id}`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, null]);
  });

  test('is the same, and as it is now, however its id is written', async () => {
    const { _id } = await aProduct(shop, { quantity: 1000 });
    const address = `/product/${_id.toUpperCase()}`;
    expect((await shop.request(address)).body.data._id).toBe(_id);
    const restocked = { method: 'PUT', token: admin.token, body: { quantity: 7 } };
    expect((await shop.request(`/product/${_id}`, restocked)).status).toBe(200);
    expect((await shop.request(address)).body.data.quantity).toBe(7);
  });

  test.each([randomUUID(), '1', "x'--", '%00', 'undefined'])('%s is 404', async (id) => {
    expect((await shop.request(`/product/${id}`)).status).toBe(404);
  });
});

describe('adding a product', () => {
  test('is for administrators and puts it first in the list', async () => {
    const added = await add(newProduct());
    expect(added.status).toBe(200);
    expect(await readProduct(shop, added.body.insertedId)).toMatchObject({
      name: 'Vapour chamber',
      description: 'Copper, 0.4 mm.\nTwo layers.',
      price: 4.2,
      image,
    });
    expect((await shop.request('/product?limit=1')).body[0]._id).toBe(added.body.insertedId);
    expect((await add(newProduct(), null)).status).toBe(401);
    const refused = await add(newProduct(), customer.token);
    expect([refused.status, refused.body.title]).toEqual([403, 'Need Admin to access the page']);
  });

  test('takes a picture of the image host alone, as it is or with the own origin', async () => {
    expect(
      (await readProduct(shop, (await add(newProduct({ image: shop.url + image }))).body.insertedId)).image,
    ).toBe(image);
    const elsewhere = [
      'https://evil.example/x.webp',
      `https://evil.example${image}`,
      `/images/${'c'.repeat(64)}-1280.webp`,
      `${image}?x`,
      'javascript:alert(1)',
    ];
    for (const wrong of elsewhere) {
      const refused = await add(newProduct({ image: wrong }));
      expect([refused.status, refused.body.errors[0].path], wrong).toEqual([422, 'image']);
    }
  });

  test('is refused with all that is wrong at once', async () => {
    const refused = await add({ name: '', price: 0, quantity: 999, minimumOrder: 49 });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual(
      expect.arrayContaining([
        { path: 'name', message: 'Name is Required' },
        { path: 'description', message: 'Description is Required' },
        { path: 'image', message: 'Image is Required' },
      ]),
    );
    expect(refused.body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      'description',
      'image',
      'minimumOrder',
      'name',
      'price',
      'quantity',
    ]);
  });
});

describe('the bounds of a new product', () => {
  const huge = { price: 1, quantity: 100_000_000 };
  test.each([
    ['name', ['x', 'x'.repeat(120), '💠'.repeat(120)], ['', ' ', 'x'.repeat(121), 7, null]],
    ['description', ['x', 'x'.repeat(2000)], ['', '\n', 'x'.repeat(2001), []]],
    ['price', [1, 1.01, 100_000], [0.99, 100_000.01, 1.005, '1', null, true]],
    ['quantity', [1000, 100_000_000], [999, 100_000_001, 1000.5, '1000', null]],
    ['minimumOrder', [50, 1000], [49, 1001, 50.5, '50', null]],
    ['image', [image], ['', `${image}${'x'.repeat(2048)}`, 7]],
  ])('%s', async (field, taken, refused) => {
    for (const value of taken) {
      expect((await add(newProduct({ [field]: value }))).status, `${field} ${value}`).toBe(200);
    }
    for (const value of refused) {
      const { status, body } = await add(newProduct({ [field]: value }));
      expect(status, `${field} ${value}`).toBe(422);
      expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([field]);
    }
  });

  test('its minimum order ends at a million', async () => {
    expect((await add(newProduct({ ...huge, minimumOrder: 1_000_000 }))).status).toBe(200);
    expect((await add(newProduct({ ...huge, minimumOrder: 1_000_001 }))).status).toBe(422);
  });
});

describe('restocking', () => {
  const restock = (id: string, token: string | null, body: unknown = { quantity: 5 }) =>
    shop.request(`/product/${id}`, { method: 'PUT', token, body });

  test("applies an administrator's number", async () => {
    const product = await aProduct(shop);
    const { status, body } = await restock(product._id, admin.token, { quantity: 70_000 });
    expect([status, body.data.quantity]).toEqual([200, 70_000]);
    expect((await readProduct(shop, product._id)).quantity).toBe(70_000);
    for (const quantity of [0, 100_000_000]) {
      expect((await restock(product._id, admin.token, { quantity })).body.data.quantity).toBe(quantity);
    }
  });

  test('answers a customer who ordered the part with the product as it is and changes nothing', async () => {
    const product = await aProduct(shop);
    await anOrder(shop, customer, product);
    const { status, body } = await restock(product._id, customer.token, { quantity: 100_000 });
    expect([status, body.data.quantity]).toEqual([200, 950]);
    expect((await readProduct(shop, product._id)).quantity).toBe(950);
  });

  test('is refused to others', async () => {
    const product = await aProduct(shop);
    expect((await restock(product._id, customer.token)).status).toBe(403);
    expect((await restock(product._id, null)).status).toBe(401);
    expect((await restock(randomUUID(), admin.token)).status).toBe(404);
    for (const quantity of [-1, 0.5, '5', 100_000_001]) {
      expect((await restock(product._id, admin.token, { quantity })).status).toBe(422);
    }
    expect((await readProduct(shop, product._id)).quantity).toBe(1000);
  });
});

describe('deleting a product', () => {
  test('takes it from every list; its orders keep their copy of name and image', async () => {
    const product = await aProduct(shop, { name: 'Short-lived part' });
    const order = await anOrder(shop, customer, product);
    const path = `/product/${product._id}`;
    expect((await shop.request(path, { method: 'DELETE' })).status).toBe(401);
    expect((await shop.request(path, { method: 'DELETE', token: customer.token })).status).toBe(403);
    expect((await shop.request(path, { method: 'DELETE', token: admin.token })).body).toEqual({
      deletedCount: 1,
    });
    expect((await shop.request(path)).status).toBe(404);
    expect(await namesAt('/product?q=short-lived')).toEqual([]);
    expect((await shop.request(path, { method: 'DELETE', token: admin.token })).status).toBe(404);
    const { body } = await shop.request(`/order/${order._id}`, { token: customer.token });
    expect(body).toMatchObject({ productName: 'Short-lived part', image: product.image });
  });
});

describe('every answer', () => {
  test('carries the safe headers and names no library', async () => {
    for (const path of ['/product', '/product/1', '/nothing', '/user']) {
      const { headers } = await shop.request(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin');
      expect(headers.get('content-security-policy')).not.toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  test('to a wrong method is 405 with Allow, to an unknown path 404', async () => {
    const wrong = await shop.request('/product', { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    const accept = await shop.request(`/order/accept/${randomUUID()}`);
    expect([accept.status, accept.headers.get('allow')]).toEqual([405, 'PUT']);
    const unknown = await shop.request('/nothing/here', { method: 'POST' });
    expect([unknown.status, unknown.body.type]).toEqual([404, 'urn:parts-forge:problem:not-found']);
    const unreadable = await shop.request('/%E0%A4%A');
    expect([unreadable.status, unreadable.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
  });

  test('to what is no HTTP is a refusal like all others', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(shop.config.port, '127.0.0.1', () => socket.end('GARBAGE\r\n\r\n'));
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('x-content-type-options: nosniff');
    expect(answer).toContain('"type":"urn:parts-forge:problem:bad-request"');
  });

  test('GET /config tells the page what it needs and no secret', async () => {
    const { body } = await shop.request('/config');
    expect(body).toEqual({
      identity: { kind: 'embedded', google: false },
      payments: { mode: 'sandbox', publishableKey: 'pk_test_sandbox', scriptUrl: expect.any(String) },
      images: { maxBytes: 10_485_760, types: expect.arrayContaining(['image/png']) },
    });
  });

  test('/healthz and /readyz tell that the shop lives and its parts answer', async () => {
    expect((await shop.request('/healthz')).status).toBe(200);
    expect((await shop.request('/readyz')).body).toEqual({ database: true, identity: true });
  });
});

test('a front end of an allowed origin may make every call, one of another may not', async () => {
  const open = await startShop({
    env: { PAYMENTS: 'sandbox', ALLOWED_ORIGINS: 'https://front.example' },
    databaseOf: shop,
  });
  try {
    const ask = (origin: string) =>
      open.request('/user/a@b.example', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization',
        },
      });
    const allowed = await ask('https://front.example');
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://front.example');
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT');
    expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    const { headers } = await open.request('/product', { headers: { origin: 'https://front.example' } });
    expect(headers.get('vary')?.toLowerCase()).toBe('origin, accept-encoding');
  } finally {
    await open.close();
  }
});
