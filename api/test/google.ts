import { randomUUID } from 'node:crypto';
import { Events, type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { beforeAll, expect, vi } from 'vitest';
import type { Answer } from './answer.ts';
import { readCookie } from './identity.ts';
import type { ShopOptions, TestShop } from './start-shop.ts';
import { prepared, useShop } from './use-shop.ts';

export const CLIENT_ID = 'the-shop';

/** Claims of the ID token. */
export interface GoogleClaims {
  sub: string;
  email: string;
  email_verified?: unknown;
  name?: string;
}

/** Everybody is signed in there. */
export interface FakeGoogle {
  env: Record<string, string>;
  server: OAuth2Server;
  /** Undefined omits a claim. */
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

/** For all tests of a file, with a shop that has read its discovery document. */
export function useGoogle(options: ShopOptions = {}) {
  const google = prepared(startGoogle, (started) => started.stop());
  const shop = useShop(() => ({ ...options, env: google.env }));
  beforeAll(() => untilGoogleIsThere(shop));
  return { google, shop };
}

/** Verified. */
export const aGooglePerson = (claims: Partial<GoogleClaims> = {}) => ({
  sub: randomUUID(),
  email: `${randomUUID()}@gmail.example`,
  email_verified: true as unknown,
  name: 'Amara Okafor',
  ...claims,
});

/** Resolves once Google sign-in is available. */
export const untilGoogleIsThere = (shop: TestShop): Promise<void> =>
  vi.waitFor(async () => expect((await shop.request('/config')).body.identity.google).toBe(true), {
    timeout: 10_000,
  });

/** Without `ORIGIN` it differs from the tests' own. */
export const pageOrigin = (shop: TestShop): string => `http://localhost:${shop.config.port}`;

/** Before the window opens Google. */
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

/** @returns path of Google's redirect */
export async function visitGoogle(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  const { pathname, search } = new URL(String(response.headers.get('location')));
  return pathname + search;
}

export interface GoogleSignIn {
  /** Empty without a sign-in. */
  cookie: string;
  /** Null on success. */
  error: string | null;
}

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
