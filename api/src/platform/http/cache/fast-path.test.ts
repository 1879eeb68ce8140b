import { createServer } from 'node:http';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { cacheWithChanges, plain } from '#test/response-cache.ts';
import { createFastPath } from './fast-path.ts';
import { sendCached } from './send-cached.ts';

/** A server with one cached route behind the fast path, and the feed of its cache. */
async function aServer() {
  const { cache: responses, ...changes } = cacheWithChanges();
  const fastPath = createFastPath();
  const app = Fastify({ serverFactory: (serve) => createServer(fastPath.before(serve)) });
  onTestFinished(() => app.close());
  app.addHook('onRequest', async ({ id }, reply) => {
    reply.header('x-request-id', id);
  });
  const load = { isFull: () => load.isCrowded, isCrowded: false, watch: () => {} };
  fastPath.open(app, { responses, load, limit: null, findSeries: null });
  let routed = 0;
  app.get('/things', async (asked, reply) => {
    routed += 1;
    const render = async () => plain('things');
    return sendCached(asked, reply, await responses.get('/things', render, ['products']));
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const read = async (headers: Record<string, string> = {}) => {
    const before = routed;
    const answer = await fetch(`${url}/things`, { headers });
    return { isRouted: routed > before, status: answer.status, headers: answer.headers };
  };
  /** For each of several reads, whether a route answered it. */
  const readTimes = async (times: number, headers?: Record<string, string>) => {
    const areRouted: boolean[] = [];
    for (let time = 0; time < times; time += 1) areRouted.push((await read(headers)).isRouted);
    return areRouted;
  };
  return { ...changes, load, read, readTimes };
}

test('the fast path repeats an answer until its content changes', async () => {
  const { readTimes, change } = await aServer();
  expect(await readTimes(3)).toEqual([true, false, false]);
  change('products');
  expect(await readTimes(2)).toEqual([true, false]);
});

test('the fast path repeats a 304', async () => {
  const { read, readTimes } = await aServer();
  const known = { 'if-none-match': (await read()).headers.get('etag') ?? '' };
  expect((await read(known)).status).toBe(304);
  expect((await read(known)).status).toBe(304);
  expect(await readTimes(1, known)).toEqual([false]);
});

test('each repeated answer has its own date and request id', async () => {
  const { read } = await aServer();
  await read();
  const ids = new Set<string | null>();
  for (let time = 0; time < 3; time += 1) {
    const { isRouted, headers } = await read();
    expect([isRouted, Number.isNaN(Date.parse(headers.get('date') ?? ''))]).toEqual([false, false]);
    ids.add(headers.get('x-request-id'));
  }
  expect(ids.size).toBe(3);
});

test('the route answers with the age of a stale response', async () => {
  const { feed, read, readTimes, missChanges, loseDatabase } = await aServer();
  await read();
  loseDatabase();
  missChanges();
  for (let time = 0; time < 3; time += 1) {
    const { isRouted, headers } = await read();
    expect([isRouted, headers.get('age')]).toEqual([true, expect.stringMatching(/^\d+$/)]);
  }
  Object.assign(feed, { isConnected: true, isReachable: true });
  expect(await readTimes(2)).toEqual([true, false]);
});

test('a crowded shop leaves every request to its routes', async () => {
  const { load, readTimes } = await aServer();
  await readTimes(1);
  load.isCrowded = true;
  expect(await readTimes(1)).toEqual([true]);
  load.isCrowded = false;
  expect(await readTimes(1)).toEqual([false]);
});
