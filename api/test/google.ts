import { randomUUID } from 'node:crypto';
import { Events, type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { expect, vi } from 'vitest';
import type { Answer } from './answer.ts';
import { readCookie } from './identity.ts';
import type { TestShop } from './start-shop.ts';

export const CLIENT_ID = 'the-shop';

/** What Google says about somebody: the claims of the ID token. */
export interface GoogleClaims {
  sub: string;
  email: string;
  email_verified?: unknown;
  name?: string;
}

/** An OpenID provider in Google's place, which everybody is signed in to already. */
export interface FakeGoogle {
  /** The settings of a shop that uses it. */
  env: Record<string, string>;
  server: OAuth2Server;
  /** What the ID tokens say from now on; a claim that is undefined is left out. */
  sign(claims: Record<string, unknown>): void;
  stop(): Promise<void>;
}

export async function startGoogle(port?: number): Promise<FakeGoogle> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(port, '127.0.0.1');
  let claims: Record<string, unknown> = {};
  server.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) => Object.assign(payload, claims));
  return {
    env: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: 'a secret of the shop',
      GOOGLE_DISCOVERY_URL: `${server.issuer.url}/.well-known/openid-configuration`,
    },
    server,
    sign(next) {
      claims = next;
    },
    stop: () => server.stop(),
  };
}

/** Somebody with an account at Google, whose address it has proven. */
export const aGooglePerson = (claims: Partial<GoogleClaims> = {}) => ({
  sub: randomUUID(),
  email: `${randomUUID()}@gmail.example`,
  email_verified: true as unknown,
  name: 'Amara Okafor',
  ...claims,
});

/** Resolves when people can sign in with Google, as the page is told. */
export const untilGoogleIsThere = (shop: TestShop): Promise<void> =>
  vi.waitFor(async () => expect((await shop.request('/config')).body.identity.google).toBe(true), {
    timeout: 10_000,
  });

/** The origin that Google sends people back to; without `ORIGIN` it is not the one that tests ask. */
export const pageOrigin = (shop: TestShop): string => `http://localhost:${shop.config.port}`;

/** The first call of the page, before the window goes to Google. */
export function beginSignIn(
  shop: TestShop,
  { origin = pageOrigin(shop), ...body }: Record<string, unknown> = {},
  cookie?: string,
): Promise<Answer> {
  const popup = '/auth/popup.html?id=window-1';
  return shop.request('/identity/sign-in/social', {
    method: 'POST',
    body: { provider: 'google', callbackURL: popup, errorCallbackURL: popup, disableRedirect: true, ...body },
    headers: { origin: String(origin), ...(cookie && { cookie }) },
  });
}

/** Follows the window to Google. @returns where Google sends it back to, as a path of the shop */
export async function visitGoogle(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  const { pathname, search } = new URL(String(response.headers.get('location')));
  return pathname + search;
}

export interface GoogleSignIn {
  /** Empty where nobody is signed in. */
  cookie: string;
  /** What the window is told; null after a success. */
  error: string | null;
}

/** The whole way of the window. */
export async function signInWithGoogle(shop: TestShop): Promise<GoogleSignIn> {
  const began = await beginSignIn(shop);
  if (began.status !== 200) throw new Error(`No sign-in began: ${JSON.stringify(began.body)}`);
  const callback = await visitGoogle(began.body.url);
  return readOutcome(await shop.request(callback, { headers: { cookie: readCookie(began) } }));
}

export function readOutcome(answer: Answer): GoogleSignIn {
  expect(answer.status).toBe(302);
  const location = new URL(String(answer.headers.get('location')), 'http://shop.invalid');
  expect(location.pathname).toBe('/auth/popup.html');
  const session = answer.headers.getSetCookie().find((cookie) => /^shop\.session_token=[^;]/.test(cookie));
  return { cookie: session?.split(';')[0] ?? '', error: location.searchParams.get('error') };
}
