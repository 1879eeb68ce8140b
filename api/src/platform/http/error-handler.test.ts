import { type ProblemCode, problems } from '@parts-forge/contract/problems';
import Fastify, { LogController } from 'fastify';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createLog } from '#src/platform/core/log.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { setErrorHandler } from './error-handler.ts';

/** What is answered and logged when a handler throws. */
async function afterThrowing(error: unknown) {
  const lines: Record<string, unknown>[] = [];
  const app = Fastify({
    loggerInstance: createLog('info', (line) => void lines.push(JSON.parse(line))),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => 'request-7',
  });
  setErrorHandler(app);
  app.get('/', async () => {
    throw error;
  });
  const { statusCode, headers, body } = await app.inject('/');
  await app.close();
  return { status: statusCode, headers, body: JSON.parse(body), lines };
}

const failure = (properties: object, message = 'secret') => Object.assign(new Error(message), properties);
const readCode = ({ body }: { body: { type: string } }) => body.type.replace('urn:parts-forge:problem:', '');

describe('a refusal', () => {
  test('is answered as a problem that nobody stores, and is not logged', async () => {
    const { status, headers, body, lines } = await afterThrowing(new Problem('above-stock', { quantity: 7 }));
    expect(status).toBe(409);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(body).toEqual({
      type: 'urn:parts-forge:problem:above-stock',
      title: 'There are not that many on hand',
      status: 409,
      detail: 'There are not that many on hand',
      quantity: 7,
    });
    expect(lines).toEqual([]);
    for (const name of ['www-authenticate', 'retry-after', 'allow']) expect(headers).not.toHaveProperty(name);
  });

  test('with status 401 says how to sign in', async () => {
    const { status, headers } = await afterThrowing(new Problem('sign-in-needed'));
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="Parts Forge"']);
  });

  test('says in whole seconds when another try makes sense', async () => {
    const retryAfter = async (code: ProblemCode, retryAfterSeconds?: number) =>
      (await afterThrowing(new Problem(code, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })))
        .headers['retry-after'];
    expect(await retryAfter('too-many', 1.2)).toBe('2');
    expect(await retryAfter('unavailable', 30)).toBe('30');
    expect(await retryAfter('unavailable')).toBe('5');
    expect(await retryAfter('too-many')).toBeUndefined();
    expect(await retryAfter('internal')).toBeUndefined();
  });

  test('of a method says which ones there are', async () => {
    const { status, headers } = await afterThrowing(new Problem('wrong-method', { allow: 'GET, HEAD' }));
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test.each(Object.keys(problems) as ProblemCode[])(
    'names its request only when it is our fault: %s',
    async (code) => {
      const { status, body, lines } = await afterThrowing(new Problem(code));
      const isOurs = status >= 500;
      expect(body.requestId).toBe(isOurs ? 'request-7' : undefined);
      expect(lines).toHaveLength(isOurs ? 1 : 0);
    },
  );

  test('that is our fault is logged with what caused it, which is not answered', async () => {
    const cause = new Error('secret');
    const { body, lines } = await afterThrowing(new Problem('provider-broken', { cause }));
    expect(lines).toMatchObject([
      {
        level: 50,
        msg: 'The payment provider gave no usable answer',
        code: 'provider-broken',
        err: { type: 'Error', message: 'secret' },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test("that is the caller's fault is logged as well when something caused it", async () => {
    const cause = new Error('secret');
    const { body, lines } = await afterThrowing(new Problem('payment-refused', { cause }));
    expect(lines).toMatchObject([
      { level: 30, msg: body.title, code: 'payment-refused', err: { type: 'Error', message: 'secret' } },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('that is our fault is logged itself where nothing caused it', async () => {
    const { lines } = await afterThrowing(new Problem('overloaded'));
    expect(lines).toMatchObject([{ level: 50, err: { type: 'Problem', message: 'The shop is busy' } }]);
  });
});

describe("the server's own refusals", () => {
  test.each<[string, ProblemCode]>([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'too-large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'wrong-kind'],
    ['FST_ERR_CTP_EMPTY_JSON_BODY', 'no-json'],
    ['FST_ERR_CTP_INVALID_JSON_BODY', 'no-json'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'bad-request'],
    ['FST_ERR_BAD_URL', 'not-found'],
    ['FST_ERR_MAX_PARAM_LENGTH', 'not-found'],
  ])('%s is %s', async (code, expected) => {
    const answer = await afterThrowing(failure({ code, statusCode: 418 }));
    expect([readCode(answer), answer.status]).toEqual([expected, problems[expected].status]);
    expect(answer.lines).toEqual([]);
  });

  test('of what cannot be read as JSON is no-json', async () => {
    const error = Object.assign(new SyntaxError('secret'), { statusCode: 400 });
    expect(readCode(await afterThrowing(error))).toBe('no-json');
  });

  test('with status 400 are bad-request', async () => {
    expect(readCode(await afterThrowing(failure({ statusCode: 400 })))).toBe('bad-request');
  });
});

describe('a database that does not answer', () => {
  test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '08006', '53300', '57014', '57P01', '57P03'])(
    '%s is a failure that passes',
    async (code) => {
      for (const error of [failure({ code }), new Error('Failed query', { cause: failure({ code }) })]) {
        const answer = await afterThrowing(error);
        expect([answer.status, readCode(answer)]).toEqual([503, 'unavailable']);
        expect(answer.headers['retry-after']).toBe('5');
        expect(answer.lines).toMatchObject([{ level: 50, msg: 'the database does not answer' }]);
        expect(JSON.stringify(answer.body)).not.toContain('secret');
      }
    },
  );

  test.each(['timeout exceeded when trying to connect', 'Connection terminated unexpectedly'])(
    '%s is one, too',
    async (message) => {
      expect(readCode(await afterThrowing(failure({}, message)))).toBe('unavailable');
    },
  );
});

describe('transactions that were in the way of each other', () => {
  test.each(['40P01', '40001'])(
    '%s makes the shop a busy one, which may be asked again at once',
    async (code) => {
      const conflict = Object.assign(new pg.DatabaseError('secret', 0, 'error'), { code });
      for (const error of [conflict, new Error('Failed query', { cause: conflict })]) {
        const answer = await afterThrowing(error);
        expect([answer.status, readCode(answer)]).toEqual([503, 'overloaded']);
        expect(answer.headers['retry-after']).toBe('1');
        expect(answer.lines).toMatchObject([{ level: 50, msg: 'other transactions were in the way' }]);
        expect(JSON.stringify(answer.body)).not.toContain('secret');
      }
    },
  );
});

test('an answer knows of which refusal it is, and of none when it is none', async () => {
  const app = Fastify();
  const told: (string | null)[] = [];
  setErrorHandler(app);
  app.addHook('onResponse', async (_request, reply) => void told.push(reply.refusal));
  app.get('/', async () => 'done');
  app.get('/refused', async () => {
    throw new Problem('not-found');
  });
  await app.inject('/');
  await app.inject('/refused');
  await app.close();
  expect(told).toEqual([null, 'not-found']);
});

describe('anything else', () => {
  test.each([
    ['an error', failure({})],
    ['a broken index', failure({ code: '23505' })],
    ['a code that only looks like it', failure({ code: 'x08006' })],
    ['a longer code', failure({ code: '080061' })],
    ['another code of the class', failure({ code: '57000' })],
    ['a file that is missing', failure({ code: 'ENOENT' })],
    ['a code that is no text', failure({ code: 8006 })],
    ['a syntax error of ours', new SyntaxError('secret')],
    ['an unknown status', failure({ statusCode: 418 })],
  ])('is a bare 500, fully logged: %s', async (_what, error) => {
    const { status, body, lines } = await afterThrowing(error);
    expect(status).toBe(500);
    expect(body).toEqual({
      type: 'urn:parts-forge:problem:internal',
      title: 'Something went wrong on our side',
      status: 500,
      detail: 'Something went wrong on our side',
      requestId: 'request-7',
    });
    expect(lines).toMatchObject([{ level: 50, msg: 'unexpected error', err: { message: 'secret' } }]);
  });
});
