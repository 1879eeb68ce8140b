import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readCode } from '#test/paying.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const customer = usePerson(shop, 'user');
const admin = usePerson(shop, 'admin');

const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const someId = '0199aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa';

describe('forged cursor', () => {
  test.each([
    '0000-01-01T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '+010000-01-01T00:00:00.000Z',
    'infinity',
  ])('a forged cursor with the instant %s is 422', async (instant) => {
    for (const list of ['/product', '/review']) {
      const refused = await shop.request(`${list}?after=${cursor(instant, someId)}`);
      expect([refused.status, readCode(refused)], list).toEqual([422, 'invalid']);
    }
  });
});

test('an overlong name in a path is 404', async () => {
  for (const [method, path] of [
    ['DELETE', '/product/'],
    ['GET', '/product/'],
    ['PUT', '/user/update/'],
    ['GET', '/images/'],
  ] as const) {
    const refused = await shop.request(path + 'x'.repeat(801), { method, token: admin.token });
    expect([refused.status, readCode(refused)], method + path).toEqual([404, 'not-found']);
  }
});

test.each(['/sandbox/%00', '/product/%00', '/user/%00', '/images/%00.webp', '/%00'])(
  'a path with a NUL is 404: %s',
  async (path) => {
    expect((await shop.request(path)).status).toBe(404);
  },
);

describe('card sandbox', () => {
  const key = { authorization: 'Bearer pk_test_sandbox' };

  test.each([
    '/sandbox/stripe/v1/payment_intents/%00',
    '/sandbox/stripe/v1/elements/%00',
    '/sandbox/stripe/challenge/%00',
  ])('the sandbox refuses a NUL in %s in its own words', async (path) => {
    expect((await shop.request(path, { headers: key })).status).toBe(404);
  });

  test('the sandbox refuses an endlessly nested form in its own words', async () => {
    const path = `/sandbox/stripe/v1/payment_intents/pi_1?a${'['.repeat(15_000)}=1`;
    expect((await shop.request(path, { headers: key })).status).toBe(400);
  });
});

describe('HTTP that its standard forbids', () => {
  test.each([
    ['two Host headers', 400, ['Host: shop.example', 'Host: evil.example']],
    ['two equal Host headers', 400, ['Host: shop.example', 'host: shop.example']],
    ['no Host header', 400, []],
    ['an expectation that nobody knows', 417, ['Host: shop.example', 'Expect: nonsense']],
    ['a header without an end', 400, ['Host: shop.example', 'no colon']],
    ['two lengths', 400, ['Host: shop.example', 'Content-Length: 1', 'Content-Length: 2']],
    [
      'a length beside chunks',
      400,
      ['Host: shop.example', 'Content-Length: 5', 'Transfer-Encoding: chunked'],
    ],
  ])('a request that HTTP forbids is a problem: %s', async (_what, status, lines) => {
    const { head, body } = await sendRaw(['GET /product HTTP/1.1', ...lines, 'Connection: close']);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/^content-type: application\/problem\+json\b/im);
    expect(head).toMatch(/^x-content-type-options: nosniff\r?$/im);
    expect(head).toMatch(/^x-request-id: [0-9a-f-]{36}\r?$/im);
    expect(JSON.parse(body)).toMatchObject({ type: 'urn:parts-forge:problem:bad-request', status });
  });

  test('a known expectation and HTTP/1.0 without a host are accepted', async () => {
    const known = [
      'GET /healthz HTTP/1.1',
      'Host: shop.example',
      'Expect: 100-continue',
      'Connection: close',
    ];
    expect((await sendRaw(known)).head).toMatch(/^HTTP\/1\.1 (100|200) /);
    expect((await sendRaw(['GET /healthz HTTP/1.0'])).head).toMatch(/^HTTP\/1\.1 200 /);
  });
});

/** Sends the lines unchanged and reads the response. */
async function sendRaw(lines: string[]): Promise<{ head: string; body: string }> {
  const socket = connect(shop.config.port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { head, body };
}

test('a LinkedIn address with a user or password is refused', async () => {
  for (const linkdin of [
    'https://user:password@evil.example/',
    'https://www.linkedin.com@evil.example',
    'http://@evil.example',
    'https://evil.example\\@www.linkedin.com/in/amara',
  ]) {
    const refused = await customer.put(`/user/update/${customer.email}`, { linkdin });
    expect([refused.status, refused.body.errors?.[0].path], linkdin).toEqual([422, 'linkdin']);
  }
  const taken = await customer.put(`/user/update/${customer.email}`, {
    linkdin: 'https://www.linkedin.com/in/amara?mail=a@b.example#@',
  });
  expect(taken.status).toBe(200);
});
