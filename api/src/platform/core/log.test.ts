import { describe, expect, test } from 'vitest';
import { createLog } from './log.ts';
import { type ContextActor, PROVIDER, requestContext } from './request-context.ts';

/** The lines that `work` logs. */
function captureLines(work: (log: ReturnType<typeof createLog>) => void, level: 'info' | 'warn' = 'info') {
  const lines: Record<string, unknown>[] = [];
  work(createLog(level, (line) => void lines.push(JSON.parse(line))));
  return lines;
}

test('a line has its level, text and fields', () => {
  expect(captureLines((log) => log.info({ order: 'x' }, 'placed'))).toMatchObject([
    { level: 30, msg: 'placed', order: 'x' },
  ]);
});

test('the log omits lines below its level', () => {
  const write = (log: ReturnType<typeof createLog>) => {
    log.info('quiet');
    log.warn('loud');
  };
  expect(captureLines(write, 'warn').map(({ msg }) => msg)).toEqual(['loud']);
});

test('a line has the id of its request', () => {
  const [line] = captureLines((log) =>
    requestContext.run({ requestId: 'request-7' }, () => log.info('done')),
  );
  expect(line?.requestId).toBe('request-7');
});

test("a line has the actor's kind and the user's id", () => {
  const log = (actor: ContextActor) =>
    captureLines((lines) => requestContext.run({ requestId: 'x', actor }, () => lines.info('done')))[0];
  expect(log({ kind: 'admin', id: 'user-7' })).toMatchObject({ actor: 'admin', actorId: 'user-7' });
  expect(log(PROVIDER)).toMatchObject({ actor: 'provider' });
  expect(log(PROVIDER)).not.toHaveProperty('actorId');
});

test('a line of an unauthenticated caller names no actor', () => {
  const [line] = captureLines((log) => requestContext.run({ requestId: 'x' }, () => log.info('done')));
  expect(line).not.toHaveProperty('actor');
});

test('lines outside of requests share the id of the process', () => {
  const [first, second] = captureLines((log) => {
    log.info('one');
    log.info('two');
  });
  expect(first?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(second?.requestId).toBe(first?.requestId);
});

test('the log writes to standard output by default', () => {
  expect(createLog('warn').level).toBe('warn');
});

describe('logged error', () => {
  const captureError = (err: unknown) => captureLines((log) => log.error({ err }, 'failed'))[0]?.err;

  test('an error is logged with its name, message, stack and code', () => {
    const error = Object.assign(new RangeError('too far'), { code: 7 });
    expect(captureError(error)).toEqual({
      type: 'RangeError',
      message: 'too far',
      stack: error.stack,
      code: '7',
    });
  });

  test('an error without a code is logged without one', () => {
    expect(captureError(new Error('plain'))).not.toHaveProperty('code');
  });

  test('an error without a stack is still logged', () => {
    const error = new Error('plain');
    delete error.stack;
    expect(captureError(error)).toEqual({ type: 'Error', message: 'plain', stack: '' });
  });

  test('an error is logged with its chain of causes', () => {
    const root = new TypeError('root');
    const error = new Error('outer', { cause: new Error('middle', { cause: root }) });
    expect(captureError(error)).toMatchObject({
      message: 'outer',
      cause: { message: 'middle', cause: { type: 'TypeError', message: 'root', stack: root.stack } },
    });
  });

  test('a cause that is no error is omitted', () => {
    expect(captureError(new Error('outer', { cause: 'x' }))).not.toHaveProperty('cause');
    expect(captureError(new Error('outer'))).not.toHaveProperty('cause');
  });

  test.each([
    ['a text', 'string'],
    [undefined, 'undefined'],
    [{ message: 'secret' }, 'object'],
  ])('a thrown value that is no error is logged by type: %o', (thrown, type) => {
    const [line] = captureLines((log) => log.error({ err: thrown }, 'failed'));
    if (thrown === undefined) expect(line).not.toHaveProperty('err.message', 'secret');
    else expect(line?.err).toEqual({ type, message: 'no error was thrown', stack: '' });
  });
});

test('an error-like object of a library is logged as an error', () => {
  const { message, stack } = new Error('canceling statement');
  const [line] = captureLines((log) =>
    log.error({ err: { message, stack, code: '57014', queue: 'x' } }, 'failed'),
  );
  expect(line?.err).toEqual({ type: 'object', message, stack, code: '57014' });
});

describe('statement parameters', () => {
  const statement = 'Failed query: select * from users where email = $1';
  const failure = (parameters: string) => new Error(`${statement}\nparams: ${parameters}`);
  const written = (error: Error) =>
    JSON.stringify(captureLines((log) => log.error({ err: error }, 'failed')));

  test('parameters are in neither the message nor the stack', () => {
    const line = written(failure('amara@fieldrepair.example,secret'));
    expect(line).not.toContain('amara');
    expect(line).not.toContain('secret');
    expect(line.match(/params: left out/g)).toHaveLength(2);
    expect(line.match(/where email = \$1/g)).toHaveLength(2);
  });

  test('parameters of a cause are not logged', () => {
    const line = written(new Error('outer', { cause: failure('amara@fieldrepair.example') }));
    expect(line).not.toContain('amara');
    expect(line).toContain('params: left out');
  });

  test('parameters with line breaks are not logged', () => {
    const error = Object.assign(failure('12 Oxford Street\nparams: Osu\n    at Accra,233302771204'), {
      params: ['12 Oxford Street\nparams: Osu\n    at Accra', '233302771204'],
    });
    const [line] = captureLines((log) => log.error({ err: error }, 'failed'));
    expect(line?.err).toHaveProperty('message', `${statement}\nparams: left out`);
    expect(JSON.stringify(line)).not.toMatch(/Oxford|Osu|Accra|233302771204/);
    expect(JSON.stringify(line)).toContain('log.test.ts');
  });

  test('values that the database cannot read are not logged', () => {
    const unreadable = 'invalid input syntax for type uuid: "amara"\nokafor"';
    const error = Object.assign(new Error(unreadable), { code: '22P02' });
    const [line] = captureLines((log) => log.error({ err: new Error('outer', { cause: error }) }, 'failed'));
    expect(line).toHaveProperty('err.cause.message', 'invalid input syntax for type uuid: "…"');
    expect(JSON.stringify(line)).not.toMatch(/amara|okafor/);
  });

  test('names of tables and indexes stay in the log', () => {
    const error = Object.assign(new Error('relation "orders" does not exist'), { code: '42P01' });
    expect(written(error)).toContain('relation \\"orders\\" does not exist');
  });

  test('parameters of several statements are removed, and nothing else', () => {
    const error = new Error(`${statement}\nparams: amara\nand then\nparams: okafor\nwith params: none`);
    const [line] = captureLines((log) => log.error({ err: error }, 'failed'));
    expect(line?.err).toHaveProperty(
      'message',
      `${statement}\nparams: left out\nand then\nparams: left out\nwith params: none`,
    );
  });
});
