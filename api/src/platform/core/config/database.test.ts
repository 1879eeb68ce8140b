import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals } from '#test/settings.ts';

test('the embedded database is the default', () => {
  expect(readConfig({})).toMatchObject({
    databaseUrl: null,
    databaseDirectUrl: null,
    databasePoolSize: 16,
    statementTimeoutMs: 5000,
    connectionTimeoutMs: 3000,
  });
});

test('every database setting is read', () => {
  const env = {
    DATABASE_URL: 'postgresql://shop@db.example/shop',
    DATABASE_DIRECT_URL: 'postgres://shop@primary.example/shop',
    DATABASE_POOL_SIZE: '2',
    STATEMENT_TIMEOUT_MS: '100',
    CONNECTION_TIMEOUT_MS: '2000',
  };
  expect(readConfig(env)).toMatchObject({
    databaseUrl: 'postgresql://shop@db.example/shop',
    databaseDirectUrl: 'postgres://shop@primary.example/shop',
    databasePoolSize: 2,
    statementTimeoutMs: 100,
    connectionTimeoutMs: 2000,
  });
  expect(refusals({ DATABASE_URL: 'postgres://db.example/shop' })).toEqual([]);
});

test.each([
  'postgres://shop:Ab%2FCd%23ef%40==@localhost/shop',
  'postgres://shop:p@ss@localhost/shop',
  'postgresql:///shop?host=/run/postgresql&user=shop',
  'postgres://%2Frun%2Fpostgresql/shop',
])('%s is a valid address', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
});

test('every address requires verified TLS with DATABASE_CA', () => {
  const DATABASE_CA = join(mkdtempSync(join(tmpdir(), 'parts-forge-ca-')), 'ca.pem');
  writeFileSync(DATABASE_CA, rootCertificates[0] ?? '');
  onTestFinished(() => rmSync(dirname(DATABASE_CA), { recursive: true }));
  const address = 'postgres://shop:p%40ss@db.example:6432/shop';
  const verified = `${address}?sslmode=verify-full&sslrootcert=${encodeURIComponent(DATABASE_CA)}`;
  expect(readConfig({ DATABASE_CA, DATABASE_URL: address }).databaseUrl).toBe(verified);
  const config = readConfig({
    DATABASE_CA,
    DATABASE_URL: `${address}?sslmode=require`,
    DATABASE_DIRECT_URL: `${address}?ssl=true`,
  });
  expect([config.databaseUrl, config.databaseDirectUrl]).toEqual([verified, verified]);
  expect(refusals({ DATABASE_CA, DATABASE_URL: `${address}?sslmode=disable` })).toEqual([
    'DATABASE_URL says sslmode=disable or no-verify, which DATABASE_CA excludes.',
  ]);
  expect(refusals({ DATABASE_URL: `${address}?sslmode=disable` })).toEqual([]);
  writeFileSync(DATABASE_CA, 'no certificate');
  expect(refusals({ DATABASE_CA, DATABASE_URL: address })).toEqual([
    'DATABASE_CA must be the path of a file with certificates (PEM).',
  ]);
});

test('an address may omit TLS without DATABASE_CA', () => {
  const address = 'postgres://db.example/shop?sslmode=disable';
  expect(refusals({ DATABASE_URL: address })).toEqual([]);
  expect(readConfig({ DATABASE_URL: address }).databaseUrl).toBe(address);
});

test('settings of an external PostgreSQL require its address', () => {
  const url = 'postgres://db.example/shop';
  expect(refusals({ DATABASE_DIRECT_URL: url })).toEqual(['DATABASE_DIRECT_URL needs DATABASE_URL.']);
});

const url =
  'DATABASE_URL must be an address such as postgres://user:password@host:5432/shop; signs such as / # ? @ % in its password are percent-encoded.';

test.each([
  [{ DATABASE_URL: 'mysql://db.example/shop' }, url],
  [{ DATABASE_URL: 'db.example' }, url],
  [{ DATABASE_URL: 'postgres:shop' }, url],
  [{ DATABASE_URL: ' postgres://db.example/shop' }, url],
  [{ DATABASE_URL: 'jdbc:postgres://db.example/shop' }, url],
  [{ DATABASE_URL: 'postgres://shop:Ab/Cd+ef==@localhost/shop' }, url],
  [{ DATABASE_URL: 'postgres://shop:12/SECRETREST@localhost:3250/shop' }, url],
  [{ DATABASE_URL: 'postgres://shop:12#SECRETREST@localhost/shop' }, url],
  [{ DATABASE_URL: 'postgres://shop:12?SECRETREST@localhost/shop' }, url],
  [{ DATABASE_URL: 'postgres://shop:12/SECRET?REST@localhost/shop' }, url],
  [{ DATABASE_URL: 'postgres://shop:50%off@localhost/shop' }, url],
  [
    { DATABASE_URL: 'postgres://db.example/shop', DATABASE_CA: '/nowhere/ca.pem' },
    'DATABASE_CA must name a file that the user of the shop may read (ENOENT).',
  ],
  [
    { DATABASE_URL: 'postgres://db.example/shop', DATABASE_CA: import.meta.filename },
    'DATABASE_CA must be the path of a file with certificates (PEM).',
  ],
  [
    { DATABASE_URL: 'postgres://db.example/shop?sslmode=nonsense' },
    'DATABASE_URL has an sslmode that PostgreSQL does not know.',
  ],
  [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE must be a whole number from 2 to 1000.'],
  [{ STATEMENT_TIMEOUT_MS: '99' }, 'STATEMENT_TIMEOUT_MS must be a whole number from 100 to 600000.'],
  [{ CONNECTION_TIMEOUT_MS: '0' }, 'CONNECTION_TIMEOUT_MS must be a whole number from 100 to 600000.'],
])('%o is refused', (env: Env, sentence) => {
  expect(refusals(env)).toEqual([sentence]);
});
