import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals } from '#test/settings.ts';

const project = {
  FIREBASE_PROJECT_ID: 'parts-forge-1',
  FIREBASE_API_KEY: 'AIzaSyA-1234567890_abcdefghijklmnopqrst',
  FIREBASE_AUTH_DOMAIN: 'parts-forge-1.firebaseapp.com',
};
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

test('the embedded identity service is the default', () => {
  expect(readConfig({}).firebase).toBeNull();
});

test('a Firebase project is read with or without a service account', () => {
  const settings = {
    projectId: 'parts-forge-1',
    apiKey: 'AIzaSyA-1234567890_abcdefghijklmnopqrst',
    authDomain: 'parts-forge-1.firebaseapp.com',
  };
  expect(readConfig(project).firebase).toEqual({ ...settings, serviceAccount: null });
  expect(readConfig({ ...project, FIREBASE_SERVICE_ACCOUNT: keyFile() }).firebase).toEqual({
    ...settings,
    serviceAccount: { clientEmail: 'shop@parts-forge-1.iam.gserviceaccount.com', privateKey },
  });
});

test.each(Object.keys(project))('Firebase is refused without %s, or with it alone', (name) => {
  const sentences = ['FIREBASE_PROJECT_ID, FIREBASE_API_KEY and FIREBASE_AUTH_DOMAIN must be set together.'];
  expect(refusals({ ...project, [name]: '' })).toEqual(sentences);
  expect(refusals({ [name]: project[name as keyof typeof project] })).toEqual(sentences);
});

test('embedded Google sign-in and Firebase are refused together', () => {
  const google = { GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' };
  expect(refusals({ ...project, ...google })).toEqual([
    'FIREBASE_PROJECT_ID and GOOGLE_CLIENT_ID exclude each other: with Firebase, sign-in with Google is switched on in its console.',
  ]);
  // An incomplete setting is reported in the same list.
  expect(refusals({ ...project, ...google, GOOGLE_CLIENT_SECRET: '' })).toHaveLength(2);
  expect(readConfig(google).google).not.toBeNull();
});

const key = "FIREBASE_SERVICE_ACCOUNT must be the JSON of a service account's key, as Google gives it.";

test.each([
  [{ FIREBASE_PROJECT_ID: 'Parts Forge' }, 'FIREBASE_PROJECT_ID must be the id of a Firebase project.'],
  [{ FIREBASE_API_KEY: 'a key' }, 'FIREBASE_API_KEY must be a web API key.'],
  [
    { FIREBASE_AUTH_DOMAIN: 'https://parts-forge-1.firebaseapp.com' },
    'FIREBASE_AUTH_DOMAIN must be a host such as parts-forge.firebaseapp.com.',
  ],
  [
    { FIREBASE_AUTH_DOMAIN: 'x.example; script-src *' },
    'FIREBASE_AUTH_DOMAIN must be a host such as parts-forge.firebaseapp.com.',
  ],
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
  expect(refusals({ ...project, ...env })).toEqual([sentence]);
});

test('a service account without a project is refused', () => {
  const env = { FIREBASE_SERVICE_ACCOUNT: keyFile() };
  expect(refusals(env)).toEqual(['FIREBASE_SERVICE_ACCOUNT needs FIREBASE_PROJECT_ID.']);
});

test('the first administrator of a shop on Firebase has only an email', () => {
  expect(readConfig({ ...project, ADMIN_EMAIL: 'chief@shop.example' }).adminEmail).toBe('chief@shop.example');
  const env = { ...project, ADMIN_EMAIL: 'chief@shop.example', ADMIN_PASSWORD: 'twelve chars' };
  expect(refusals(env)).toEqual([
    'ADMIN_PASSWORD must not be set with Firebase, which has its own passwords.',
  ]);
});

test('a second factor cannot be required with Firebase', () => {
  expect(refusals({ ...project, ADMIN_SECOND_FACTOR: 'optional' })).toEqual([]);
  expect(refusals({ ...project, ADMIN_SECOND_FACTOR: 'required' })).toEqual([
    'ADMIN_SECOND_FACTOR=required is not possible with Firebase.',
  ]);
});
