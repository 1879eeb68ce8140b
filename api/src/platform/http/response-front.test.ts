import { createServer } from 'node:http';
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
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
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
    missChanges: () => tell('all', false),
    change: () => tell(new Set(['products']), false),
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
