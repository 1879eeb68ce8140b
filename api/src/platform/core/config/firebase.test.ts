import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, firebaseKeys, refusals } from '#test/settings.ts';

const pem = (type: 'rsa' | 'ed25519') =>
  (type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ed25519')
  ).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
const privateKey = pem('rsa');
const keyFile = (more: object = {}) =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'parts-forge-1',
    private_key_id: '1',
    private_key: privateKey,
    client_email: 'shop@parts-forge-1.iam.gserviceaccount.com',
    ...more,
  });

test('a Firebase project is read with or without a service account', () => {
  const settings = {
    projectId: 'parts-forge-1',
    apiKey: 'AIzaSyA-1234567890_abcdefghijklmnopqrst',
    authDomain: 'parts-forge-1.firebaseapp.com',
  };
  expect(readConfig(firebaseKeys).firebase).toEqual({ ...settings, serviceAccount: null });
  expect(readConfig({ ...firebaseKeys, FIREBASE_SERVICE_ACCOUNT: keyFile() }).firebase).toEqual({
    ...settings,
    serviceAccount: { clientEmail: 'shop@parts-forge-1.iam.gserviceaccount.com', privateKey },
  });
});

test('an incomplete Google sign-in beside Firebase is reported, too', () => {
  expect(refusals({ ...firebaseKeys, GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: '' })).toHaveLength(2);
});

const key = "FIREBASE_SERVICE_ACCOUNT must be the JSON of a service account's key, as Google gives it.";

test.each([
  [{ FIREBASE_SERVICE_ACCOUNT: '{' }, key],
  [{ FIREBASE_SERVICE_ACCOUNT: '{}' }, key],
  [{ FIREBASE_SERVICE_ACCOUNT: keyFile({ type: 'authorized_user' }) }, key],
  [{ FIREBASE_SERVICE_ACCOUNT: keyFile({ private_key: 'none' }) }, key],
  [{ FIREBASE_SERVICE_ACCOUNT: keyFile({ private_key: pem('ed25519') }) }, key],
  [{ FIREBASE_SERVICE_ACCOUNT: keyFile({ client_email: 'shop' }) }, key],
  [
    { FIREBASE_SERVICE_ACCOUNT: keyFile({ project_id: 'another' }) },
    'FIREBASE_SERVICE_ACCOUNT must be of the project FIREBASE_PROJECT_ID.',
  ],
])('%o is refused', (env: Env, sentence) => {
  expect(refusals({ ...firebaseKeys, ...env })).toEqual([sentence]);
});

test('a service account without a project is refused', () => {
  const env = { FIREBASE_SERVICE_ACCOUNT: keyFile() };
  expect(refusals(env)).toEqual(['FIREBASE_SERVICE_ACCOUNT needs FIREBASE_PROJECT_ID.']);
});
