import { type ProblemCode, problems } from '@parts-forge/contract/calls/problems';
import Fastify, { LogController } from 'fastify';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { setErrorHandler } from './error-handler.ts';

/** The response and log lines when a handler throws. */
async function afterThrowing(error: unknown) {
  const lines: Record<string, unknown>[] = [];
  const app = Fastify({
    loggerInstance: createLog('info', (line) => void lines.push(JSON.parse(line))),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => 'request-7',
  });
  setErrorHandler(app, readConfig({}));
  app.get('/', async () => {
    throw error;
  });
  const { statusCode, headers, body } = await app.inject('/');
  await app.close();
  return { status: statusCode, headers, body: JSON.parse(body), lines };
}

const failure = (properties: object, message = 'secret') => Object.assign(new Error(message), properties);
const readCode = ({ body }: { body: { type: string } }) => body.type.replace('urn:parts-forge:problem:', '');

describe('refusal', () => {
  test('a refusal is answered as an uncacheable problem and not logged', async () => {
    const { status, headers, body, lines } = await afterThrowing(new Problem('above-stock', { quantity: 7 }));
    expect(status).toBe(409);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(body).toEqual({
      type: 'urn:parts-forge:problem:above-stock',
      title: 'There are fewer pieces in stock',
      status: 409,
      detail: 'There are fewer pieces in stock',
      quantity: 7,
    });
    expect(lines).toEqual([]);
    for (const name of ['www-authenticate', 'retry-after', 'allow']) expect(headers).not.toHaveProperty(name);
  });

  test('a 401 refusal says how to sign in', async () => {
    const { status, headers } = await afterThrowing(new Problem('sign-in-needed'));
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="Parts Forge"']);
  });

  test('a refusal says in whole seconds when to retry', async () => {
    const retryAfter = async (code: ProblemCode, retryAfterSeconds?: number) =>
      (await afterThrowing(new Problem(code, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })))
        .headers['retry-after'];
    expect(await retryAfter('too-many', 1.2)).toBe('2');
    expect(await retryAfter('unavailable', 30)).toBe('30');
    expect(await retryAfter('unavailable')).toBe('5');
    expect(await retryAfter('too-many')).toBeUndefined();
    expect(await retryAfter('internal')).toBeUndefined();
  });

  test('a refused method comes with the allowed ones', async () => {
    const { status, headers } = await afterThrowing(new Problem('wrong-method', { allow: 'GET, HEAD' }));
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test.each(Object.keys(problems) as ProblemCode[])(
    'a refusal names its request only if the shop failed: %s',
    async (code) => {
      const { status, body, lines } = await afterThrowing(new Problem(code));
      const isOurs = status >= 500;
      expect(body.requestId).toBe(isOurs ? 'request-7' : undefined);
      expect(lines).toHaveLength(isOurs ? 1 : 0);
    },
  );

  test('a failure of the shop shows its cause only in the log', async () => {
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

  test('a mistake of the caller is logged if it has a cause', async () => {
    const cause = new Error('secret');
    const { body, lines } = await afterThrowing(new Problem('payment-refused', { cause }));
    expect(lines).toMatchObject([
      { level: 30, msg: body.title, code: 'payment-refused', err: { type: 'Error', message: 'secret' } },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('a failure of the shop without a cause is logged itself', async () => {
    const { lines } = await afterThrowing(new Problem('overloaded'));
    expect(lines).toMatchObject([{ level: 50, err: { type: 'Problem', message: 'The shop is busy' } }]);
  });
});

describe('error of Fastify', () => {
  test.each<[string, ProblemCode]>([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'too-large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'wrong-kind'],
    ['FST_ERR_CTP_EMPTY_JSON_BODY', 'no-json'],
    ['FST_ERR_CTP_INVALID_JSON_BODY', 'no-json'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'bad-request'],
    ['FST_ERR_BAD_URL', 'not-found'],
    ['FST_ERR_MAX_PARAM_LENGTH', 'not-found'],
  ])('%s becomes %s', async (code, expected) => {
    const answer = await afterThrowing(failure({ code, statusCode: 418 }));
    expect([readCode(answer), answer.status]).toEqual([expected, problems[expected].status]);
    expect(answer.lines).toEqual([]);
  });

  test('invalid JSON is no-json', async () => {
    const error = Object.assign(new SyntaxError('secret'), { statusCode: 400 });
    expect(readCode(await afterThrowing(error))).toBe('no-json');
  });

  test('an error with status 400 is bad-request', async () => {
    expect(readCode(await afterThrowing(failure({ statusCode: 400 })))).toBe('bad-request');
  });
});

describe('database outage', () => {
  test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '08006', '53300', '57014', '57P01', '57P03'])(
    '%s is a temporary failure',
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
    'the driver error "%s" is a temporary failure',
    async (message) => {
      expect(readCode(await afterThrowing(failure({}, message)))).toBe('unavailable');
    },
  );
});

describe('transaction conflict', () => {
  test.each(['40P01', '40001'])('%s is 503 with a retry after one second', async (code) => {
    const conflict = Object.assign(new pg.DatabaseError('secret', 0, 'error'), { code });
    for (const error of [conflict, new Error('Failed query', { cause: conflict })]) {
      const answer = await afterThrowing(error);
      expect([answer.status, readCode(answer)]).toEqual([503, 'overloaded']);
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.lines).toMatchObject([{ level: 50, msg: 'other transactions were in the way' }]);
      expect(JSON.stringify(answer.body)).not.toContain('secret');
    }
  });
});

test('a response has the code of its refusal, or none', async () => {
  const app = Fastify();
  const refusals: (string | null)[] = [];
  setErrorHandler(app, readConfig({}));
  app.addHook('onResponse', async (_request, reply) => void refusals.push(reply.refusal));
  app.get('/', async () => 'done');
  app.get('/refused', async () => {
    throw new Problem('not-found');
  });
  await app.inject('/');
  await app.inject('/refused');
  await app.close();
  expect(refusals).toEqual([null, 'not-found']);
});

describe('unknown error', () => {
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
  ])('an unknown error is a bare 500 and fully logged: %s', async (_what, error) => {
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
