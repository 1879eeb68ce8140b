import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { CommitNotReplicated } from './client.ts';
import { isDatabaseUnavailable, wasRolledBack } from './unavailable.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('broken'), { code, ...more });
const wrapped = (cause: unknown) => new Error('Failed query: select 1', { cause });

describe('isDatabaseUnavailable', () => {
  test.each([
    ['a connection that broke', withCode('08006')],
    ['too many connections', withCode('53300')],
    ['a statement that was cancelled', withCode('57014')],
    ['a server that shuts down', withCode('57P01')],
    ['a server that crashed', withCode('57P02')],
    ['a server that starts', withCode('57P03')],
    ['a server that takes no writes any more', withCode('25006')],
    ['a lock that was not had in time', withCode('55P03')],
    ['a role that may not log in', withCode('28000')],
    ['a password that was changed', withCode('28P01')],
    ['a database that was renamed', withCode('3D000')],
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a socket that is not there', withCode('ENOENT', { syscall: 'connect' })],
    ['an end without a word', new Error('Connection terminated unexpectedly')],
    [
      'a client that broke before',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['every address of a host', new AggregateError([withCode('ECONNREFUSED'), withCode('ETIMEDOUT')])],
  ])('the database is unavailable after %s, at any depth of causes', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isDatabaseUnavailable(wrapped(wrapped(error)))).toBe(true);
  });

  test.each([
    ['a broken rule', withCode('23505')],
    ['a statement that is wrong', wrapped(withCode('42601'))],
    ['a file that is missing', withCode('ENOENT', { syscall: 'open' })],
    ['any error', new Error('Connections are fine')],
    ['no error at all', 'Connection terminated'],
  ])('the database is available after %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  test('a circular chain of causes is read to an end', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('wasRolledBack', () => {
  const refused = (code: string) => Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code });

  test.each([
    ['a broken rule', refused('23505')],
    ['a deadlock', refused('40P01')],
    ['a text that PostgreSQL does not take', refused('22021')],
    ['a statement that took too long', refused('57014')],
    ['a lock that was not had in time', refused('55P03')],
  ])('a statement has certainly written nothing after %s', (_what, error) => {
    expect(wasRolledBack(error)).toBe(true);
  });

  test.each([
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a connection that was reset', withCode('ECONNRESET')],
    ['a server that shuts down', refused('57P01')],
    ['a server that lost the connection', refused('08006')],
    ['a commit whose outcome the server does not know', refused('08007')],
    ['a commit that the standby has not confirmed', new CommitNotReplicated()],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ])('the outcome of a statement is unknown after %s', (_what, error) => {
    expect(wasRolledBack(error)).toBe(false);
  });
});
