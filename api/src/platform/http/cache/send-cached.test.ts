import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createResponseCache, type FreshResponse } from './response-cache.ts';
import { sendCached, sendWithEtag } from './send-cached.ts';

/** Nothing changes meanwhile. */
const openCache = () =>
  createResponseCache({ isConnected: true, canReachDatabase: async () => true, subscribe: () => {} });

const plain = (body: string | Buffer, more: Partial<FreshResponse> = {}): FreshResponse => ({
  headers: { 'content-type': 'text/plain' },
  body,
  ...more,
});

describe('sending', () => {
  const long = 'Flexible panel bonded to its cover glass. '.repeat(40);

  /** What comes of a response, by the headers of the request. */
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

  test('gives body, headers and tag, to be asked for again each time', async () => {
    const { statusCode, headers, body } = await send(plain('body'));
    expect([statusCode, body]).toEqual([200, 'body']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag: expect.stringMatching(/^W\//),
    });
  });

  test('is 304 without a body for who has it', async () => {
    const etag = String((await send(plain('body'))).headers.etag);
    const { statusCode, headers, body } = await send(plain('body'), { 'if-none-match': etag });
    expect([statusCode, body, headers.etag]).toEqual([304, '', etag]);
    expect((await send(plain('other'), { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('is 404 for a page that is not there, whoever has it; it depends on what is accepted', async () => {
    const missing = plain('nothing', { status: 404 });
    const etag = String((await send(missing)).headers.etag);
    const { statusCode, headers, body } = await send(missing, { 'if-none-match': etag });
    expect([statusCode, body, headers.vary]).toEqual([404, 'nothing', 'accept, accept-encoding']);
  });

  test('stores nowhere what is not for the next one', async () => {
    const { statusCode, headers, body } = await send(plain('broken', { status: 500, isCacheable: false }));
    expect([statusCode, body, headers['cache-control']]).toEqual([500, 'broken', 'no-store']);
    expect(headers).not.toHaveProperty('etag');
  });

  test('tells the age of what may have missed a change, in seconds, and of nothing else', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await send(plain('old', { ageSeconds: 30 }))).headers.age).toBe('30');
    expect((await send(plain('new'))).headers).not.toHaveProperty('age');
    expect((await send(plain('new', { ageSeconds: 0 }))).headers).not.toHaveProperty('age');
  });

  test('compresses what is long enough, once for all', async () => {
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
  ])('of %i bytes is compressed: %s', async (length, encoding) => {
    const { headers, rawPayload } = await send(plain('x'.repeat(length)), { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe(encoding);
    expect((encoding ? gunzipSync(rawPayload) : rawPayload).toString()).toBe('x'.repeat(length));
  });

  test('compresses each encoding once', async () => {
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

test('a short text for everyone has a tag and is 304 for who has it', async () => {
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
