import type { IncomingMessage } from 'node:http';
import Fastify, { LogController } from 'fastify';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import { setErrorHandler } from '#src/platform/http/error-handler.ts';
import { type Counted, type CreateCount, createLocalCount } from './rate-counts.ts';
import { limitAccountRate, limitAddressRates, toWindow } from './rate-limits.ts';

const actor = (userId: string) => ({ userId }) as Actor;

/** A server with three routes; the last two allow two requests a minute, per account and per address. */
async function serverWithLimits(env: Record<string, string> = {}, createCount?: CreateCount) {
  const lines: { msg: string }[] = [];
  const app = Fastify({
    loggerInstance: createLog('warn', (line) => void lines.push(JSON.parse(line))),
    logController: new LogController({ disableRequestLogging: true }),
  });
  setErrorHandler(app, readConfig({}));
  app.decorateRequest('actor', null);
  const addresses = await limitAddressRates(app, readConfig(env), createCount);
  app.get('/', async () => 'done');
  const count = limitAccountRate(app, '/a-call', { requests: 2, seconds: 60 });
  app.get<{ Querystring: { user: string } }>('/counted', async (request) => {
    request.actor = actor(request.query.user);
    await count?.(request, request.actor);
    return 'done';
  });
  app.get('/few', { config: { rateLimit: toWindow({ requests: 2, seconds: 60 }) } }, async () => 'done');
  const ask = async (url: string, remoteAddress = '127.0.0.1') => app.inject({ url, remoteAddress });
  const statuses = async (times: number, url: string, remoteAddress?: string) => {
    const seen: number[] = [];
    for (let index = 0; index < times; index += 1) seen.push((await ask(url, remoteAddress)).statusCode);
    return seen;
  };
  return { app, lines, ask, statuses, count, addresses };
}

/** Fake counts of several processes, and the calls to them. */
function fakeSharedRates(answer: (counted: Counted) => Counted | Promise<Counted> = (counted) => counted) {
  const limits: [name: string, requests: number][] = [];
  const windows: [name: string, who: string, windowMs: number][] = [];
  const shared: CreateCount = (name, requests) => {
    limits.push([name, requests]);
    const count = createLocalCount();
    return (who, windowMs) => {
      windows.push([name, who, windowMs]);
      return answer(count(who, windowMs));
    };
  };
  return { shared, limits, windows };
}

const requestFrom = (remoteAddress?: string) => ({ socket: { remoteAddress } }) as IncomingMessage;

test('a limit is a number of requests in a number of seconds', () => {
  expect(toWindow({ requests: 120, seconds: 60 })).toEqual({ max: 120, timeWindow: 60_000 });
});

describe('limit of an address', () => {
  test('an address may send 1200 requests a minute, then must wait', async () => {
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

  test("a page's own calls are not counted again", async () => {
    const { app, statuses } = await serverWithLimits();
    const inside = await requestContext.run({ requestId: 'x', dependencies: new Set() }, () =>
      statuses(1300, '/'),
    );
    expect(new Set(inside)).toEqual(new Set([200]));
    await app.close();
  });

  test('no response shows the remaining requests', async () => {
    const { app, ask } = await serverWithLimits();
    for (const { headers } of [await ask('/'), await ask('/counted?user=a')]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    }
    await app.close();
  });
});

describe('limit of an account', () => {
  test("an account's limit holds across addresses", async () => {
    const { app, ask, statuses } = await serverWithLimits();
    expect(await statuses(2, '/counted?user=a')).toEqual([200, 200]);
    const refused = await ask('/counted?user=a', '127.0.0.2');
    expect(refused.statusCode).toBe(429);
    expect(refused.json().type).toBe('urn:parts-forge:problem:too-many');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
    await app.close();
  });

  test("an account's limit spares others, even at the same address", async () => {
    const { app, statuses } = await serverWithLimits();
    await statuses(3, '/counted?user=a');
    expect(await statuses(2, '/counted?user=b')).toEqual([200, 200]);
    await app.close();
  });
});

describe('limit on the fast path', () => {
  test('the fast path counts with the routes and leaves refusals to them', async () => {
    const { app, addresses, statuses } = await serverWithLimits();
    await statuses(1, '/');
    const admits = (times: number, address?: string) =>
      Array.from({ length: times }, () => addresses?.admits(requestFrom(address)));
    expect(new Set(admits(1199, '127.0.0.1'))).toEqual(new Set([true]));
    expect(admits(1, '127.0.0.1')).toEqual([false]);
    expect(await statuses(1, '/')).toEqual([429]);
    expect(admits(1, '127.0.0.2')).toEqual([true]);
    // A client that has hung up has no address.
    expect(admits(1)).toEqual([false]);
    await app.close();
  });

  test('addresses of one IPv6 network count as one for a minute', async () => {
    const { shared, windows } = fakeSharedRates();
    const { app, addresses } = await serverWithLimits({}, shared);
    for (const host of ['2001:db8::1', '2001:db8::2', '192.0.2.1']) addresses?.admits(requestFrom(host));
    const [one, other, last] = windows.map(([, who]) => who);
    expect([one === other, last]).toEqual([true, '192.0.2.1']);
    expect(windows.map(([name, , windowMs]) => [name, windowMs])).toEqual(Array(3).fill(['address', 60_000]));
    await app.close();
  });

  test('the fast path decides nothing where counts are asynchronous', async () => {
    const { shared } = fakeSharedRates(async (counted) => counted);
    const { app, addresses } = await serverWithLimits({}, shared);
    expect(addresses?.admits(requestFrom('127.0.0.1'))).toBe(false);
    await app.close();
  });
});

describe('several processes', () => {
  test('each limit has its own name, which all processes share', async () => {
    const { shared, limits, windows } = fakeSharedRates();
    const { app, ask } = await serverWithLimits({}, shared);
    expect(limits).toEqual(
      expect.arrayContaining([
        ['address', 1200],
        [expect.any(String), 2],
        ['GET /few', 2],
      ]),
    );
    await ask('/few');
    expect(windows).toEqual([['GET /few', '127.0.0.1', 60_000]]);
    await ask('/counted?user=a');
    expect(windows.slice(1).map(([name, who]) => [name === 'GET /few', who])).toEqual([
      [false, '127.0.0.1'],
      [false, '/a-call a'],
    ]);
    await app.close();
  });

  test('limits hold where the database counts', async () => {
    const { shared } = fakeSharedRates(async (counted) => counted);
    const { app, statuses } = await serverWithLimits({}, shared);
    expect(await statuses(3, '/few')).toEqual([200, 200, 429]);
    expect(await statuses(3, '/counted?user=a')).toEqual([200, 200, 429]);
    await app.close();
  });

  test('a failed count does not admit a request', async () => {
    const { shared } = fakeSharedRates(async () => {
      throw new Error('no count');
    });
    const { app, statuses } = await serverWithLimits({}, shared);
    expect(await statuses(1, '/few')).toEqual([500]);
    await app.close();
  });
});

test('RATE_LIMITS=off switches off every limit and says so', async () => {
  const { app, lines, statuses, count } = await serverWithLimits({ RATE_LIMITS: 'off' });
  expect(count).toBeNull();
  expect(new Set(await statuses(1300, '/counted?user=a'))).toEqual(new Set([200]));
  expect(lines.map(({ msg }) => msg)).toEqual([
    'RATE_LIMITS=off: no limit on the rate of requests but the throttle on wrong passwords',
  ]);
  await app.close();
});
