import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newEmail } from '#test/identity.ts';
import { readCode } from '#test/paying.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';

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

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('every response has a unique id, even a refusal or missing page', async () => {
  const paths = [
    '/product',
    '/config',
    '/order',
    '/nothing',
    '/healthz',
    '/openapi.json',
    '/%zz',
    '/robots.txt',
  ];
  const answers = await Promise.all([...paths, ...paths].map((path) => shop.request(path)));
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  for (const id of ids) expect(id).toMatch(uuid);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a failure of the shop gives its id to customer and log', async () => {
  // A folder in place of the picture's file: present but unreadable.
  const name = `${'f'.repeat(64)}-640.webp`;
  mkdirSync(join(shop.config.dataDir, 'images', name), { recursive: true });
  const { status, headers, body } = await shop.request(`/images/${name}`);
  expect([status, body.type]).toEqual([500, 'urn:parts-forge:problem:internal']);
  expect(body.requestId).toBe(headers.get('x-request-id'));
  shop.expectErrors([
    expect.objectContaining({ requestId: body.requestId, err: expect.objectContaining({ code: 'EISDIR' }) }),
  ]);
  expect((await shop.request(`/images/${'0'.repeat(64)}-640.webp`)).status).toBe(404);
});

/** `Strict-Transport-Security` of a page, a call, a refusal and an unreadable address, with this `ORIGIN`. */
async function transportSecurity(origin: string): Promise<Set<string | null>> {
  const there = await startForTest({ env: { ORIGIN: origin, PAYMENTS: 'sandbox' }, shareDatabaseWith: shop });
  const paths = ['/blogs', '/product', '/order', '/nothing', '/product/%E0%A4%A'];
  const answers = await Promise.all(paths.map((path) => there.request(path)));
  return new Set(answers.map(({ headers }) => headers.get('strict-transport-security')));
}

test('every response of a public https shop has HSTS for a year', async () => {
  expect(await transportSecurity('https://shop.example')).toEqual(new Set(['max-age=31536000']));
});

test.each(['http://shop.example', 'https://localhost:3000', 'https://127.0.0.1:3000', ''])(
  'a shop at %j sends no HSTS',
  async (origin) => {
    expect(await transportSecurity(origin)).toEqual(new Set([null]));
  },
);

test('no response may be framed, sniffed or leak its path to links', async () => {
  for (const path of ['/', '/blogs', '/product', '/order', '/nothing', '/product/%E0%A4%A', '/readyz']) {
    for (const accept of ['text/html', 'application/json']) {
      const { headers } = await shop.request(path, { headers: { accept } });
      expect(headers.get('content-security-policy'), path).toMatch(
        /^default-src 'none'.*frame-ancestors 'none'/,
      );
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('strict-origin');
    }
  }
});

test('a public https origin uses cookies for https alone', async () => {
  const origin = 'https://shop.example';
  const there = await startForTest({ env: { ORIGIN: origin, PAYMENTS: 'sandbox' }, shareDatabaseWith: shop });
  const { headers } = await there.request('/identity/sign-up/email', {
    method: 'POST',
    body: { email: newEmail(), name: 'Amara Okafor', password: 'secret-1' },
    headers: { origin },
  });
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Secure-shop\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(/^__Secure-shop\.known_browser=.*; HttpOnly; SameSite=Lax; Secure$/),
  ]);
});

describe('every response', () => {
  test('every response has the security headers and names no library', async () => {
    for (const path of ['/product', '/product/1', '/nothing', '/user']) {
      const { headers } = await shop.request(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin');
      expect(headers.get('content-security-policy')).not.toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  test('a wrong method is 405 with Allow, an unknown path 404', async () => {
    const wrong = await shop.request('/product', { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    const accept = await shop.request(`/order/accept/${randomUUID()}`);
    expect([accept.status, accept.headers.get('allow')]).toEqual([405, 'PUT']);
    const unknown = await shop.request('/nothing/here', { method: 'POST' });
    expect([unknown.status, unknown.body.type]).toEqual([404, 'urn:parts-forge:problem:not-found']);
    const unreadable = await shop.request('/%E0%A4%A');
    expect([unreadable.status, unreadable.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
  });

  test('invalid HTTP gets a refusal like all others', async () => {
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
    expect(answer).toMatch(/x-request-id: [\da-f-]{36}\r\n/);
    expect(answer).toContain('"type":"urn:parts-forge:problem:bad-request"');
  });

  test('GET /config gives the page its settings and no secret', async () => {
    const { body } = await shop.request('/config');
    expect(body).toEqual({
      identity: {
        kind: 'embedded',
        google: false,
        selfService: true,
        mail: false,
        adminSecondFactor: 'optional',
      },
      payments: { mode: 'sandbox', publishableKey: 'pk_test_sandbox', scriptUrl: expect.any(String) },
      images: {
        maxBytes: 10_485_760,
        types: expect.arrayContaining(['image/png']),
        widths: [160, 320, 640, 1280],
      },
      holdHours: 72,
      contactEmail: null,
      timeZone: 'UTC',
      currency: 'USD',
      chargesTax: false,
      wishes: false,
      shop: {
        name: 'Parts Forge',
        tagline: expect.any(String),
        description: expect.any(String),
        address: ['48 Foundry Lane', 'Sheffield S3 8GG', 'United Kingdom'],
        links: [
          { name: 'Facebook', url: 'https://www.facebook.com/' },
          { name: 'Instagram', url: 'https://www.instagram.com/' },
          { name: 'Twitter', url: 'https://twitter.com/' },
        ],
        picture: '/og.png',
      },
    });
  });

  test('/readyz refuses before the shop ends, without a log line', async () => {
    shop.app.readiness.isLeaving = true;
    const { status, headers } = await shop.request('/readyz');
    shop.app.readiness.isLeaving = false;
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });

  test('/healthz and /readyz report that the shop and its parts work', async () => {
    expect((await shop.request('/healthz')).status).toBe(200);
    expect((await shop.request('/readyz')).body).toEqual({ database: true, identity: true });
  });
});

test('an allowed origin may make every call, another origin may not', async () => {
  const open = await startForTest({
    env: { PAYMENTS: 'sandbox', ALLOWED_ORIGINS: 'https://front.example' },
  });
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
});
