import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { refusals } from '#test/settings.ts';

const client = { GOOGLE_CLIENT_ID: 'the-shop', GOOGLE_CLIENT_SECRET: 'a secret' };

test('Google sign-in is off without a client', () => {
  expect(readConfig({}).google).toBeNull();
});

test('a client id and its secret are enough', () => {
  expect(readConfig(client).google).toEqual({
    clientId: 'the-shop',
    clientSecret: 'a secret',
    discoveryUrl: 'https://accounts.google.com/.well-known/openid-configuration',
    prompt: 'select_account',
  });
});

test('another OpenID provider and prompt are read', () => {
  const env = {
    ...client,
    GOOGLE_DISCOVERY_URL: 'http://127.0.0.1:9000/.well-known/openid-configuration',
    GOOGLE_PROMPT: 'login',
  };
  expect(readConfig(env).google).toMatchObject({ discoveryUrl: env.GOOGLE_DISCOVERY_URL, prompt: 'login' });
});

test('a client id and its secret are refused without each other', () => {
  const sentence = 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together.';
  expect(refusals({ GOOGLE_CLIENT_ID: 'the-shop' })).toEqual([sentence]);
  expect(refusals({ GOOGLE_CLIENT_SECRET: 'a secret' })).toEqual([sentence]);
});

test('a discovery address that others could tamper with is refused', () => {
  for (const address of [
    'http://accounts.example/',
    'accounts.google.com',
    'file:///etc/passwd',
    'http://localhost.evil.example/',
  ]) {
    expect(refusals({ ...client, GOOGLE_DISCOVERY_URL: address })).toEqual([
      'GOOGLE_DISCOVERY_URL must begin with https://, or with http:// on this machine.',
    ]);
  }
});

test('a prompt unknown to Google is refused', () => {
  expect(refusals({ ...client, GOOGLE_PROMPT: 'none' })).toEqual([
    'GOOGLE_PROMPT must be one of select_account, consent, login.',
  ]);
});
