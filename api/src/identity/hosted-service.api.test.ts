import { identityServiceCalls } from '@parts-forge/contract/people/identity-service';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '#src/app.ts';
import { anAccount, anAdministrator, fetchAccessToken } from '#test/identity.ts';
import { useShop } from '#test/use-shop.ts';
import type { IdentityProvider } from './provider.ts';

let app: FastifyInstance;

/** It proves who somebody is, and nothing else. */
const hosted: IdentityProvider = {
  verify: async (idToken) => ({
    issuer: 'https://identity.example',
    subject: idToken,
    email: `${idToken}@fieldrepair.example`,
    emailVerified: true,
    name: 'Amara Okafor',
    sessionId: null,
    authTime: Math.floor(Date.now() / 1000),
  }),
  deleteIdentity: async () => {},
  assertReady: async () => {},
  pageConfig: {
    kind: 'firebase',
    google: true,
    selfService: false,
    mail: true,
    adminSecondFactor: 'optional',
  },
};

const shop = useShop();
beforeAll(async () => {
  app = await buildApp({ ...shop.services, identity: hosted });
});
afterAll(async () => {
  await app.close();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('a hosted identity service', () => {
  it('closes the shop’s own account paths and tells the page', async () => {
    for (const { method, path } of Object.values(identityServiceCalls)) {
      const answer = await app.inject({ method, url: path, ...(method === 'POST' && { payload: {} }) });
      expect([path, answer.statusCode]).toEqual([path, 404]);
    }
    const { identity } = (await app.inject('/config')).json();
    expect(identity).toEqual(hosted.pageConfig);
  });

  it('prevents reset links', async () => {
    const admin = await anAdministrator(shop);
    const customer = await anAccount(shop);
    await fetchAccessToken(shop, customer);
    const url = `/user/${customer.email}/reset-link`;
    expect((await shop.request(url, { method: 'POST', token: admin.token })).status).toBe(200);
    const answer = await app.inject({ method: 'POST', url, headers: bearer(admin.token) });
    expect(answer.statusCode).toBe(404);
  });

  it('allows the exchange, the data copy and self-removal', async () => {
    const [url, email] = ['/user/amara@fieldrepair.example', 'amara@fieldrepair.example'];
    const bought = await app.inject({ method: 'PUT', url, headers: bearer('amara'), payload: { email } });
    expect(bought.statusCode).toBe(200);
    const headers = bearer(bought.json().token);
    const data = await app.inject({ url: `${url}/data`, headers });
    expect(data.json()).toMatchObject({ profile: { email }, signIn: { secondFactor: false, sessions: [] } });
    expect((await app.inject({ method: 'DELETE', url, headers })).json()).toEqual({ deletedCount: 1 });
    expect((await app.inject({ url, headers })).statusCode).toBe(401);
  });

  it('lets a logout end the access token', async () => {
    const [url, email] = ['/user/kofi@fieldrepair.example', 'kofi@fieldrepair.example'];
    const bought = await app.inject({ method: 'PUT', url, headers: bearer('kofi'), payload: { email } });
    const headers = bearer(bought.json().token);
    expect((await app.inject({ method: 'POST', url: '/logout', headers })).statusCode).toBe(204);
    expect((await app.inject({ url, headers })).statusCode).toBe(401);
  });
});
