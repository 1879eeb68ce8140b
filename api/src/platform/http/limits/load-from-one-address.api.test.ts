import { beforeAll, describe, expect, test } from 'vitest';
import { reviews } from '#src/reviews/schema.ts';
import { signedInAs } from '#test/builders.ts';
import {
  ATTACKER,
  countConnections,
  openMany,
  openRaw,
  type RawConnection,
  READER,
  readStatus,
} from '#test/raw-connections.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

const base = useShop();
beforeAll(async () => {
  const { userId } = await signedInAs(base, 'user');
  const rows = Array.from({ length: 100 }, () => ({
    id: base.services.ids.next(),
    userId,
    name: 'Amara Okafor',
    ratingHalves: 10,
    description: 'x'.repeat(1000),
  }));
  await base.services.database.db.insert(reviews).values(rows);
});

const open = (env: Record<string, string>) => startForTest({ env, shareDatabaseWith: base });

/** A reader at another address, on one connection after another. */
async function readFifty(shop: TestShop): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    for (const path of ['/product', '/review', '/config', '/healthz', '/readyz']) {
      expect(await readStatus(shop, path, READER), path).toBe(200);
    }
  }
}

const readStatusLine = ({ received }: RawConnection) => received().split('\r\n', 1)[0];
const head = (method: string, path: string, ...headers: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: shop.example', ...headers].join('\r\n')}\r\n\r\n`;
const halfSent = (path: string) =>
  `${head('POST', path, 'Content-Type: application/json', 'Content-Length: 100')}{`;

// macOS has only the first loopback address.
describe.skipIf(process.platform === 'darwin')('reader at another address', () => {
  test('readers are served beside 1005 half-sent bodies, which end with 408', async () => {
    const shop = await open({ MAX_CONNECTIONS_PER_ADDRESS: '2000', BODY_TIMEOUT_MS: '12000' });
    const waiting = await openMany(1005, shop, ATTACKER, halfSent('/identity/sign-in/email'));
    await expect.poll(() => countConnections(shop)).toBe(1005);
    await readFifty(shop);
    expect(waiting.filter(({ received }) => received() !== '')).toEqual([]);
    await Promise.all(waiting.map(({ closed }) => closed));
    expect(new Set(waiting.map(readStatusLine))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
    expect(waiting[0]?.received()).toContain('"type":"urn:parts-forge:problem:too-slow"');
    await expect.poll(() => countConnections(shop)).toBe(0);
  });

  test('readers are served beside half-sent bodies refused by their heads', async () => {
    const shop = await open({ BODY_TIMEOUT_MS: '1500' });
    const refused = await openMany(200, shop, ATTACKER, halfSent('/order'));
    await readFifty(shop);
    await Promise.all(refused.map(({ closed }) => closed));
    expect(new Set(refused.map(readStatusLine))).toEqual(new Set(['HTTP/1.1 401 Unauthorized']));
    await expect.poll(() => countConnections(shop)).toBe(0);
  });

  test('readers are served beside stuck clients, who are cut off', async () => {
    const shop = await open({ RESPONSE_TIMEOUT_MS: '10000' });
    let unfinished = 0;
    shop.app.server.on('request', (_request, response) => {
      unfinished += 1;
      response.once('close', () => {
        unfinished -= 1;
      });
    });
    // The first responses fill the system's buffers; small ones queue behind them.
    const asked = head('GET', '/review?limit=100').repeat(60) + head('GET', '/config').repeat(200);
    const readers = await openMany(30, shop, ATTACKER);
    for (const { socket } of readers) {
      socket.pause();
      socket.write(asked);
    }
    await expect.poll(() => unfinished).toBeGreaterThan(1000);
    await readFifty(shop);
    expect(unfinished).toBeGreaterThan(1000);
    await expect.poll(() => countConnections(shop), { timeout: 30_000 }).toBe(0);
    for (const { socket } of readers) socket.destroy();
  });

  test('readers are served beside two thousand silent connections, which are closed', async () => {
    const shop = await open({ HEADERS_TIMEOUT_MS: '12000' });
    const idle = await openMany(2000, shop, ATTACKER);
    await readFifty(shop);
    await Promise.all(idle.map(({ closed }) => closed));
    const answers = idle.filter(({ received }) => received() !== '');
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.length).toBeLessThanOrEqual(1000);
    expect(new Set(answers.map(readStatusLine))).toEqual(new Set(['HTTP/1.1 503 Service Unavailable']));
    await expect.poll(() => countConnections(shop)).toBe(0);
  });
});

test('a head that does not arrive in time is 408', async () => {
  const shop = await open({ HEADERS_TIMEOUT_MS: '500' });
  const slow = await openRaw(shop, '127.0.0.1', 'GET /product HTTP/1.1\r\nHost: shop');
  await slow.closed;
  expect(readStatusLine(slow)).toBe('HTTP/1.1 408 Request Timeout');
  expect(slow.received()).toContain('content-type: application/problem+json');
  expect(slow.received()).toContain('"type":"urn:parts-forge:problem:too-slow"');
});

describe.skipIf(process.platform === 'darwin')('connections of one address', () => {
  test("connections beyond an address's limit get 503 and Retry-After", async () => {
    const shop = await open({ MAX_CONNECTIONS_PER_ADDRESS: '20' });
    const [first] = await openMany(20, shop, ATTACKER);
    const refused = await openRaw(shop, ATTACKER, head('GET', '/product'));
    await refused.closed;
    const [answerHead = '', body = ''] = refused.received().split('\r\n\r\n');
    expect(answerHead).toMatch(/^HTTP\/1\.1 503 /);
    expect(answerHead).toMatch(/^retry-after: 5\r?$/m);
    expect(answerHead).toMatch(/^content-type: application\/problem\+json\r?$/m);
    expect(JSON.parse(body)).toMatchObject({
      type: 'urn:parts-forge:problem:overloaded',
      status: 503,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await readStatus(shop, '/product', READER)).toBe(200);
    first?.socket.destroy();
    await expect.poll(() => countConnections(shop)).toBe(19);
    expect(await readStatus(shop, '/product', ATTACKER)).toBe(200);
  });

  test('an address has few connections once four fifths are taken', async () => {
    const shop = await open({ MAX_CONNECTIONS: '100', MAX_CONNECTIONS_PER_ADDRESS: '90' });
    await openMany(80, shop, ATTACKER);
    const refused = await openRaw(shop, ATTACKER);
    await refused.closed;
    expect(refused.received()).toMatch(/^HTTP\/1\.1 503 /);
    const few = await openMany(6, shop, READER, head('GET', '/product'));
    for (const { received } of few) await expect.poll(received).toMatch(/^HTTP\/1\.1 200 /);
    const seventh = await openRaw(shop, READER);
    await seventh.closed;
    expect(seventh.received()).toMatch(/^HTTP\/1\.1 503 /);
  });

  test('connections through a trusted proxy are not counted per address', async () => {
    const shop = await open({ MAX_CONNECTIONS_PER_ADDRESS: '20', TRUSTED_PROXIES: '1', PAYMENTS: 'sandbox' });
    const all = await openMany(40, shop, ATTACKER, head('GET', '/product'));
    for (const { received } of all) await expect.poll(received).toMatch(/^HTTP\/1\.1 200 /);
  });
});
