import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { refusals, stripeKeys } from '#test/settings.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

test.each([
  ['the secret alone', ' a secret of 32 characters, spaced '],
  ['a line end after it', ' a secret of 32 characters, spaced \n'],
  ['line ends of Windows after it', ' a secret of 32 characters, spaced \r\n\r\n'],
])('a secret is read from its file: %s', (_, text) => {
  const config = readConfig({ IDENTITY_SECRET: '', IDENTITY_SECRET_FILE: write('identity', text) });
  expect(config.identitySecret).toBe(' a secret of 32 characters, spaced ');
});

test('a line end within a secret is part of it', () => {
  const secret = 'sixteen letters,\nthen sixteen more';
  const config = readConfig({ IDENTITY_SECRET_FILE: write('two-lines', `${secret}\n`) });
  expect(config.identitySecret).toBe(secret);
});

test('every secret may come from a file and passes cross checks', () => {
  const config = readConfig({
    STRIPE_SECRET_KEY_FILE: write('key', 'sk_test_abc\n'),
    STRIPE_PUBLISHABLE_KEY: 'pk_test_abc',
    STRIPE_WEBHOOK_SECRET_FILE: write('webhook', 'whsec_new,whsec_old\n'),
    DATABASE_URL_FILE: write('database', 'postgres://shop:word@db.example/shop\n'),
    ADMIN_EMAIL: 'chief@shop.example',
    ADMIN_PASSWORD_FILE: write('admin', 'twelve chars\n'),
    METRICS_TOKEN_FILE: write('metrics', 'sixteen-letters-or-more\n'),
  });
  expect(config).toMatchObject({
    stripe: { secretKey: 'sk_test_abc', webhookSecrets: ['whsec_new', 'whsec_old'] },
    databaseUrl: 'postgres://shop:word@db.example/shop',
    adminPassword: 'twelve chars',
    metricsToken: 'sixteen-letters-or-more',
  });
});

test("a secret from a file follows its setting's rule", () => {
  expect(refusals({ IDENTITY_SECRET_FILE: write('short', 'too short\n') })).toEqual([
    'IDENTITY_SECRET must be 32 characters or longer.',
  ]);
});

test('an unreadable or empty file is reported without follow-up mistakes', () => {
  const missing = path.join(folder, 'missing');
  const empty = write('empty', '\n');
  const env = {
    ...stripeKeys,
    STRIPE_SECRET_KEY: '',
    STRIPE_SECRET_KEY_FILE: missing,
    ORIGIN: 'https://shop.example',
    DATABASE_URL_FILE: empty,
    METRICS_TOKEN_FILE: folder,
    PORT: 'http',
  };
  expect(refusals(env)).toEqual([
    `DATABASE_URL_FILE: ${empty} is empty.`,
    `STRIPE_SECRET_KEY_FILE: ${missing} cannot be read.`,
    `METRICS_TOKEN_FILE: ${folder} cannot be read.`,
    'PORT must be a whole number from 0 to 65535.',
  ]);
});

test('a secret and its file exclude each other', () => {
  const file = write('both', 's'.repeat(32));
  expect(refusals({ IDENTITY_SECRET: 's'.repeat(32), IDENTITY_SECRET_FILE: file })).toEqual([
    'IDENTITY_SECRET and IDENTITY_SECRET_FILE exclude each other.',
  ]);
});

test('files are read only for secrets', () => {
  expect(readConfig({ PORT_FILE: write('port', '8080') }).port).toBe(3000);
});
