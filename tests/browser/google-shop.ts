import { once } from 'node:events';
import type { Server } from 'node:http';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { expect } from '@playwright/test';
import Provider from 'oidc-provider';
import { startOwnShop } from './own-shop.ts';
import { test as silentTest } from './silent-test.ts';

const client = { id: 'the-shop', secret: 'a secret of the shop and of Google' };

/** A separate shop, with a local OpenID provider in place of Google. */
export const test = silentTest.extend<object, { googleShop: string }>({
  googleShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
    async ({}, use) => {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const google = await startProvider(`${origin}/identity/callback/google`);
      const stopShop = await startShop(port, google.issuer);
      await use(origin);
      await stopShop();
      google.server.close();
      google.server.closeAllConnections();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ googleShop }, use) => use(googleShop),
});

/** Any password works; the address decides whether it is verified. */
async function startProvider(redirectUri: string): Promise<{ issuer: string; server: Server }> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Like Google.
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the stories'] },
    pkce: { required: () => true },
    findAccount: (_context, email) => ({
      accountId: email,
      claims: () => ({
        sub: email,
        email,
        email_verified: !email.startsWith('unproven'),
        name: 'Amara at Google',
      }),
    }),
  });
  const server = provider.listen(port, 'localhost');
  await once(server, 'listening');
  return { issuer, server };
}

/** @returns ends the shop */
async function startShop(port: number, issuer: string): Promise<() => Promise<void>> {
  const stop = startOwnShop(port, {
    SEED: 'none',
    GOOGLE_CLIENT_ID: client.id,
    GOOGLE_CLIENT_SECRET: client.secret,
    GOOGLE_DISCOVERY_URL: `${issuer}/.well-known/openid-configuration`,
    // Unsupported: `select_account`.
    GOOGLE_PROMPT: 'login',
  });
  const readGoogle = async () => {
    const answer = await fetch(`http://localhost:${port}/config`).catch(() => null);
    return answer?.ok === true && (await answer.json()).identity.google;
  };
  await expect.poll(readGoogle, { timeout: 60_000 }).toBe(true);
  return stop;
}
