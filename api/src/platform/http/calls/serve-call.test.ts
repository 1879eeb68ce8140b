import { type Call, defineCall } from '@parts-forge/contract/calls/call';
import { pagingFields, searchField } from '@parts-forge/contract/calls/paging';
import { idParam } from '@parts-forge/contract/text/text';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { readConfig } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { ChangeListener } from '#src/platform/database/change-feed.ts';
import { createResponseCache } from '#src/platform/http/cache/response-cache.ts';
import { setErrorHandler } from '#src/platform/http/error-handler.ts';
import { limitAddressRates } from '#src/platform/http/limits/rate-limits.ts';
import type { TokenLookup } from './access.ts';
import { parseJsonOnly } from './json-body.ts';
import { serveCall, serveList } from './serve-call.ts';

const id = '019a0b1c-2d3e-7f45-8a67-89abcdef0123';
const person = {
  email: 'amara@fieldrepair.example',
  name: 'Amara',
  signedInAt: null,
  lacksSecondFactor: false,
  tokenHash: Buffer.of(1),
  key: null,
};
/** Tokens `ending…` that were looked up. */
const ended = new Set<string>();
const tokens = {
  async findOwner(token) {
    if (ended.has(token)) return null;
    if (token.startsWith('ending')) {
      ended.add(token);
      return { ...person, userId: 'u', role: 'user' };
    }
    if (token === 'user') return { ...person, userId: 'u', role: 'user' };
    return token === 'admin' ? { ...person, userId: 'a', role: 'admin' } : null;
  },
  lockRights: async () => null,
  findScopes: async () => null,
} satisfies TokenLookup;

interface AskOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A server with the calls that `register` serves, a client of it and its change feed. */
async function serverWith(
  register: (app: FastifyInstance) => void,
  env: Record<string, string> = { RATE_LIMITS: 'off' },
) {
  const app = Fastify({
    loggerInstance: createLog('silent'),
    logController: new LogController({ disableRequestLogging: true }),
  });
  const listeners: ChangeListener[] = [];
  app.decorate('tokens', tokens);
  app.decorate(
    'responses',
    createResponseCache({
      isConnected: true,
      canReachDatabase: async () => true,
      subscribe: (listener) => void listeners.push(listener),
    }),
  );
  app.decorateRequest('actor', null);
  setErrorHandler(app, readConfig({}));
  parseJsonOnly(app);
  await limitAddressRates(app, readConfig(env));
  register(app);
  const ask = async (url: string, { method = 'GET', token, body, headers = {} }: AskOptions = {}) => {
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== '';
    const parsed = isJson ? JSON.parse(answer.body) : answer.body;
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: parsed,
      code: String(parsed?.type).replace('urn:parts-forge:problem:', ''),
    };
  };
  const change = (tags: Parameters<ChangeListener>[0]) => {
    for (const listener of listeners) listener(tags, false);
  };
  return { app, ask, change };
}

const base = { tag: 'Shop', summary: 'A call of this test' } as const;

const writeThing = defineCall({
  ...base,
  method: 'PUT',
  path: '/thing/:id',
  policy: { who: 'user' },
  params: z.object({ id: idParam }),
  query: z.object({ q: searchField }),
  body: z.object({ count: z.int('count is Required') }),
  headers: { 'X-Key': { description: 'A key', pattern: /^[a-z]+$/, message: 'Must be small letters' } },
  answer: z.object({ given: z.unknown() }),
});

const serveThing = (app: FastifyInstance) =>
  serveCall(app, writeThing, async ({ actor, params, query, headers, body, request }) => ({
    given: { role: actor.role, isActor: request.actor === actor, params, query, headers, body },
  }));

