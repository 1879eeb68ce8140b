import type { CacheTag } from '@parts-forge/contract/calls/call';
import Fastify, { LogController } from 'fastify';
import { expect, test } from 'vitest';
import { createLog } from '#src/platform/core/log.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import { logWrites, setRequestContext } from './request-log.ts';

/** A server and the lines that it logs. */
function serverWithLog() {
  const lines: Record<string, unknown>[] = [];
  const app = Fastify({
    loggerInstance: createLog('info', (line) => void lines.push(JSON.parse(line))),
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: () => 'request-7',
  });
  setRequestContext(app);
  logWrites(app);
  app.all('/things/:id', async (request, reply) => {
    request.log.info('handled');
    return reply.code(Number((request.query as { status?: string }).status ?? 200)).send('done');
  });
  app.get('/context', async () => {
    const { requestId, dependencies } = requestContext.current();
    return { requestId, dependencies: dependencies && [...dependencies] };
  });
  const answered = () => lines.filter(({ msg }) => msg === 'answered');
  return { app, lines, answered };
}

test('each write has a line without its query string', async () => {
  const { app, lines, answered } = serverWithLog();
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    await app.inject({ method, url: '/things/x?key=secret&status=201' });
  }
  await app.close();
  expect(answered().map(({ method, path, status }) => [method, path, status])).toEqual([
    ['POST', '/things/:id', 201],
    ['PUT', '/things/:id', 201],
    ['DELETE', '/things/:id', 201],
  ]);
  for (const { ms } of answered())
    expect(ms).toSatisfy((value) => Number.isInteger(value) && Number(value) >= 0);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a read has a line only when it failed', async () => {
  const { app, answered } = serverWithLog();
  for (const status of [200, 304, 404, 499, 500, 503]) {
    for (const method of ['GET', 'HEAD'] as const) {
      await app.inject({ method, url: `/things/x?key=secret&status=${status}` });
    }
  }
  await app.close();
  expect(answered().map(({ method, path, status }) => [method, path, status])).toEqual([
    ['GET', '/things/:id', 500],
    ['HEAD', '/things/:id', 500],
    ['GET', '/things/:id', 503],
    ['HEAD', '/things/:id', 503],
  ]);
});

test('a line names only the route and an id of the address', async () => {
  const { app, lines, answered } = serverWithLog();
  const id = '019a0b1c-2d3e-7f45-8a67-89abcdef0123';
  for (const url of [`/things/${id}`, '/things/amara%40fieldrepair.example', '/amara/okafor']) {
    await app.inject({ method: 'POST', url });
  }
  await app.close();
  expect(answered().map((line) => [line.path, line.id])).toEqual([
    ['/things/:id', id],
    ['/things/:id', undefined],
    ['no route', undefined],
  ]);
  expect(JSON.stringify(lines)).not.toContain('amara');
});

test('every line of a request has its id', async () => {
  const { app, lines } = serverWithLog();
  await app.inject({ method: 'POST', url: '/things/x' });
  await app.close();
  expect(lines.map(({ msg, requestId }) => [msg, requestId])).toEqual([
    ['handled', 'request-7'],
    ['answered', 'request-7'],
  ]);
});

test("a request has its own id and passes on a page's dependencies", async () => {
  const { app } = serverWithLog();
  expect((await app.inject('/context')).json()).toEqual({ requestId: 'request-7' });
  const dependencies = new Set<CacheTag>(['products']);
  const inside = await requestContext.run(
    { requestId: 'page', dependencies },
    async () => await app.inject('/context'),
  );
  expect(inside.json()).toEqual({ requestId: 'request-7', dependencies: ['products'] });
  await app.close();
});
