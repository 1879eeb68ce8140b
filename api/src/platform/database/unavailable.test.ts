import { describe, expect, test } from 'vitest';
import { isDatabaseUnavailable } from './unavailable.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('broken'), { code, ...more });
const wrapped = (cause: unknown) => new Error('Failed query: select 1', { cause });

describe('the database is not available', () => {
  test.each([
    ['a connection that broke', withCode('08006')],
    ['too many connections', withCode('53300')],
    ['a statement that was cancelled', withCode('57014')],
    ['a server that shuts down', withCode('57P01')],
    ['a server that crashed', withCode('57P02')],
    ['a server that starts', withCode('57P03')],
    ['a server that takes no writes any more', withCode('25006')],
    ['a lock that was not had in time', withCode('55P03')],
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a socket that is not there', withCode('ENOENT', { syscall: 'connect' })],
    ['an end without a word', new Error('Connection terminated unexpectedly')],
    [
      'a client that broke before',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['every address of a host', new AggregateError([withCode('ECONNREFUSED'), withCode('ETIMEDOUT')])],
  ])('after %s, wherever it is told', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isDatabaseUnavailable(wrapped(wrapped(error)))).toBe(true);
  });

  test.each([
    ['a broken rule', withCode('23505')],
    ['a statement that is wrong', wrapped(withCode('42601'))],
    ['a file that is missing', withCode('ENOENT', { syscall: 'open' })],
    ['any error', new Error('Connections are fine')],
    ['no error at all', 'Connection terminated'],
  ])('but not after %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  test('and a cause that causes itself is read to an end', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
