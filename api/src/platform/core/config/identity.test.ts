import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals } from '#test/settings.ts';

test('an administrator is generated and second factors are optional by default', () => {
  expect(readConfig({})).toMatchObject({
    adminEmail: null,
    adminPassword: null,
    identitySecret: null,
    refuseCommonPasswords: false,
    adminSecondFactor: 'optional',
  });
});

test('every identity setting is read', () => {
  const env = {
    ADMIN_EMAIL: 'chief@shop.example',
    ADMIN_PASSWORD: 'twelve chars',
    IDENTITY_SECRET: 's'.repeat(32),
    COMMON_PASSWORDS: 'refuse',
    ADMIN_SECOND_FACTOR: 'required',
  };
  expect(readConfig(env)).toMatchObject({
    adminEmail: 'chief@shop.example',
    adminPassword: 'twelve chars',
    identitySecret: 's'.repeat(32),
    refuseCommonPasswords: true,
    adminSecondFactor: 'required',
  });
});

const email = 'ADMIN_EMAIL must be an email address.';

test.each([
  [{ ADMIN_EMAIL: 'chief', ADMIN_PASSWORD: 'twelve chars' }, email],
  [{ ADMIN_EMAIL: 'a b@shop.example', ADMIN_PASSWORD: 'twelve chars' }, email],
  [{ ADMIN_EMAIL: 'chief@shop.example, x', ADMIN_PASSWORD: 'twelve chars' }, email],
  [
    { ADMIN_EMAIL: 'chief@shop.example', ADMIN_PASSWORD: 'x'.repeat(11) },
    'ADMIN_PASSWORD must be 12 characters or longer.',
  ],
  [{ IDENTITY_SECRET: 'x'.repeat(31) }, 'IDENTITY_SECRET must be 32 characters or longer.'],
  [{ COMMON_PASSWORDS: 'on' }, 'COMMON_PASSWORDS must be one of allow, refuse.'],
])('%o is refused', (env: Env, sentence) => {
  expect(refusals(env)).toEqual([sentence]);
});

test('the first administrator has an email and a password, or neither', () => {
  const sentences = ['ADMIN_EMAIL and ADMIN_PASSWORD must be set together.'];
  expect(refusals({ ADMIN_EMAIL: 'chief@shop.example' })).toEqual(sentences);
  expect(refusals({ ADMIN_PASSWORD: 'twelve chars' })).toEqual(sentences);
  expect(refusals({ ADMIN_EMAIL: 'chief@shop.example', ADMIN_PASSWORD: 'twelve chars' })).toEqual([]);
});
