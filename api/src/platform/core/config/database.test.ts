import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { refusals } from '#test/settings.ts';

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
