import Fastify, { LogController } from 'fastify';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Actor } from './access.ts';
import { setErrorHandler } from './error-handler.ts';
import { limitAccountRate, limitAddressRates, toWindow } from './rate-limits.ts';

const actor = (userId: string) => ({ userId }) as Actor;

/** A server with two routes; the second lets two requests a minute of one account through. */
async function serverWithLimits(env: Record<string, string> = {}) {
  const lines: { msg: string }[] = [];
  const app = Fastify({
    loggerInstance: createLog('warn', (line) => void lines.push(JSON.parse(line))),
    logController: new LogController({ disableRequestLogging: true }),
  });
  setErrorHandler(app);
  app.decorateRequest('actor', null);
  await limitAddressRates(app, readConfig(env), null);
  app.get('/', async () => 'done');
  const count = limitAccountRate(app, '/a-call', { requests: 2, seconds: 60 });
  app.get<{ Querystring: { user: string } }>('/counted', async (request) => {
    request.actor = actor(request.query.user);
    await count?.(request, request.actor);
    return 'done';
  });
  const ask = async (url: string, remoteAddress = '127.0.0.1') => app.inject({ url, remoteAddress });
  const statuses = async (times: number, url: string, remoteAddress?: string) => {
    const seen: number[] = [];
    for (let index = 0; index < times; index += 1) seen.push((await ask(url, remoteAddress)).statusCode);
    return seen;
  };
  return { app, lines, ask, statuses, count };
}

test('a limit is so many requests in so many seconds', () => {
  expect(toWindow({ requests: 120, seconds: 60 })).toEqual({ max: 120, timeWindow: 60_000 });
});

describe('of one address', () => {
  test('1200 requests in a minute are let through, further ones are told when to try again', async () => {
    const { app, ask, statuses } = await serverWithLimits();
    expect(new Set(await statuses(1200, '/'))).toEqual(new Set([200]));
    const refused = await ask('/');
    expect(refused.statusCode).toBe(429);
    expect(refused.json().type).toBe('urn:parts-forge:problem:too-many');
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await ask('/', '127.0.0.2')).statusCode).toBe(200);
    await app.close();
  });

  test('the requests that a page makes inside are not counted again', async () => {
    const { app, statuses } = await serverWithLimits();
    const inside = await requestContext.run({ requestId: 'x', dependencies: new Set() }, () =>
      statuses(1300, '/'),
    );
    expect(new Set(inside)).toEqual(new Set([200]));
    await app.close();
  });

  test('no answer tells how many are left', async () => {
    const { app, ask } = await serverWithLimits();
    for (const { headers } of [await ask('/'), await ask('/counted?user=a')]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    }
    await app.close();
  });
});

describe('of one account', () => {
  test('as many as the call says are let through, whatever address they come from', async () => {
    const { app, ask, statuses } = await serverWithLimits();
    expect(await statuses(2, '/counted?user=a')).toEqual([200, 200]);
    const refused = await ask('/counted?user=a', '127.0.0.2');
    expect(refused.statusCode).toBe(429);
    expect(refused.json().type).toBe('urn:parts-forge:problem:too-many');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
    await app.close();
  });

  test('others are not held up, also not from the same address', async () => {
    const { app, statuses } = await serverWithLimits();
    await statuses(3, '/counted?user=a');
    expect(await statuses(2, '/counted?user=b')).toEqual([200, 200]);
    await app.close();
  });
});

test('RATE_LIMITS=off switches off every limit, and says so', async () => {
  const { app, lines, statuses, count } = await serverWithLimits({ RATE_LIMITS: 'off' });
  expect(count).toBeNull();
  expect(new Set(await statuses(1300, '/counted?user=a'))).toEqual(new Set([200]));
  expect(lines.map(({ msg }) => msg)).toEqual([
    'RATE_LIMITS=off: no limit on the rate of requests but the throttle on wrong passwords',
  ]);
  await app.close();
});
