import type { IncomingMessage } from 'node:http';
import Fastify, { LogController } from 'fastify';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Actor } from './access.ts';
import { setErrorHandler } from './error-handler.ts';
import { limitAccountRate, limitAddressRates, toWindow } from './rate-limits.ts';
import type { SharedRates } from './shared-rates.ts';

const actor = (userId: string) => ({ userId }) as Actor;

/** A server with two routes; the second lets two requests a minute of one account through. */
async function serverWithLimits(env: Record<string, string> = {}, shared: SharedRates | null = null) {
  const lines: { msg: string }[] = [];
  const app = Fastify({
    loggerInstance: createLog('warn', (line) => void lines.push(JSON.parse(line))),
    logController: new LogController({ disableRequestLogging: true }),
  });
  setErrorHandler(app);
  app.decorateRequest('actor', null);
  const addresses = await limitAddressRates(app, readConfig(env), shared);
  app.get('/', async () => 'done');
  app.get('/own', { config: { rateLimit: toWindow({ requests: 1, seconds: 60 }) } }, async () => 'done');
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
  return { app, lines, ask, statuses, count, addresses };
}
const requestFrom = (remoteAddress: string | undefined) => ({ socket: { remoteAddress } }) as IncomingMessage;

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

  test('what is answered before the routes counts together with the rest', async () => {
    const { app, ask, statuses, addresses } = await serverWithLimits();
    const admits = (address: string | undefined) => addresses?.admits(requestFrom(address));
    expect(new Set(await statuses(1199, '/'))).toEqual(new Set([200]));
    expect([admits('127.0.0.1'), admits('127.0.0.1'), admits('127.0.0.2')]).toEqual([true, false, true]);
    expect((await ask('/')).statusCode).toBe(429);
    // One that has closed its connection meanwhile is nobody's.
    expect(admits(undefined)).toBe(false);
    await app.close();
  });

  test('what is answered before the routes counts for a minute, whichever way an address is written', async () => {
    const asked: unknown[] = [];
    const createCount = () => (who: string, windowMs: number) => {
      asked.push([who, windowMs]);
      return { current: 1, ttl: 1 };
    };
    const { app, addresses } = await serverWithLimits({}, { createCount, close: async () => {} });
    expect(addresses?.admits(requestFrom('::ffff:127.0.0.1'))).toBe(true);
    expect(asked).toEqual([['127.0.0.1', 60_000]]);
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

describe('of all processes together', () => {
  /** Counts that come later, as from a database; `names` are those under which they meet. */
  function countLater(current: number) {
    const names: [string, number][] = [];
    const rates: SharedRates = {
      createCount(name, requests) {
        names.push([name, requests]);
        return async () => ({ current, ttl: 30_000 });
      },
      close: async () => {},
    };
    return { names, rates };
  }

  test('addresses, routes and accounts are counted apart, each up to its limit', async () => {
    const { names, rates } = countLater(1);
    const { app, ask } = await serverWithLimits({}, rates);
    expect((await ask('/own')).statusCode).toBe(200);
    expect(names).toContainEqual(['address', 1200]);
    expect(names).toContainEqual(['GET /own', 1]);
    await app.close();
  });

  test('a count that comes later is waited for, and refuses what is above the limit', async () => {
    const { rates } = countLater(1201);
    const { app, ask, addresses } = await serverWithLimits({}, rates);
    const refused = await ask('/');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30']);
    // There nothing can be waited for, so the route counts.
    expect(addresses?.admits(requestFrom('127.0.0.1'))).toBe(false);
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