describe('serveCall', () => {
  test('a caller whose token ends before the body has come is refused', async () => {
    const handle = vi.fn(async () => ({ given: {} }));
    const { ask } = await serverWith((app) => serveCall(app, writeThing, handle));
    const answer = await ask(`/thing/${id}`, { method: 'PUT', token: 'ending-1', body: { count: 7 } });
    expect([answer.status, answer.code]).toEqual([401, 'sign-in-needed']);
    expect(handle).not.toHaveBeenCalled();
  });

  test('a handler gets validated input, and its result is the answer', async () => {
    const { ask } = await serverWith(serveThing);
    const { status, body, headers } = await ask(`/thing/${id}?q=%20oled%20`, {
      method: 'PUT',
      token: 'user',
      body: { count: 7 },
      headers: { 'x-key': 'abc' },
    });
    expect([status, body]).toEqual([
      200,
      {
        given: {
          role: 'user',
          isActor: true,
          params: { id },
          query: { q: 'oled' },
          headers: { 'x-key': 'abc' },
          body: { count: 7 },
        },
      },
    ]);
    expect(headers['content-type']).toContain('application/json');
    expect(headers['cache-control']).toBe('no-store');
  });

  test('a call runs on behalf of its caller', async () => {
    const { ask } = await serverWith((app) =>
      serveCall(app, writeThing, async () => ({ given: requestContext.current().actor })),
    );
    const request = { method: 'PUT', token: 'user', body: { count: 7 } } as const;
    const { body } = await requestContext.run({ requestId: 'x' }, () => ask(`/thing/${id}`, request));
    expect(body).toEqual({ given: { kind: 'user', id: 'u' } });
  });

  test('a response that is not public has no dependencies', async () => {
    const { ask } = await serverWith((app) =>
      serveCall(app, writeThing, async ({ dependencies }) => ({ given: dependencies })),
    );
    const { body } = await ask(`/thing/${id}`, { method: 'PUT', token: 'user', body: { count: 7 } });
    expect(body).toEqual({ given: [] });
  });

  test('an absent header is absent from the input', async () => {
    const { ask } = await serverWith(serveThing);
    const { body } = await ask(`/thing/${id}`, { method: 'PUT', token: 'user', body: { count: 7 } });
    expect(body.given).toMatchObject({ query: {}, headers: {} });
  });

  test('refusals come in order: caller, size, JSON, schemas, path', async () => {
    const { ask } = await serverWith(serveThing);
    const large = 'x'.repeat(65_537);
    const wrongHeader = { 'x-key': 'A B' };
    const refuse = async (path: string, options: AskOptions) => {
      const { status, code, body } = await ask(path, { method: 'PUT', ...options });
      return [status, code, body.errors?.[0]?.path ?? null];
    };
    expect(await refuse('/thing/x', { body: large })).toEqual([401, 'sign-in-needed', null]);
    expect(await refuse('/thing/x', { body: large, token: 'admin' })).toEqual([403, 'customers-only', null]);
    expect(await refuse('/thing/x', { body: large, token: 'user' })).toEqual([413, 'too-large', null]);
    const { body } = await ask('/thing/x', { method: 'PUT', body: large, token: 'user' });
    expect(body.detail).toBe('At most 64 KiB fit.');
    expect(await refuse('/thing/x', { body: '{', token: 'user' })).toEqual([400, 'no-json', null]);
    const invalid = { token: 'user', body: {}, headers: wrongHeader };
    const tooLong = `?q=${'x'.repeat(121)}`;
    expect(await refuse(`/thing/x${tooLong}`, invalid)).toEqual([422, 'invalid', 'q']);
    expect(await refuse('/thing/x', invalid)).toEqual([422, 'invalid', 'count']);
    const right = { token: 'user', body: { count: 7 } };
    expect(await refuse('/thing/x', { ...right, headers: wrongHeader })).toEqual([422, 'invalid', 'X-Key']);
    expect(await refuse('/thing/x', right)).toEqual([404, 'not-found', null]);
    expect((await refuse(`/thing/${id}`, right))[0]).toBe(200);
  });

  test('a required header is refused after the role and before the body', async () => {
    const header = { description: 'A key', pattern: /^[a-z]+$/, message: 'Must be small letters' };
    const call = { ...writeThing, headers: { 'X-Key': { ...header, required: true } } };
    const { ask } = await serverWith((app) => serveCall(app, call, async () => ({ given: null })));
    const refuse = async (options: AskOptions) => {
      const { status, body } = await ask(`/thing/${id}`, { method: 'PUT', ...options });
      return [status, body.detail];
    };
    expect((await refuse({ token: 'admin', body: '{' }))[0]).toBe(403);
    expect((await refuse({ token: 'user', body: '{"count":7}'.padEnd(65_537) }))[0]).toBe(413);
    expect((await refuse({ token: 'user', body: '{"count":7}'.padEnd(65_536) }))[0]).toBe(428);
    expect(await refuse({ token: 'user', body: '{' })).toEqual([428, 'X-Key is required']);
    expect((await refuse({ token: 'user', body: { count: 7 }, headers: { 'x-key': 'abc' } }))[0]).toBe(200);
  });

  test('a call with a body requires one', async () => {
    const { ask } = await serverWith(serveThing);
    const { status, code } = await ask(`/thing/${id}`, { method: 'PUT', token: 'user' });
    expect([status, code]).toEqual([400, 'no-json']);
  });

  test('a refused call does not reach its handler', async () => {
    let handled = 0;
    const { ask } = await serverWith((app) =>
      serveCall(app, writeThing, async () => {
        handled += 1;
        return { given: null };
      }),
    );
    await ask('/thing/x', { method: 'PUT', token: 'user', body: { count: 7 } });
    await ask(`/thing/${id}`, { method: 'PUT', body: { count: 7 } });
    expect(handled).toBe(0);
  });

  test('a public call has no actor, even with a token', async () => {
    const open = defineCall({
      ...base,
      method: 'POST',
      path: '/open',
      policy: { who: 'everyone' },
      answer: z.object({ actor: z.unknown() }),
    });
    const { ask } = await serverWith((app) =>
      serveCall(app, open, async ({ actor, request }) => ({ actor: [actor, request.actor] })),
    );
    expect((await ask('/open', { method: 'POST', token: 'user' })).body).toEqual({ actor: [null, null] });
  });
});

