import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createResponseCache, type FreshResponse } from './response-cache.ts';
import { sendCached, sendWithEtag } from './send-cached.ts';

/** A cache without changes. */
const openCache = () =>
  createResponseCache({ isConnected: true, canReachDatabase: async () => true, subscribe: () => {} });

const plain = (body: string | Buffer, more: Partial<FreshResponse> = {}): FreshResponse => ({
  headers: { 'content-type': 'text/plain' },
  body,
  ...more,
});

describe('sendCached', () => {
  const long = 'Flexible panel bonded to its cover glass. '.repeat(40);

  /** The sent response, by request headers. */
  async function send(fresh: FreshResponse, headers: Record<string, string> = {}, times = 1) {
    const cache = openCache();
    const app = Fastify();
    app.get('/', async (request, reply) =>
      sendCached(request, reply, await cache.get('x', async () => fresh)),
    );
    let answer = await app.inject({ url: '/', headers });
    for (let count = 1; count < times; count += 1) answer = await app.inject({ url: '/', headers });
    await app.close();
    return answer;
  }

  test('a response has body, headers and ETag, and requires revalidation', async () => {
    const { statusCode, headers, body } = await send(plain('body'));
    expect([statusCode, body]).toEqual([200, 'body']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag: expect.stringMatching(/^W\//),
    });
  });

  test('a client with the current ETag gets 304 without a body', async () => {
    const etag = String((await send(plain('body'))).headers.etag);
    const { statusCode, headers, body } = await send(plain('body'), { 'if-none-match': etag });
    expect([statusCode, body, headers.etag]).toEqual([304, '', etag]);
    expect((await send(plain('other'), { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('a missing page is 404 despite its ETag and varies by Accept', async () => {
    const missing = plain('nothing', { status: 404 });
    const etag = String((await send(missing)).headers.etag);
    const { statusCode, headers, body } = await send(missing, { 'if-none-match': etag });
    expect([statusCode, body, headers.vary]).toEqual([404, 'nothing', 'accept, accept-encoding']);
  });

  test('an uncacheable response is not stored anywhere', async () => {
    const { statusCode, headers, body } = await send(plain('broken', { status: 500, isCacheable: false }));
    expect([statusCode, body, headers['cache-control']]).toEqual([500, 'broken', 'no-store']);
    expect(headers).not.toHaveProperty('etag');
  });

  test('only a response that may be stale has an Age', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await send(plain('old', { ageSeconds: 30 }))).headers.age).toBe('30');
    expect((await send(plain('new'))).headers).not.toHaveProperty('age');
    expect((await send(plain('new', { ageSeconds: 0 }))).headers).not.toHaveProperty('age');
  });

  test('a long response is compressed once for all clients', async () => {
    const read = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const encoding of ['br', 'gzip'] as const) {
      const { headers, rawPayload } = await send(plain(long), { 'accept-encoding': encoding }, 2);
      expect(headers['content-encoding']).toBe(encoding);
      expect(read[encoding](rawPayload).toString()).toBe(long);
    }
    expect((await send(plain(long))).headers).not.toHaveProperty('content-encoding');
  });

  test.each([
    [1399, undefined],
    [1400, 'gzip'],
  ])('a response of %i bytes is compressed: %s', async (length, encoding) => {
    const { headers, rawPayload } = await send(plain('x'.repeat(length)), { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe(encoding);
    expect((encoding ? gunzipSync(rawPayload) : rawPayload).toString()).toBe('x'.repeat(length));
  });

  test('each encoding is compressed once', async () => {
    const cache = openCache();
    const app = Fastify();
    app.get('/', async (request, reply) =>
      sendCached(request, reply, await cache.get('x', async () => plain(long))),
    );
    const headers = { 'accept-encoding': 'br' };
    await app.inject({ url: '/', headers });
    const { encoded } = await cache.get('x', async () => plain(long));
    const compressed = encoded.get('br');
    await app.inject({ url: '/', headers });
    expect(compressed).toBeDefined();
    expect(encoded.get('br')).toBe(compressed);
    expect([...encoded.keys()]).toEqual(['br']);
    await app.close();
  });
});

test('a short public text has an ETag and may be 304', async () => {
  const app = Fastify();
  app.get('/robots.txt', async (request, reply) =>
    sendWithEtag(request, reply.type('text/plain'), 'User-agent: *'),
  );
  const first = await app.inject('/robots.txt');
  expect([first.statusCode, first.body, first.headers['cache-control']]).toEqual([
    200,
    'User-agent: *',
    'no-cache',
  ]);
  const etag = String(first.headers.etag);
  const again = await app.inject({ url: '/robots.txt', headers: { 'if-none-match': etag } });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
  expect((await app.inject({ url: '/robots.txt', headers: { 'if-none-match': 'W/"x"' } })).statusCode).toBe(
    200,
  );
  await app.close();
});
