import * as z from 'zod/mini';
import { askGoogle } from '#src/identity/ask-google.ts';
import { buyToken } from '#src/identity/firebase-admin.ts';
import { type FirebaseEndpoints, googleEndpoints } from '#src/identity/firebase-endpoints.ts';
import type { FirebaseSettings } from '#src/platform/core/config/firebase.ts';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';
import { ask } from './running-shop.ts';

const keySet = z.object({
  keys: z.array(z.object({ kty: z.literal('RSA'), kid: z.string() })).check(z.minLength(1)),
});
const project = z.object({ authorizedDomains: z.array(z.string()) });

/**
 * Firebase: the keys that tokens are checked with, the project, and who deletes accounts there.
 * @param endpoints Google's own unless a test passes others
 */
export async function checkFirebase({ config }: Visit, endpoints = googleEndpoints): Promise<Finding[]> {
  const { firebase, origin } = config;
  if (firebase === null) return [];
  const host = origin === null ? 'localhost' : new URL(origin).hostname;
  const findings = await Promise.all([
    checkKeys(endpoints),
    checkApiKey(firebase, endpoints),
    checkProject(firebase, host, endpoints),
    checkServiceAccount(firebase, endpoints),
  ]);
  return findings.flat();
}

async function checkKeys({ keys }: FirebaseEndpoints): Promise<Finding> {
  try {
    const publicKeys = keySet.parse(await (await ask(keys)).json()).keys;
    return works(`Firebase's public keys can be read (${publicKeys.length}).`);
  } catch (error) {
    return fails(`Firebase's public keys cannot be read at ${keys}: ${explain(error)}.`);
  }
}

/** Asks for an account with a token that is none, as the shop asks at each sign-in: what is refused must be the token. */
async function checkApiKey({ apiKey }: FirebaseSettings, { accounts }: FirebaseEndpoints): Promise<Finding> {
  const address = `${accounts}/accounts:lookup?key=${encodeURIComponent(apiKey)}`;
  try {
    const { status, refusal } = await askGoogle(address, { idToken: 'asked-by-the-doctor' });
    if (refusal === 'INVALID_ID_TOKEN') return works('Firebase takes FIREBASE_API_KEY from this machine.');
    // Some refusals are words for people, of which nothing but the first is here.
    const reason = /^[A-Z_]{4,}$/.test(refusal) ? `${status} ${refusal}` : `${status}`;
    return fails(`Firebase refuses FIREBASE_API_KEY from this machine: ${reason}.`);
  } catch (error) {
    return fails(`Firebase does not answer: ${explain(error)}.`);
  }
}

/** What Firebase's own script asks before a popup: the hosts from which people may sign in. */
async function checkProject(
  { apiKey, projectId, authDomain }: FirebaseSettings,
  host: string,
  { accounts }: FirebaseEndpoints,
): Promise<Finding[]> {
  let domains: string[];
  try {
    const answer = await ask(`${accounts}/projects?key=${encodeURIComponent(apiKey)}`);
    ({ authorizedDomains: domains } = project.parse(await answer.json()));
  } catch (error) {
    return [note(`Which hosts may sign in at Firebase cannot be seen: ${explain(error)}.`)];
  }
  const isItsKey = domains.some((domain) => domain === `${projectId}.firebaseapp.com`);
  const place = `the authorized domains of the project (Authentication → Settings)`;
  return [
    isItsKey
      ? works(`FIREBASE_API_KEY is of the project ${projectId}.`)
      : note(`${projectId}.firebaseapp.com is not among ${place}: is FIREBASE_API_KEY of this project?`),
    ...[...new Set([host, authDomain])].map((domain) =>
      domains.includes(domain)
        ? works(`${domain} is among ${place}.`)
        : fails(`${domain} is not among ${place}: sign-in with Google is refused there.`),
    ),
  ];
}

async function checkServiceAccount(
  { serviceAccount }: FirebaseSettings,
  { token }: FirebaseEndpoints,
): Promise<Finding> {
  if (serviceAccount === null) {
    return note('Without FIREBASE_SERVICE_ACCOUNT the accounts of removed people stay at Firebase.');
  }
  try {
    await buyToken(serviceAccount, token, Date.now());
    return works(
      'Google takes FIREBASE_SERVICE_ACCOUNT; whether it may delete accounts is seen with the first removed person.',
    );
  } catch (error) {
    return fails(`FIREBASE_SERVICE_ACCOUNT cannot be used: ${explain(error)}.`);
  }
}

function explain(error: unknown): string {
  if (error instanceof z.core.$ZodError) return 'the answer is not as Google documents it';
  return readReason(error).replace(/\.$/, '');
}