const readThing = defineCall({
  ...base,
  method: 'GET',
  path: '/thing/:id',
  policy: { who: 'everyone' },
  params: z.object({ id: z.string() }),
  query: z.object({ a: z.optional(z.string()), b: z.optional(z.string()) }),
  answer: z.object({ count: z.int() }),
  dependsOn: (params) => [`product:${params.id}`],
});

describe('cached read', () => {
  const counting = (app: FastifyInstance) => {
    let count = 0;
    serveCall(app, readThing, async () => {
      count += 1;
      return { count };
    });
  };

  test('a read also answers HEAD, a write does not', async () => {
    const { ask } = await serverWith((app) => {
      counting(app);
      serveThing(app);
    });
    const [get, head] = [await ask('/thing/x'), await ask('/thing/x', { method: 'HEAD' })];
    expect([head.status, head.body, head.headers.etag]).toEqual([200, '', get.headers.etag]);
    const writing = await serverWith(serveThing);
    expect((await writing.ask(`/thing/${id}`, { method: 'HEAD', token: 'user' })).status).toBe(404);
  });

  test('a public read is rendered once until its dependencies change', async () => {
    const { ask, change } = await serverWith(counting);
    const count = async (url: string) => (await ask(url)).body.count;
    expect([await count('/thing/x'), await count('/thing/x'), await count('/thing/y')]).toEqual([1, 1, 2]);
    change(new Set(['product:x']));
    expect([await count('/thing/x'), await count('/thing/y')]).toEqual([3, 2]);
  });

  test('a read has an ETag, and 304 answers clients with it', async () => {
    const { ask } = await serverWith(counting);
    const { headers } = await ask('/thing/x');
    expect([headers['content-type'], headers['cache-control']]).toEqual(['application/json', 'no-cache']);
    expect((await ask('/thing/x', { headers: { 'if-none-match': String(headers.etag) } })).status).toBe(304);
  });

  test('known parameters alone identify a read, in any order', async () => {
    const { ask } = await serverWith(counting);
    const count = async (url: string) => (await ask(url)).body.count;
    expect(await count('/thing/x?a=1&b=2')).toBe(1);
    expect(await count('/thing/x?b=2&a=1')).toBe(1);
    expect(await count('/thing/x?a=1&b=')).toBe(2);
    expect(await count('/thing/x?a=1')).toBe(2);
    expect(await count('/thing/x')).toBe(3);
    expect(await count('/thing/x%2Fb?a=1')).toBe(4);
    expect(await count('/thing/x%3Fa=1')).toBe(5);
  });

  test('a read may declare a body of any length, which nobody reads', async () => {
    const { ask } = await serverWith(counting);
    expect((await ask('/thing/x', { headers: { 'content-length': '70000' } })).status).toBe(200);
  });
});

