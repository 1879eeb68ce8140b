import { describe, expect, test } from 'vitest';
import { createLog } from './log.ts';
import { type ContextActor, PROVIDER, requestContext } from './request-context.ts';

/** What is logged by `work`, a line each. */
function captureLines(work: (log: ReturnType<typeof createLog>) => void, level: 'info' | 'warn' = 'info') {
  const lines: Record<string, unknown>[] = [];
  work(createLog(level, (line) => void lines.push(JSON.parse(line))));
  return lines;
}

test('a line has its level, its text and what belongs to it', () => {
  expect(captureLines((log) => log.info({ order: 'x' }, 'placed'))).toMatchObject([
    { level: 30, msg: 'placed', order: 'x' },
  ]);
});

test('lines below the level are left out', () => {
  const write = (log: ReturnType<typeof createLog>) => {
    log.info('quiet');
    log.warn('loud');
  };
  expect(captureLines(write, 'warn').map(({ msg }) => msg)).toEqual(['loud']);
});

test('a line has the id of the request that it belongs to', () => {
  const [line] = captureLines((log) =>
    requestContext.run({ requestId: 'request-7' }, () => log.info('done')),
  );
  expect(line?.requestId).toBe('request-7');
});

test('a line has the kind of its actor, and the id of a user', () => {
  const log = (actor: ContextActor) =>
    captureLines((lines) => requestContext.run({ requestId: 'x', actor }, () => lines.info('done')))[0];
  expect(log({ kind: 'admin', id: 'user-7' })).toMatchObject({ actor: 'admin', actorId: 'user-7' });
  expect(log(PROVIDER)).toMatchObject({ actor: 'provider' });
  expect(log(PROVIDER)).not.toHaveProperty('actorId');
});

test('of somebody who has proven nothing a line says nothing', () => {
  const [line] = captureLines((log) => requestContext.run({ requestId: 'x' }, () => log.info('done')));
  expect(line).not.toHaveProperty('actor');
});

test('outside of requests a line has the id of the process, which is always the same', () => {
  const [first, second] = captureLines((log) => {
    log.info('one');
    log.info('two');
  });
  expect(first?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(second?.requestId).toBe(first?.requestId);
});

test('without another place lines go to standard output', () => {
  expect(createLog('warn').level).toBe('warn');
});

describe('an error', () => {
  const captureError = (err: unknown) => captureLines((log) => log.error({ err }, 'failed'))[0]?.err;

  test('is logged with its name, message, stack and code', () => {
    const error = Object.assign(new RangeError('too far'), { code: 7 });
    expect(captureError(error)).toEqual({
      type: 'RangeError',
      message: 'too far',
      stack: error.stack,
      code: '7',
    });
  });

  test('without a code has none', () => {
    expect(captureError(new Error('plain'))).not.toHaveProperty('code');
  });

  test('without a stack is logged all the same', () => {
    const error = new Error('plain');
    delete error.stack;
    expect(captureError(error)).toEqual({ type: 'Error', message: 'plain', stack: '' });
  });

  test('is logged with what caused it, and what caused that', () => {
    const root = new TypeError('root');
    const error = new Error('outer', { cause: new Error('middle', { cause: root }) });
    expect(captureError(error)).toMatchObject({
      message: 'outer',
      cause: { message: 'middle', cause: { type: 'TypeError', message: 'root', stack: root.stack } },
    });
  });

  test('is logged without a cause that is no error', () => {
    expect(captureError(new Error('outer', { cause: 'x' }))).not.toHaveProperty('cause');
    expect(captureError(new Error('outer'))).not.toHaveProperty('cause');
  });

  test.each([
    ['a text', 'string'],
    [undefined, 'undefined'],
    [{ message: 'secret' }, 'object'],
  ])('that is none is named by its type alone: %o', (thrown, type) => {
    const [line] = captureLines((log) => log.error({ err: thrown }, 'failed'));
    if (thrown === undefined) expect(line).not.toHaveProperty('err.message', 'secret');
    else expect(line?.err).toEqual({ type, message: 'no error was thrown', stack: '' });
  });
});

test('a plain object that a library gives for an error is logged as one', () => {
  const { message, stack } = new Error('canceling statement');
  const [line] = captureLines((log) =>
    log.error({ err: { message, stack, code: '57014', queue: 'x' } }, 'failed'),
  );
  expect(line?.err).toEqual({ type: 'object', message, stack, code: '57014' });
});

describe('the parameters of a statement, which may be addresses, names or hashes of tokens', () => {
  const statement = 'Failed query: select * from users where email = $1';
  const failure = (parameters: string) => new Error(`${statement}\nparams: ${parameters}`);
  const written = (error: Error) =>
    JSON.stringify(captureLines((log) => log.error({ err: error }, 'failed')));

  test('are in no line, neither in the message nor in the stack', () => {
    const line = written(failure('amara@fieldrepair.example,secret'));
    expect(line).not.toContain('amara');
    expect(line).not.toContain('secret');
    expect(line.match(/params: left out/g)).toHaveLength(2);
    expect(line.match(/where email = \$1/g)).toHaveLength(2);
  });

  test('of a cause are in no line either', () => {
    const line = written(new Error('outer', { cause: failure('amara@fieldrepair.example') }));
    expect(line).not.toContain('amara');
    expect(line).toContain('params: left out');
  });

  test('are in no line, though a value has lines of its own', () => {
    const error = Object.assign(failure('12 Oxford Street\nparams: Osu\n    at Accra,233302771204'), {
      params: ['12 Oxford Street\nparams: Osu\n    at Accra', '233302771204'],
    });
    const [line] = captureLines((log) => log.error({ err: error }, 'failed'));
    expect(line?.err).toHaveProperty('message', `${statement}\nparams: left out`);
    expect(JSON.stringify(line)).not.toMatch(/Oxford|Osu|Accra|233302771204/);
    expect(JSON.stringify(line)).toContain('log.test.ts');
  });

  test('that the database could not read are in no line', () => {
    const unreadable = 'invalid input syntax for type uuid: "amara"\nokafor"';
    const error = Object.assign(new Error(unreadable), { code: '22P02' });
    const [line] = captureLines((log) => log.error({ err: new Error('outer', { cause: error }) }, 'failed'));
    expect(line).toHaveProperty('err.cause.message', 'invalid input syntax for type uuid: "…"');
    expect(JSON.stringify(line)).not.toMatch(/amara|okafor/);
  });

  test('leave the names of tables and indexes, which other errors quote', () => {
    const error = Object.assign(new Error('relation "orders" does not exist'), { code: '42P01' });
    expect(written(error)).toContain('relation \\"orders\\" does not exist');
  });

  test('of several statements are all left out, and nothing else is', () => {
    const error = new Error(`${statement}\nparams: amara\nand then\nparams: okafor\nwith params: none`);
    const [line] = captureLines((log) => log.error({ err: error }, 'failed'));
    expect(line?.err).toHaveProperty(
      'message',
      `${statement}\nparams: left out\nand then\nparams: left out\nwith params: none`,
    );
  });
});
