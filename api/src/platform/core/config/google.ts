import * as z from 'zod/mini';
import { isLoopback } from './server.ts';
import { choice, type SettingsGroup, secret, setTogether, setting, type Values } from './setting.ts';

const settings = {
  GOOGLE_CLIENT_ID: setting(
    'OAuth client id for sign-in with Google, together with `GOOGLE_CLIENT_SECRET`. Add the shop’s origin followed by `/identity/callback/google` to the client’s redirect addresses at Google.',
    z.optional(z.string()),
  ),
  GOOGLE_CLIENT_SECRET: secret('Secret of the OAuth client.', z.optional(z.string())),
  GOOGLE_DISCOVERY_URL: setting(
    'Discovery document of the OpenID provider behind CONTINUE WITH GOOGLE.',
    z._default(
      z.string().check(z.refine(isSafeAddress, 'must begin with https://, or with http:// on this machine.')),
      'https://accounts.google.com/.well-known/openid-configuration',
    ),
  ),
  GOOGLE_PROMPT: setting(
    'Prompt that Google shows at each sign-in: `select_account`, `consent` or `login`.',
    z._default(choice(['select_account', 'consent', 'login']), 'select_account'),
  ),
};

const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = settings;

export const google = {
  title: 'Google',
  settings,
  checks: [setTogether({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET })],
} satisfies SettingsGroup;

export function readGoogle(values: Values<typeof settings>) {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = values;
  const { GOOGLE_DISCOVERY_URL: discoveryUrl, GOOGLE_PROMPT: prompt } = values;
  return { google: clientId && clientSecret ? { clientId, clientSecret, discoveryUrl, prompt } : null };
}

/** HTTPS, or this machine: nobody on the way can change the response. */
function isSafeAddress(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(value));
}
