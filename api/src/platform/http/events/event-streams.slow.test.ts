import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { type EventReader, openEvents } from '#test/event-stream.ts';
import { stopRateClock } from '#test/rate-clock.ts';
import { ATTACKER, countConnections, openRaw, READER, readStatus } from '#test/raw-connections.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

let readers: EventReader[] = [];
const base = useShop();
afterEach(() => {
  for (const reader of readers) reader.leave();
  readers = [];
});

const open = (env: Record<string, string>) => startForTest({ env, shareDatabaseWith: base });

async function listen(shop: TestShop, id: string = randomUUID()): Promise<EventReader> {
  const reader = await openEvents(shop, `/live?products=${id}`);
  readers.push(reader);
  return reader;
}

test('streams of one address are limited, and an ended one makes room', async () => {
  const shop = await open({ MAX_STREAMS_PER_ADDRESS: '2' });
  const [first] = [await listen(shop), await listen(shop)];
  const refused = await listen(shop);
  await refused.ended;
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30']);
  expect(JSON.parse(refused.received()).type).toBe('urn:parts-forge:problem:too-many');
  first?.leave();
  await expect.poll(async () => (await listen(shop)).status).toBe(200);
});

// macOS has only the first loopback address.
test.skipIf(process.platform === 'darwin')(
  'all streams together leave a fifth of the connections to readers',
  async () => {
    const shop = await open({ MAX_CONNECTIONS: '20' });
    for (let count = 0; count < 16; count += 1) expect((await listen(shop)).status).toBe(200);
    const refused = await openEvents(shop, `/live?products=${randomUUID()}`, { from: ATTACKER });
    expect(refused.status).toBe(503);
    expect(await readStatus(shop, '/product', READER)).toBe(200);
    shop.expectErrors(1);
  },
);

test('streams do not count in the limit on requests', async () => {
  stopRateClock();
  const shop = await open({ RATE_LIMITS: 'on' });
  for (let round = 0; round < 13; round += 1) {
    await Promise.all(Array.from({ length: 100 }, () => shop.request('/config')));
  }
  expect((await shop.request('/config')).status).toBe(429);
  expect((await listen(shop)).status).toBe(200);
});

test('an address may open streams six hundred times a minute', async () => {
  stopRateClock();
  const shop = await open({ RATE_LIMITS: 'on' });
  const ask = async () => {
    const { status } = await fetch(`${shop.url}/live?products=${randomUUID()}`, { method: 'HEAD' });
    return status;
  };
  const statuses: number[] = [];
  for (let round = 0; round < 24; round += 1) {
    statuses.push(...(await Promise.all(Array.from({ length: 25 }, ask))));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await ask()).toBe(429);
  const refused = await listen(shop);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await shop.request('/config')).status).toBe(200);
});

test('a stream outlives the timeout of responses', async () => {
  const shop = await open({ RESPONSE_TIMEOUT_MS: '500' });
  const part = await aProduct(base);
  const reader = await listen(shop, part._id);
  await expect.poll(() => reader.events.length).toBe(1);
  // A later client that does not read its responses is cut off by that timeout.
  const slow = await openRaw(shop, '127.0.0.1');
  slow.socket.pause();
  slow.socket.write('GET /openapi.json HTTP/1.1\r\nHost: shop.example\r\n\r\n'.repeat(400));
  await expect.poll(() => countConnections(shop)).toBe(1);
  slow.socket.destroy();
  const admin = await signedInAs(base, 'admin');
  await admin.put(`/product/${part._id}`, { quantity: part.quantity + 1 });
  await expect.poll(() => reader.events.length).toBe(2);
});

test('a closing shop ends its streams without waiting for stuck readers', async () => {
  const shop = await startShop({ shareDatabaseWith: base });
  const reading = await listen(shop);
  const idle = await listen(shop);
  idle.stopReading();
  const closed = shop.close();
  await reading.ended;
  await closed;
  expect(reading.status).toBe(200);
});
