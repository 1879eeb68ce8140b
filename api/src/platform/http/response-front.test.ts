import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChangeListener } from '#src/platform/database/change-feed.ts';
import { callKey, createResponseCache } from './response-cache.ts';
import { createResponseFront } from './response-front.ts';
import { sendCached } from './send-cached.ts';

/** A server with one cached route behind a front, and the feed by which its cache hears of changes. */
async function aServer() {
  let tell: ChangeListener = () => {};
  const feed = {
    isConnected: true,
    isReachable: true,
    canReachDatabase: async () => feed.isReachable,
    subscribe: (listener: ChangeListener) => {
      tell = listener;
    },
  };
  const responses = createResponseCache(feed);
  const front = createResponseFront();
  const app = Fastify({ serverFactory: (serve) => createServer(front.before(serve)) });
  app.addHook('onRequest', async ({ id }, reply) => {
    reply.header('x-request-id', id);
  });
  const load = { isFull: () => load.isCrowded, isCrowded: false, watch: () => {} };
  front.open(app, { responses, load, limit: null, findSeries: null });
  let routed = 0;
  app.get('/things', async (asked, reply) => {
    routed += 1;
    const make = async () => ({ headers: { 'content-type': 'text/plain' }, body: 'things' });
    return sendCached(asked, reply, await responses.get(callKey('/things'), make, ['products']));
  });
  const part = { text: 'a part' };
  const agent = new Agent({ keepAlive: true });
  app.addHook('onClose', async () => agent.destroy());
  app.route({
    method: ['GET', 'HEAD'],
    url: '/part',
    async handler(asked, reply) {
      routed += 1;
      const make = async () => ({
        headers: { 'content-type': 'text/plain' },
        body: part.text,
        remake: () => part.text,
      });
      return sendCached(asked, reply, await responses.get(callKey('/part'), make, ['product:x']));
    },
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  /** The part's answer, without its moment. */
  const readPart = async (method: string, known: Record<string, string> = {}) => {
    const before = routed;
    // `fetch` ends its connection with each HEAD.
    const asking = request(`${url}/part`, { agent, method, headers: known }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    const { date, 'x-request-id': id, ...headers } = answer.headers;
    const body = Buffer.concat(await answer.toArray());
    return { isRouted: routed > before, status: answer.statusCode, headers, body };
  };
  const read = async (known: Record<string, string> = {}) => {
    const before = routed;
    const { headers, status } = await fetch(`${url}/things`, { headers: known });
    return { isRouted: routed > before, age: headers.get('age'), status };
  };
  const readEtag = async () => (await fetch(`${url}/things`)).headers.get('etag') ?? '';
  const readDate = async () => (await fetch(`${url}/things`)).headers.get('date');
  return {
    app,
    feed,
    load,
    read,
    readEtag,
    readDate,
    missChanges: () => tell('all'),
    change: () => tell(new Set(['products'])),
    part,
    readPart,
    changePart: () => tell(new Set(['product:x'])),
    orderPart: () => tell(new Set(['product:x', 'products', 'mail']), 'elsewhere'),
  };
}

afterEach(() => void vi.useRealTimers());

const routedNow = { isRouted: true, age: null, status: 200 };
const repeatedNow = { ...routedNow, isRouted: false };

test('repeats an answer from the second request on, until what it shows changes', async () => {
  const { app, read, change } = await aServer();
  expect([await read(), await read(), await read()]).toEqual([routedNow, repeatedNow, repeatedNow]);
  change();
  expect([await read(), await read()]).toEqual([routedNow, repeatedNow]);
  await app.close();
});

const methods = ['GET', 'HEAD'];

test('repeats what was remade after an order as its route would answer it', async () => {
  const { app, part, readPart, changePart, orderPart } = await aServer();
  for (const method of methods) await readPart(method);
  const { headers } = await readPart('GET');
  const known = { 'if-none-match': headers.etag ?? '' };
  await readPart('GET', known);
  part.text = 'a part with less';
  orderPart();
  const remade = [];
  for (const method of methods) remade.push(await readPart(method));
  expect(remade.map(({ isRouted, body }) => [isRouted, String(body)])).toEqual([
    [false, 'a part with less'],
    [false, ''],
  ]);
  expect(remade.map((answer) => answer.headers['content-length'])).toEqual(['16', '16']);
  const knownNow = { 'if-none-match': remade[0]?.headers.etag ?? '' };
  const unchanged = await readPart('GET', knownNow);
  expect([unchanged.isRouted, unchanged.status]).toEqual([false, 304]);
  expect((await readPart('GET', known)).status).toBe(200);
  changePart();
  const made = [];
  for (const method of methods) made.push(await readPart(method));
  made.push(await readPart('GET', knownNow));
  expect(made).toEqual([...remade, unchanged].map((answer) => ({ ...answer, isRouted: true })));
  await app.close();
});

test('leaves to the route what was remade and is to be compressed, or was before', async () => {
  const { app, part, readPart, orderPart } = await aServer();
  const asBrowser = { 'accept-encoding': 'br' };
  const sizes = [1399, 1400, 1399];
  for (const [index, size] of sizes.entries()) {
    part.text = 'x'.repeat(size);
    if (index > 0) orderPart();
    const answers = [await readPart('GET', asBrowser), await readPart('GET', asBrowser)];
    expect(answers.map(({ isRouted }) => isRouted)).toEqual([true, false]);
    for (const { headers, body } of answers) {
      expect(headers['content-encoding']).toBe(size < 1400 ? undefined : 'br');
      expect(String(size < 1400 ? body : brotliDecompressSync(body))).toBe(part.text);
    }
  }
  await app.close();
});

test('repeats to whoever has it that nothing has changed', async () => {
  const { app, read, readEtag } = await aServer();
  const known = { 'if-none-match': await readEtag() };
  const unchanged = { age: null, status: 304 };
  expect([await read(known), await read(known)]).toEqual([
    { ...unchanged, isRouted: true },
    { ...unchanged, isRouted: false },
  ]);
  await app.close();
});

test('repeats an answer with the time of its own', async () => {
  const { app, readDate } = await aServer();
  await readDate();
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const now of ['2040-01-01T00:00:00Z', '2040-01-01T00:00:01Z', '2040-02-29T23:59:59Z']) {
    vi.setSystemTime(now);
    expect(await readDate()).toBe(new Date(now).toUTCString());
  }
  await app.close();
});

test('leaves it to the route to tell the age of what may have missed a change, while the database is away', async () => {
  const { app, feed, read, missChanges } = await aServer();
  await read();
  feed.isConnected = false;
  feed.isReachable = false;
  missChanges();
  for (let time = 0; time < 3; time += 1) {
    expect(await read()).toEqual({ isRouted: true, age: expect.stringMatching(/^\d+$/), status: 200 });
  }
  feed.isConnected = true;
  feed.isReachable = true;
  expect([await read(), await read()]).toEqual([routedNow, repeatedNow]);
  await app.close();
});

test('leaves it to the routes to turn requests away', async () => {
  const { app, load, read } = await aServer();
  await read();
  load.isCrowded = true;
  expect(await read()).toEqual(routedNow);
  load.isCrowded = false;
  expect(await read()).toEqual(repeatedNow);
  await app.close();
});
