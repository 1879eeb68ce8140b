import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { PROJECT, refuseKey, type StandInGoogle, startStandInGoogle } from '#test/stand-in-google.ts';
import { checkFirebase } from './check-firebase.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const project = {
  FIREBASE_PROJECT_ID: PROJECT,
  FIREBASE_API_KEY: 'AIzaSyA-1234567890_abcdefghijklmnopqrst',
  FIREBASE_AUTH_DOMAIN: `${PROJECT}.firebaseapp.com`,
  FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
    type: 'service_account',
    project_id: PROJECT,
    private_key: privateKey,
    client_email: 'shop@project.example',
  }),
};

let google: StandInGoogle;
beforeEach(async () => {
  google = await startStandInGoogle();
});
afterEach(() => google.close());

async function check(env: Record<string, string> = project) {
  const visit = { config: readConfig({ PAYMENTS: 'sandbox', ...env }), openDatabase: async () => null };
  const findings = await checkFirebase(visit, google.endpoints);
  return findings.map(({ verdict, sentence }) => `${verdict}: ${sentence}`);
}

test('the check finds nothing if Firebase is not set up', async () => {
  expect(await check({})).toEqual([]);
});

test('a project that matches the settings is confirmed without its secrets', async () => {
  google.authorizedDomains.push('parts.example');
  const said = await check({ ...project, ORIGIN: 'https://parts.example' });
  expect(said).toEqual([
    "works: Firebase's public keys can be read (1).",
    'works: Firebase takes FIREBASE_API_KEY from this machine.',
    'works: Firebase renews tokens with FIREBASE_API_KEY.',
    `works: FIREBASE_API_KEY is of the project ${PROJECT}.`,
    'works: parts.example is among the authorized domains of the project (Authentication → Settings).',
    `works: ${PROJECT}.firebaseapp.com is among the authorized domains of the project (Authentication → Settings).`,
    'works: Google takes FIREBASE_SERVICE_ACCOUNT; whether it may delete accounts is seen with the first removed person.',
  ]);
  expect(said.join()).not.toContain('BEGIN PRIVATE KEY');
  expect(google.accounts.size).toBe(0);
});

test('a key of another project fails', async () => {
  google.authorizedDomains.splice(0, 2, 'another.firebaseapp.com');
  const said = await check({ ...project, ORIGIN: 'https://parts.example' });
  expect(said).toContain(
    `fails: FIREBASE_API_KEY is of the project of another.firebaseapp.com and not of ${PROJECT}: every sign-in would be refused.`,
  );
});

test('a host that Firebase does not authorize fails', async () => {
  google.authorizedDomains.splice(0, 2, 'another.example');
  const said = await check({ ...project, ORIGIN: 'https://parts.example' });
  expect(said).toContainEqual(expect.stringMatching(/^fails: parts\.example is not among/));
  expect(said).toContainEqual(expect.stringMatching(/^note: .+: is FIREBASE_API_KEY of this project\?$/));
});

test('a key and a service account that Google refuses fail', async () => {
  const refusal = (message: string) => ({ status: 400, body: { error: { message } } });
  google.failures.set('accounts:lookup', refusal('API key not valid. Please pass a valid API key.'));
  google.failures.set('/token', { status: 400, body: { error: 'invalid_grant' } });
  const said = await check();
  expect(said).toContain(
    'fails: Firebase refuses FIREBASE_API_KEY from this machine: 400 API key not valid. Please pass a valid API key.',
  );
  expect(said).toContain(
    'fails: FIREBASE_SERVICE_ACCOUNT cannot be used: Google refused the service account: 400 invalid_grant.',
  );
});

test("a key restricted to the shop's site works", async () => {
  google.allowedSite = 'https://parts.example';
  const said = await check({ ...project, ORIGIN: 'https://parts.example' });
  expect(said).toContain('works: Firebase takes FIREBASE_API_KEY from this machine.');
  expect(said).toContain('works: Firebase renews tokens with FIREBASE_API_KEY.');
});

test("a key of another site fails with Google's reason", async () => {
  google.allowedSite = 'https://old.example';
  const said = await check({ ...project, ORIGIN: 'https://parts.example' });
  expect(said).toContain(
    'fails: Firebase refuses FIREBASE_API_KEY from this machine: 403 API_KEY_HTTP_REFERRER_BLOCKED Requests from referer https://parts.example/ are blocked. A key that is restricted to sites must name the shop (ORIGIN) and FIREBASE_AUTH_DOMAIN. Do not restrict it to addresses: browsers use it, too.',
  );
});

test('a key without the token service fails and both APIs are named', async () => {
  const message = 'Requests to this API securetoken.googleapis.com method GrantToken are blocked.';
  google.failures.set('/renew', refuseKey('API_KEY_SERVICE_BLOCKED', message));
  const said = await check();
  expect(said).toContain('works: Firebase takes FIREBASE_API_KEY from this machine.');
  expect(said).toContain(
    `fails: Firebase renews no token with FIREBASE_API_KEY: 403 API_KEY_SERVICE_BLOCKED ${message} The key must be allowed the Identity Toolkit API and the Token Service API.`,
  );
});

test('unreadable keys fail, and a missing service account is noted', async () => {
  google.failures.set('/keys', { status: 200, body: { keys: [] } });
  const { FIREBASE_SERVICE_ACCOUNT: _, ...others } = project;
  const said = await check(others);
  expect(said[0]).toBe(
    `fails: Firebase's public keys cannot be read at ${google.endpoints.keys}: the answer is not as Google documents it.`,
  );
  expect(said.at(-1)).toBe(
    'note: Without FIREBASE_SERVICE_ACCOUNT the accounts of removed people stay at Firebase.',
  );
});

test('an unreachable Google fails', async () => {
  await google.close();
  const said = await check();
  expect(said.filter((sentence) => sentence.startsWith('fails: '))).toHaveLength(4);
});
