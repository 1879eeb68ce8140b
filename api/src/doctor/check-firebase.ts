import * as z from 'zod/mini';
import { askGoogle } from '#src/identity/firebase/ask-google.ts';
import { buyToken } from '#src/identity/firebase/firebase-admin.ts';
import {
  type FirebaseEndpoints,
  fromSite,
  googleEndpoints,
} from '#src/identity/firebase/firebase-endpoints.ts';
import type { FirebaseSettings } from '#src/platform/core/config/firebase.ts';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';
import { ask } from './running-shop.ts';

const keySet = z.object({
  keys: z.array(z.object({ kty: z.literal('RSA'), kid: z.string() })).check(z.minLength(1)),
});
const project = z.object({ authorizedDomains: z.array(z.string()) });

/**
 * Checks public keys, project and service account.
 * @param endpoints Google's; tests pass others
 */
export async function checkFirebase({ config }: Visit, endpoints = googleEndpoints): Promise<Finding[]> {
  const { firebase, origin } = config;
  if (firebase === null) return [];
  const host = origin === null ? 'localhost' : new URL(origin).hostname;
  const findings = await Promise.all([
    checkKeys(endpoints),
    checkApiKey(firebase, origin, endpoints),
    checkRenewal(firebase, origin, endpoints),
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

/** Looks up an account with an invalid token: only the token may be refused. */
async function checkApiKey(
  { apiKey }: FirebaseSettings,
  origin: string | null,
  { accounts }: FirebaseEndpoints,
): Promise<Finding> {
  const address = `${accounts}/accounts:lookup?key=${encodeURIComponent(apiKey)}`;
  try {
    const { refusal, reason } = await askGoogle(
      address,
      { idToken: 'asked-by-the-doctor' },
      fromSite(origin),
    );
    if (refusal === 'INVALID_ID_TOKEN') return works('Firebase takes FIREBASE_API_KEY from this machine.');
    return fails(
      `Firebase refuses FIREBASE_API_KEY from this machine: ${endSentence(reason)}${advise(reason)}`,
    );
  } catch (error) {
    return fails(`Firebase does not answer: ${explain(error)}.`);
  }
}

/** Uses an invalid refresh token. */
async function checkRenewal(
  { apiKey }: FirebaseSettings,
  origin: string | null,
  { renewal }: FirebaseEndpoints,
): Promise<Finding> {
  const address = `${renewal}?key=${encodeURIComponent(apiKey)}`;
  const grant = { grant_type: 'refresh_token', refresh_token: 'asked-by-the-doctor' };
  try {
    const { refusal, reason } = await askGoogle(address, new URLSearchParams(grant), fromSite(origin));
    if (refusal === 'INVALID_REFRESH_TOKEN') return works('Firebase renews tokens with FIREBASE_API_KEY.');
    return fails(`Firebase renews no token with FIREBASE_API_KEY: ${endSentence(reason)}${advise(reason)}`);
  } catch (error) {
    return fails(`Firebase's token service does not answer: ${explain(error)}.`);
  }
}

/** For the Google Cloud console, if the key's restriction is the reason. */
function advise(reason: string): string {
  const restriction = /\bAPI_KEY_(SERVICE|HTTP_REFERRER|IP_ADDRESS)_BLOCKED\b/.exec(reason)?.[1];
  if (restriction === undefined) return '';
  return restriction === 'SERVICE'
    ? ' The key must be allowed the Identity Toolkit API and the Token Service API.'
    : ' A key that is restricted to sites must name the shop (ORIGIN) and FIREBASE_AUTH_DOMAIN. Do not restrict it to addresses: browsers use it, too.';
}

/** Firebase's script reads the permitted hosts before a popup. */
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
      : doubtKey(projectId, domains, place),
    ...[...new Set([host, authDomain])].map((domain) =>
      domains.includes(domain)
        ? works(`${domain} is among ${place}.`)
        : fails(`${domain} is not among ${place}: sign-in with Google is refused there.`),
    ),
  ];
}

/** Each project has its own firebaseapp.com host, unless removed. */
function doubtKey(projectId: string, domains: readonly string[], place: string): Finding {
  const other = domains.find((domain) => domain.endsWith('.firebaseapp.com'));
  return other === undefined
    ? note(`${projectId}.firebaseapp.com is not among ${place}: is FIREBASE_API_KEY of this project?`)
    : fails(
        `FIREBASE_API_KEY is of the project of ${other} and not of ${projectId}: every sign-in would be refused.`,
      );
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

const endSentence = (text: string) => `${text.replace(/\.$/, '')}.`;

function explain(error: unknown): string {
  if (error instanceof z.core.$ZodError) return 'the answer is not as Google documents it';
  return readReason(error).replace(/\.$/, '');
}
