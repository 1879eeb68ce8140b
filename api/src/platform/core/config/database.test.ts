import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals } from '#test/settings.ts';

test('without any setting the database is the embedded one', () => {
  const config = { databaseUrl: null, statementTimeoutMs: 5000, connectionTimeoutMs: 3000 };
  expect(readConfig({})).toMatchObject(config);
});

test('every setting of the database is read', () => {
  const env = {
    DATABASE_URL: 'postgresql://shop@db.example/shop',
    STATEMENT_TIMEOUT_MS: '100',
    CONNECTION_TIMEOUT_MS: '2000',
  };
  expect(readConfig(env)).toMatchObject({
    databaseUrl: 'postgresql://shop@db.example/shop',
    statementTimeoutMs: 100,
    connectionTimeoutMs: 2000,
  });
  expect(refusals({ DATABASE_URL: 'postgres://db.example/shop' })).toEqual([]);
});

const url = 'DATABASE_URL must begin with postgres:// or postgresql://.';

test.each([
  [{ DATABASE_URL: 'mysql://db.example/shop' }, url],
  [{ DATABASE_URL: 'db.example' }, url],
  [{ DATABASE_URL: 'jdbc:postgres://db.example/shop' }, url],
  [{ STATEMENT_TIMEOUT_MS: '99' }, 'STATEMENT_TIMEOUT_MS must be a whole number from 100 to 600000.'],
  [{ CONNECTION_TIMEOUT_MS: '0' }, 'CONNECTION_TIMEOUT_MS must be a whole number from 100 to 600000.'],
])('%o is refused', (env: Env, sentence) => {
  expect(refusals(env)).toEqual([sentence]);
});
