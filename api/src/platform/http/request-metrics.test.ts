import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { createMetrics } from '#src/platform/core/metrics.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import { setErrorHandler } from './error-handler.ts';
import { setRequestContext } from './request-log.ts';
import { measureRequests } from './request-metrics.ts';

/** A server with metrics, and a reader of its figures by prefix. */
async function measuredServer() {
  const metrics = await createMetrics();
  const app = Fastify();
  setErrorHandler(app, readConfig({}));
  setRequestContext(app);
  measureRequests(app, metrics);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/things/:id',
    handler: async (request) => {
      const { id } = request.params as { id: string };
      if (id === 'gone') throw new Problem('not-found');
      if (id === 'broken') throw new Error('it fell over');
      return { id };
    },
  });
  const read = async (name: string) => {
    const { text } = await metrics.read();
    return text.split('\n').filter((line) => line.startsWith(name));
  };
  return { app, read };
}

/** The refusals that have occurred. */
const readRefusals = async (read: (name: string) => Promise<string[]>) =>
  (await read('shop_refusals_total{')).filter((line) => !line.endsWith(' 0'));

const COUNT = 'shop_http_request_duration_seconds_count';

test('responses are counted by route pattern and status, not by address', async () => {
  const { app, read } = await measuredServer();
  for (const path of ['/things/1', '/things/2?key=secret', '/things/gone', '/nothing/at/all']) {
    await app.inject(path);
  }
  await app.inject({ method: 'HEAD', url: '/things/3' });
  expect(await read(COUNT)).toEqual([
    `${COUNT}{method="GET",route="/things/:id",status="200"} 2`,
    `${COUNT}{method="GET",route="/things/:id",status="404"} 1`,
    `${COUNT}{method="GET",route="unmatched",status="404"} 1`,
    `${COUNT}{method="HEAD",route="/things/:id",status="200"} 1`,
  ]);
});

test('refusals are counted by code, even failures of the shop', async () => {
  const { app, read } = await measuredServer();
  expect(await read('shop_refusals_total{reason="internal"}')).toEqual([
    'shop_refusals_total{reason="internal"} 0',
  ]);
  for (const path of ['/things/gone', '/things/gone', '/things/broken', '/things/1']) await app.inject(path);
  expect(await readRefusals(read)).toEqual([
    'shop_refusals_total{reason="not-found"} 2',
    'shop_refusals_total{reason="internal"} 1',
  ]);
});

test('response times are in seconds', async () => {
  const { app, read } = await measuredServer();
  const startedAtMs = performance.now();
  await app.inject('/things/1');
  const elapsedMs = performance.now() - startedAtMs;
  const [sum] = await read('shop_http_request_duration_seconds_sum');
  const seconds = Number(sum?.split(' ').at(-1));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(elapsedMs / 1000);
});

test("the shop's own calls for a page are not counted", async () => {
  const { app, read } = await measuredServer();
  await requestContext.run({ requestId: 'page', dependencies: new Set() }, async () => {
    await app.inject('/things/1');
    await app.inject('/things/gone');
  });
  expect([...(await read(COUNT)), ...(await readRefusals(read))]).toEqual([]);
});