describe('serveList', () => {
  const listThings = (paged: 'rows' | 'data') =>
    defineCall({
      ...base,
      method: 'GET',
      path: '/thing',
      policy: { who: 'everyone' },
      query: z.object({ ...pagingFields, q: searchField }),
      answer: z.unknown() as unknown as z.ZodMiniArray<z.ZodMiniNumber>,
      paged,
    } satisfies Call);
  const page = { rows: [1, 2], next: [id], total: 7 };
  const serve = (paged: 'rows' | 'data') =>
    serverWith((app) => serveList(app, listThings(paged), async () => page));

  test('a list is its rows, or has them under data', async () => {
    expect((await (await serve('rows')).ask('/thing')).body).toEqual([1, 2]);
    expect((await (await serve('data')).ask('/thing')).body).toEqual({ data: [1, 2] });
  });

  test('a list states its total and a next page with its search', async () => {
    const { headers } = await (await serve('rows')).ask('/thing?q=a%20b&limit=2');
    expect(headers['x-total-count']).toBe('7');
    expect(headers.link).toMatch(/^<\/thing\?limit=2&q=a\+b&after=[\w-]+>; rel="next"$/);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('a public list is rendered once until its content changes', async () => {
    const list = { ...listThings('rows'), dependsOn: () => ['products'] as const };
    const count = async ({ ask }: Awaited<ReturnType<typeof serve>>) => (await ask('/thing')).body[0];
    const make = (dependencies?: ['product:x']) => {
      let made = 0;
      return serverWith((app) =>
        serveList(app, list, async () => {
          made += 1;
          return { rows: [made], next: null, total: 1, ...(dependencies && { dependencies }) };
        }),
      );
    };
    const whole = await make();
    expect([await count(whole), await count(whole)]).toEqual([1, 1]);
    whole.change(new Set(['products']));
    expect(await count(whole)).toBe(2);
    const less = await make(['product:x']);
    expect(await count(less)).toBe(1);
    less.change(new Set(['products']));
    expect(await count(less)).toBe(1);
    less.change(new Set(['product:x']));
    expect(await count(less)).toBe(2);
  });
});

describe('rate limit of a call', () => {
  const limited = (who: 'signed-in' | 'everyone') =>
    defineCall({
      ...base,
      method: 'POST',
      path: '/limited',
      policy: { who },
      answer: z.object({ done: z.boolean() }),
      rateLimit: { requests: 2, seconds: 60 },
    });
  const serve = (who: 'signed-in' | 'everyone', env = {}) =>
    serverWith((app) => serveCall(app, limited(who), async () => ({ done: true })), env);
  const statuses = async ({ ask }: Awaited<ReturnType<typeof serve>>, token?: string) => {
    const seen: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      seen.push((await ask('/limited', { method: 'POST', ...(token !== undefined && { token }) })).status);
    }
    return seen;
  };

  test('the limit counts accounts where callers have them', async () => {
    const server = await serve('signed-in');
    expect(await statuses(server, 'user')).toEqual([200, 200, 429]);
    expect(await statuses(server, 'admin')).toEqual([200, 200, 429]);
  });

  test('the limit counts addresses where callers have no account', async () => {
    const server = await serve('everyone');
    expect(await statuses(server, 'user')).toEqual([200, 200, 429]);
    expect(await statuses(server, 'admin')).toEqual([429, 429, 429]);
  });

  test('a call without its own limit has the limit of addresses', async () => {
    const server = await serverWith((app) => {
      const { rateLimit: _, ...call } = limited('signed-in');
      serveCall(app, call, async () => ({ done: true }));
    }, {});
    expect(await statuses(server, 'user')).toEqual([200, 200, 200]);
  });

  test('the limit is off when all limits are', async () => {
    for (const who of ['signed-in', 'everyone'] as const) {
      const server = await serve(who, { RATE_LIMITS: 'off' });
      expect(await statuses(server, 'user'), who).toEqual([200, 200, 200]);
    }
  });
});
