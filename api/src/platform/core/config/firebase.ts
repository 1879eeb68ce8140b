import { createPrivateKey } from 'node:crypto';
import * as z from 'zod/mini';
import { google } from './google.ts';
import { crossCheck, matching, type SettingsGroup, secret, setting, type Values } from './setting.ts';

export interface FirebaseSettings {
  projectId: string;
  /** Public: browsers receive it. */
  apiKey: string;
  /** Host of the sign-in popup, such as `parts-forge.firebaseapp.com`. */
  authDomain: string;
  /** Null: accounts there are never deleted. */
  serviceAccount: { clientEmail: string; privateKey: string } | null;
}

const settings = {
  FIREBASE_PROJECT_ID: setting(
    'Id of the Firebase project that replaces the embedded identity service. Requires `FIREBASE_API_KEY` and `FIREBASE_AUTH_DOMAIN`.',
    z.optional(matching(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'must be the id of a Firebase project.')),
  ),
  FIREBASE_API_KEY: setting(
    'Web API key of the project. It is public: every browser receives it.',
    z.optional(matching(/^[\w-]{20,}$/, 'must be a web API key.')),
  ),
  FIREBASE_AUTH_DOMAIN: setting(
    "Host of the sign-in popup: `parts-forge.firebaseapp.com`, or that of `ORIGIN`, where the shop then serves Firebase's pages, for browsers that deny storage to frames of other sites.",
    z.optional(matching(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'must be a host such as parts-forge.firebaseapp.com.')),
  ),
  FIREBASE_SERVICE_ACCOUNT: secret(
    'Service account key (JSON). With it the shop also deletes removed users at Firebase; without it their Firebase accounts stay.',
    z.optional(
      z
        .string()
        .check(
          z.refine(
            (text) => parseServiceAccount(text) !== null,
            "must be the JSON of a service account's key, as Google gives it.",
          ),
        ),
    ),
  ),
};

const { GOOGLE_CLIENT_ID } = google.settings;

export const firebase = {
  title: 'Firebase',
  settings,
  checks: [
    crossCheck(settings, (values) => {
      const { FIREBASE_PROJECT_ID: projectId, FIREBASE_SERVICE_ACCOUNT: account } = values;
      const needed = [projectId, values.FIREBASE_API_KEY, values.FIREBASE_AUTH_DOMAIN];
      const given = needed.filter((value) => value !== undefined).length;
      if (given !== 0 && given !== needed.length) {
        return ['FIREBASE_PROJECT_ID, FIREBASE_API_KEY and FIREBASE_AUTH_DOMAIN must be set together.'];
      }
      if (account === undefined) return [];
      if (projectId === undefined) return ['FIREBASE_SERVICE_ACCOUNT needs FIREBASE_PROJECT_ID.'];
      return parseServiceAccount(account)?.project_id === projectId
        ? []
        : ['FIREBASE_SERVICE_ACCOUNT must be of the project FIREBASE_PROJECT_ID.'];
    }),
    crossCheck({ FIREBASE_PROJECT_ID: settings.FIREBASE_PROJECT_ID, GOOGLE_CLIENT_ID }, (values) =>
      values.FIREBASE_PROJECT_ID === undefined || values.GOOGLE_CLIENT_ID === undefined
        ? []
        : [
            'FIREBASE_PROJECT_ID and GOOGLE_CLIENT_ID exclude each other: with Firebase, sign-in with Google is switched on in its console.',
          ],
    ),
  ],
} satisfies SettingsGroup;

export function readFirebase(values: Values<typeof settings>): FirebaseSettings | null {
  const {
    FIREBASE_PROJECT_ID: projectId,
    FIREBASE_API_KEY: apiKey,
    FIREBASE_AUTH_DOMAIN: authDomain,
    FIREBASE_SERVICE_ACCOUNT: text,
  } = values;
  if (!projectId || !apiKey || !authDomain) return null;
  const account = text === undefined ? null : parseServiceAccount(text);
  const serviceAccount = account && { clientEmail: account.client_email, privateKey: account.private_key };
  return { projectId, apiKey, authDomain, serviceAccount };
}

const serviceAccountKey = z.object({
  type: z.literal('service_account'),
  project_id: z.string(),
  client_email: z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/)),
  private_key: z.string().check(z.refine(isRsaKey)),
});

export function parseServiceAccount(text: string): z.output<typeof serviceAccountKey> | null {
  try {
    return serviceAccountKey.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
