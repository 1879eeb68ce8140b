import { beforeAll, describe, expect, test } from 'vitest';
import { aProduct, orderBody, type Person, signedInAs } from '#test/builders.ts';
import { exchange, readHeader, readUntilRepeated, send, withoutMoment } from '#test/repeated-answers.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';
import { hasJustWritten } from './read-your-writes.ts';

let id: string;
const shop = useShop();
beforeAll(async () => {
  for (let made = 0; made < 12; made += 1) id = (await aProduct(shop, { name: `Display ${made}` }))._id;
});

const host = 'Host: shop.example';
const expectation = 'Expect: 100-continue';
const paths = [
  '/product',
  '/product?q=display',
  '/product?limit=3',
  '/product/:id',
  '/review',
  '/config',
  '/',
  '/all-products',
];

describe.each(paths)('%s', (pattern) => {
  const path = () => pattern.replace(':id', id);

  test.each(['br', 'gzip', 'identity'])(
    'a repeated response in %s differs only in date and id',
    async (encoding) => {
      const accepted = [host, `Accept-Encoding: ${encoding}`];
      for (const method of ['GET', 'HEAD']) {
        const { routed, repeated } = await readUntilRepeated(shop, method, path(), accepted);
        expect(routed.status).toBe(200);
        expect(withoutMoment(repeated)).toBe(withoutMoment(routed));
        expect(repeated.body.equals(routed.body)).toBe(true);
        expect(repeated.body.length > 0).toBe(method === 'GET');
        // In-process requests always reach the routes.
        const own = await shop.app.inject({ url: path(), headers: { 'accept-encoding': encoding } });
        expect(readHeader(repeated, 'content-encoding')).toBe(own.headers['content-encoding']);
        if (method === 'GET') expect(repeated.body.equals(own.rawPayload)).toBe(true);
        expect(readHeader(repeated, 'x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
        expect(readHeader(repeated, 'x-request-id')).not.toBe(readHeader(routed, 'x-request-id'));
      }
    },
  );

  test('a repeated answer is 304 for a client that has it', async () => {
    const { routed } = await readUntilRepeated(shop, 'GET', path(), [host]);
    const known = [host, `If-None-Match: "other", ${readHeader(routed, 'etag')}`];
    for (const method of ['GET', 'HEAD']) {
      const unchanged = await readUntilRepeated(shop, method, path(), known);
      expect([unchanged.routed.status, unchanged.repeated.status]).toEqual([304, 304]);
      expect(withoutMoment(unchanged.repeated)).toBe(withoutMoment(unchanged.routed));
      expect(unchanged.repeated.body).toHaveLength(0);
    }
    const changed = await readUntilRepeated(shop, 'GET', path(), [host, 'If-None-Match: "other"']);
    expect([changed.repeated.status, changed.repeated.body.length]).toEqual([200, routed.body.length]);
  });
});

describe('other requests', () => {
  test.each([
    ['/product?limit=3&x=1', 422],
    ['/product?fits=x&limit=3', 200],
    ['/product?limit=%33', 200],
    ['/product?limit=03', 422],
    ['/product?limit=3&limit=3', 422],
    ['/product?', 200],
    ['/%70roduct', 200],
    ['http://shop.example/product', 200],
    ['/all-products?utm=1', 200],
    ['/all-products#here', 200],
  ])('the route answers %s', async (path, status) => {
    await readUntilRepeated(shop, 'GET', '/product', [host]);
    await readUntilRepeated(shop, 'GET', '/product?limit=3', [host]);
    for (let time = 0; time < 3; time += 1) {
      const answer = await exchange(shop, 'GET', path, [host]);
      expect([answer.status, answer.isRouted]).toEqual([status, true]);
    }
  });

  test.each([
    ['a body', [host, 'Content-Length: 0']],
    ['a body of unknown length', [host, 'Transfer-Encoding: chunked']],
    ['another origin', [host, 'Origin: https://other.example']],
    ['an expectation', [host, expectation]],
    ['another protocol', [host, 'Upgrade: h2c']],
    ['the cookie of a recent write', [host, 'Cookie: a=1; shop.wrote=1']],
    ['the end of its connection', [host, 'Connection: close']],
  ])('the route answers a request with %s', async (_what, lines) => {
    await readUntilRepeated(shop, 'GET', '/product', [host]);
    for (let time = 0; time < 2; time += 1) {
      const rest = lines.some((line) => line.startsWith('Transfer')) ? [...lines, '', '0'] : lines;
      const answer = await exchange(shop, 'GET', '/product', rest);
      expect(answer).toMatchObject({ isRouted: true, status: lines.includes(expectation) ? 100 : 200 });
    }
  });

  test.each([
    ['no Host', []],
    ['two Hosts', [host, 'host: other.example']],
  ])('the route refuses a request with %s', async (_what, lines) => {
    await readUntilRepeated(shop, 'GET', '/product', [host]);
    expect((await exchange(shop, 'GET', '/product', lines)).status).toBe(400);
  });

  test('the route answers a request that writes', async () => {
    await readUntilRepeated(shop, 'GET', '/review', [host]);
    expect((await exchange(shop, 'POST', '/review', [host, 'Content-Length: 0'])).status).toBe(401);
    expect((await exchange(shop, 'PATCH', '/review', [host])).status).toBe(405);
  });
});

test('pipelined requests are answered in their order', async () => {
  const asked = ['/config', '/product?limit=3', '/product/none', '/config', '/product?limit=3', '/config'];
  for (const path of ['/config', '/product?limit=3']) await readUntilRepeated(shop, 'GET', path, [host]);
  const bodies = await Promise.all(
    asked.map(async (path) => (await exchange(shop, 'GET', path, [host])).body.toString()),
  );
  const heads = asked.map((path) => `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`);
  const whole = new RegExp(bodies.map(() => 'HTTP/1.1 ').join('[^]*'));
  const last = bodies.at(-1) ?? '';
  const received = await send(shop, heads.join(''), (bytes) => {
    const text = bytes.toString();
    return whole.test(text) && text.endsWith(last);
  });
  const answers = received
    .toString()
    .split(/HTTP\/1\.1 (?=\d{3} )/)
    .slice(1);
  // A refusal names its request.
  const withoutRequest = (text = '') => text.replace(/"instance":"[^"]*"|"requestId":"[^"]*"/g, '');
  expect(answers.map((text) => withoutRequest(text.slice(text.indexOf('\r\n\r\n') + 4)))).toEqual(
    bodies.map(withoutRequest),
  );
});

describe('changes', () => {
  test('a stock change is in the next read, elsewhere within a second', async () => {
    const admin = await signedInAs(shop, 'admin');
    const other = await startForTest({ shareDatabaseWith: shop });
    for (const quantity of [5000, 6000, 7000]) {
      for (const one of [shop, other]) {
        for (const path of [`/product/${id}`, '/product', '/all-products']) {
          await readUntilRepeated(one, 'GET', path, [host]);
        }
      }
      const restocked = await admin.put(`/product/${id}`, { quantity });
      expect(restocked.status).toBe(200);
      for (const path of [`/product/${id}`, '/product']) {
        const { body } = await exchange(shop, 'GET', path, [host]);
        expect(body.toString()).toContain(`"quantity":${quantity}`);
      }
      const readElsewhere = async () =>
        (await exchange(other, 'GET', `/product/${id}`, [host])).body.toString();
      await expect.poll(readElsewhere).toContain(`"quantity":${quantity}`);
    }
  });
});

describe('an order', () => {
  const shown = ['/product', '/product?q=housing', '/all-products'];
  const filtered = '/product?available=true';
  const others = ['/product?q=display', '/product?limit=3&q=display'];

  /** @returns how many lists without the part were rendered again */
  async function orderAndRead(customer: Person, name: string): Promise<number> {
    const part = await aProduct(shop, { name, quantity: 100, minimumOrder: 50 });
    for (const path of [...shown, filtered, ...others]) await readUntilRepeated(shop, 'GET', path, [host]);
    const { counts } = shop.app.responses;
    const madeBefore = counts.made;
    const body = orderBody(customer, part, 60);
    const placed = await customer.post('/order', body);
    expect(placed.status).toBe(200);
    for (const path of others) await exchange(shop, 'GET', path, [host]);
    const made = counts.made - madeBefore;
    const asCustomer = [host, 'cookie: shop.wrote=1'];
    for (const path of shown.slice(0, 2)) {
      const list = JSON.parse((await exchange(shop, 'GET', path, asCustomer)).body.toString());
      expect(list.find((row: { name: string }) => row.name === name).quantity).toBe(40);
    }
    expect((await exchange(shop, 'GET', '/all-products', asCustomer)).isRouted).toBe(true);
    expect((await exchange(shop, 'GET', filtered, asCustomer)).body.toString()).not.toContain(name);
    return made;
  }

  test('an order renders again only responses that show its part', async () => {
    const customer = await signedInAs(shop, 'user');
    const made: number[] = [];
    // The thirty-second refresh may fall into one of these rounds.
    for (const name of ['Housing 1', 'Housing 2', 'Housing 3']) made.push(await orderAndRead(customer, name));
    expect(made).toContain(0);
  });
});

const wrote = { cookie: 'other=1; shop.wrote=1' };
const customer = usePerson(shop, 'user');

const rename = (id: string, name: string) =>
  shop.pool.query('update products set name = $2 where id = $1', [id, name]);

test('each successful write sets the cookie for two seconds', async () => {
  const product = await aProduct(shop);
  const place = (quantity: number) => customer.places(product, quantity);
  expect((await place(50)).headers.getSetCookie()).toEqual([
    'shop.wrote=1; Max-Age=2; Path=/; HttpOnly; SameSite=Lax',
  ]);
  expect((await place(1_000_000)).headers.getSetCookie()).toEqual([]);
});

test('a read never sets the cookie', async () => {
  for (const headers of [{}, wrote])
    expect((await shop.request('/product', { headers })).headers.getSetCookie()).toEqual([]);
});

test('a recent writer bypasses the cache of a process without the change', async () => {
  const { _id: id } = await aProduct(shop, { name: 'As it was' });
  const read = async (headers: Record<string, string> = {}) => {
    const { body, headers: sent } = await shop.request(`/product/${id}`, { headers });
    return { name: body.data.name, etag: sent.get('etag'), caching: sent.get('cache-control') };
  };
  const before = await read();
  expect(await read(wrote)).toEqual(before);
  // As before the other process's notification arrives.
  await rename(id, 'As it is');
  expect((await read(wrote)).name).toBe('As it is');
});

test.each(['shop.wrote=10', 'other.shop.wrote=1', 'shop-wrote=1'])(
  'the cookie %s names no writer',
  (cookie) => {
    expect(hasJustWritten({ headers: { cookie } })).toBe(false);
  },
);

test('a recent writer gets pages that are rendered again', async () => {
  const read = async (headers: Record<string, string> = {}) =>
    (await shop.request('/all-products', { headers: { accept: 'text/html', ...headers } })).body as string;
  const { _id: id } = await aProduct(shop, { name: 'Listed before' });
  expect(await read()).toContain('Listed before');
  await rename(id, 'Listed after');
  expect(await read(wrote)).toContain('Listed after');
});
