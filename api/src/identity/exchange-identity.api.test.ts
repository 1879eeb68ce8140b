import { randomUUID } from 'node:crypto';
import { identityServiceCalls } from '@parts-forge/contract/people/identity-service';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '#src/app.ts';
import { accessTokens, identityKeys, identitySessions, identityUsers } from '#src/identity/schema.ts';
import { users } from '#src/users/schema.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import {
  aCustomer,
  anAccount,
  anAdministrator,
  askIdentity,
  exchange,
  fetchAccessToken,
  fetchIdToken,
  newEmail,
} from '#test/identity.ts';
import { useShop } from '#test/use-shop.ts';
import type { IdentityProvider } from './provider.ts';

/** A key that the identity service knows, to sign tokens that it would not issue. */
let knownKey: CryptoKey;
let strangeKey: CryptoKey;
let publicKeyText: string;

const shop = useShop();
beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  knownKey = pair.privateKey;
  strangeKey = (await generateKeyPair('ES256')).privateKey;
  publicKeyText = JSON.stringify(await exportJWK(pair.publicKey));
  await shop.db
    .insert(identityKeys)
    // Retired a minute ago: the service no longer signs with it, but accepts its tokens.
    .values({
      id: 'a-known-key',
      publicKey: publicKeyText,
      privateKey: '',
      alg: 'ES256',
      expiresAt: new Date(Date.now() - 60_000),
    });
});

const nowSeconds = () => Math.floor(Date.now() / 1000);
const issuer = () => `urn:parts-forge:${shop.services.instanceId}`;

interface Forged {
  key?: CryptoKey | Uint8Array;
  alg?: string;
  kid?: string;
}

const claimsFor = (email: string, more: Record<string, unknown> = {}): JWTPayload => ({
  sub: `subject of ${email}`,
  iss: issuer(),
  aud: 'shop',
  email,
  email_verified: false,
  name: 'Amara Okafor',
  auth_time: nowSeconds(),
  iat: nowSeconds(),
  exp: nowSeconds() + 300,
  ...more,
});

/** Signs the claims, with a session at the service. */
async function signed(
  claims: JWTPayload,
  { key = knownKey, alg = 'ES256', kid = 'a-known-key' }: Forged = {},
): Promise<string> {
  const sid = claims.sub && (await openSession(claims.sub));
  return new SignJWT({ ...(sid && { sid }), ...claims }).setProtectedHeader({ alg, kid }).sign(key);
}

async function openSession(subject: string): Promise<string> {
  const id = randomUUID();
  await shop.db
    .insert(identityUsers)
    .values({ id: subject, name: 'A', email: `${id}@service.example` })
    .onConflictDoNothing();
  await shop.db
    .insert(identitySessions)
    .values({ id, token: id, userId: subject, expiresAt: new Date(Date.now() + 3_600_000) });
  return id;
}

const userRow = async (email: string) =>
  (await shop.db.select().from(users).where(eq(users.email, email)))[0];

describe('PUT /user/{email}: the exchange of proof for an access token', () => {
  it('creates a user on first sight and answers token and expiresIn', async () => {
    const account = await anAccount(shop, { name: 'Amara Okafor' });
    const answer = await exchange(shop, await fetchIdToken(shop, account), account);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      acknowledged: true,
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresIn: 900,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const profile = await shop.request(`/user/${account.email}`, { token: answer.body.token });
    expect(profile.body).toMatchObject({ name: 'Amara Okafor', email: account.email, role: 'user' });
  });

  it('stores only the SHA-256 of the token', async () => {
    const token = await fetchAccessToken(shop, await anAccount(shop));
    const rows = await shop.db.select().from(accessTokens);
    expect(rows.every(({ hash }) => hash.length === 32)).toBe(true);
    expect(JSON.stringify(rows.map(({ hash }) => hash.toString('latin1')))).not.toContain(token);
  });

  it('compares the email without regard to case', async () => {
    const account = await anAccount(shop);
    const answer = await exchange(shop, await fetchIdToken(shop, account), {
      email: account.email.toUpperCase(),
    });
    expect(answer.status).toBe(200);
    expect(await userRow(account.email)).toBeDefined();
  });

  it('prefers the identity’s name to the body’s', async () => {
    const [named, nameless] = [newEmail(), newEmail()];
    await exchange(shop, await signed(claimsFor(named, { name: 'From the service' })), {
      email: named,
      name: 'B',
    });
    await exchange(shop, await signed(claimsFor(nameless, { name: ' ' })), {
      email: nameless,
      name: 'From the body',
    });
    expect((await userRow(named))?.name).toBe('From the service');
    expect((await userRow(nameless))?.name).toBe('From the body');
  });

  it('never changes an existing role', async () => {
    const account = await anAccount(shop);
    await fetchAccessToken(shop, account);
    await shop.db.update(users).set({ role: 'admin' }).where(eq(users.email, account.email));
    const token = await fetchAccessToken(shop, account);
    expect((await shop.request(`/user/${account.email}`, { token })).body.role).toBe('admin');
  });

  it('creates one user from many simultaneous first sign-ins', async () => {
    const account = await anAccount(shop);
    const idToken = await fetchIdToken(shop, account);
    const answers = await Promise.all(Array.from({ length: 12 }, () => exchange(shop, idToken, account)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(12);
    const rows = await shop.db.select().from(users).where(eq(users.email, account.email));
    expect(rows).toHaveLength(1);
  });

  it('refuses a role in the body', async () => {
    const account = await anAccount(shop);
    const refused = await shop.request(`/user/${account.email}`, {
      method: 'PUT',
      token: await fetchIdToken(shop, account),
      body: { email: account.email, name: 'A', role: 'admin' },
    });
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'role']);
  });
});

describe('an exchange without proof (401), or for another’s email (403)', () => {
  it('refuses an exchange without a token', async () => {
    const email = newEmail();
    const answer = await shop.request(`/user/${email}`, { method: 'PUT', body: { email, name: 'A' } });
    expect(answer.status).toBe(401);
    expect(answer.body.type).toBe('urn:parts-forge:problem:identity-token-required');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await userRow(email)).toBeUndefined();
  });

  const forgeries: Record<string, (email: string) => Promise<string> | string> = {
    'is no token at all': () => 'nonsense',
    'has three empty parts': () => '..',
    'says alg none': (email) => new UnsecuredJWT(claimsFor(email)).encode(),
    'is signed with another key': (email) => signed(claimsFor(email), { key: strangeKey }),
    'names an unknown key': (email) => signed(claimsFor(email), { key: strangeKey, kid: 'unknown' }),
    'is signed with the public key as a shared secret': (email) =>
      signed(claimsFor(email), { key: new TextEncoder().encode(publicKeyText), alg: 'HS256' }),
    'comes from another issuer': (email) => signed(claimsFor(email, { iss: 'urn:parts-forge:another' })),
    'is meant for another audience': (email) => signed(claimsFor(email, { aud: 'warehouse' })),
    'has expired': (email) => signed(claimsFor(email, { exp: nowSeconds() - 1 })),
    'never expires': (email) => signed(claimsFor(email, { exp: undefined })),
    'has no subject': (email) => signed(claimsFor(email, { sub: '' })),
    'has no email': (email) => signed(claimsFor(email, { email: undefined })),
    'has an email_verified that is a text': (email) => signed(claimsFor(email, { email_verified: 'true' })),
    'names no session': (email) => signed(claimsFor(email, { sid: '' })),
    'has no time of sign-in': (email) => signed(claimsFor(email, { auth_time: undefined })),
    'was changed after it was signed': async (email) => {
      const [head, , signature] = (await signed(claimsFor(newEmail()))).split('.');
      return [head, Buffer.from(JSON.stringify(claimsFor(email))).toString('base64url'), signature].join('.');
    },
    'lost its signature': async (email) =>
      `${(await signed(claimsFor(email))).split('.').slice(0, 2).join('.')}.`,
    'is an access token of the shop': async () => (await signedInAs(shop, 'user')).token,
  };
  it.each(Object.entries(forgeries))('refuses a token that %s', async (_what, forge) => {
    const email = newEmail();
    const answer = await exchange(shop, await forge(email), { email });
    expect(answer.status).toBe(401);
    expect(answer.body.type).toBe('urn:parts-forge:problem:identity-invalid');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await userRow(email)).toBeUndefined();
  });

  it('accepts a valid token signed the same way', async () => {
    const email = newEmail();
    expect((await exchange(shop, await signed(claimsFor(email)), { email })).status).toBe(200);
  });

  it('refuses another’s email in path and body', async () => {
    const mine = await anAccount(shop);
    const other = newEmail();
    const idToken = await fetchIdToken(shop, mine);
    const put = (path: string, email: string) =>
      shop.request(`/user/${path}`, { method: 'PUT', token: idToken, body: { email, name: 'A' } });
    for (const answer of [
      await put(other, other),
      await put(other, mine.email),
      await put(mine.email, other),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.body.type).toBe('urn:parts-forge:problem:not-yours');
    }
    expect(await userRow(other)).toBeUndefined();
  });
});

describe('the owner of an address', () => {
  const tokenFor = (email: string, sub: string, email_verified: boolean, more: JWTPayload = {}) =>
    signed(claimsFor(email, { sub, email_verified, ...more }));

  it('an unproven address does not open a prepared account', async () => {
    for (const role of ['user', 'admin'] as const) {
      const { email } = await signedInAs(shop, role);
      const answer = await exchange(shop, await tokenFor(email, `squatter of ${email}`, false), { email });
      expect(answer.status).toBe(409);
      expect(answer.body.type).toBe('urn:parts-forge:problem:email-in-use');
      expect((await userRow(email))?.identitySubject).toBeNull();
    }
  });

  it('a proven address opens a prepared account with its role', async () => {
    const { email } = await signedInAs(shop, 'admin');
    const answer = await exchange(shop, await tokenFor(email, `owner of ${email}`, true), { email });
    expect(answer.status).toBe(200);
    expect(await userRow(email)).toMatchObject({ role: 'admin', emailVerified: true });
  });

  it('signing in never rebinds a bound administrator', async () => {
    const { email } = await signedInAs(shop, 'admin');
    await exchange(shop, await tokenFor(email, 'the administrator', true), { email });
    const answer = await exchange(shop, await tokenFor(email, 'somebody else', true), { email });
    expect(answer.body.type).toBe('urn:parts-forge:problem:email-in-use');
    expect((await userRow(email))?.identitySubject).toBe('the administrator');
  });

  it('proving an address takes it from an early registrant', async () => {
    const email = newEmail();
    const squatter = await exchange(shop, await tokenFor(email, 'squatter', false, { name: 'S' }), { email });
    expect(squatter.status).toBe(200);
    const owner = await exchange(shop, await tokenFor(email, 'owner', true, { name: 'Owner' }), { email });
    expect(owner.status).toBe(200);

    expect((await shop.request(`/user/${email}`, { token: squatter.body.token })).status).toBe(401);
    expect((await exchange(shop, await tokenFor(email, 'squatter', false), { email })).status).toBe(409);
    const profile = await shop.request(`/user/${email}`, { token: owner.body.token });
    expect(profile.body).toMatchObject({ name: 'Owner', email });
  });

  it('proving an address voids earlier tokens and proofs', async () => {
    const email = newEmail();
    const before = await exchange(shop, await tokenFor(email, 'the same', false), { email });
    const after = await exchange(shop, await tokenFor(email, 'the same', true), { email });
    expect((await shop.request(`/user/${email}`, { token: before.body.token })).status).toBe(401);
    expect((await shop.request(`/user/${email}`, { token: after.body.token })).status).toBe(200);

    const late = await exchange(shop, await tokenFor(email, 'the same', false), { email });
    expect(late.status).toBe(401);
    expect(late.body.type).toBe('urn:parts-forge:problem:identity-revoked');
  });
});

describe('a deleted person', () => {
  it('loses access token, session, proof and password at once', async () => {
    const admin = await signedInAs(shop, 'admin');
    const account = await anAccount(shop);
    const idToken = await fetchIdToken(shop, account);
    const { token } = (await exchange(shop, idToken, account)).body;
    expect((await shop.request(`/user/${account.email}`, { token })).status).toBe(200);

    const gone = await admin.delete(`/user/${account.email}`);
    expect(gone.body).toEqual({ deletedCount: 1 });

    expect((await shop.request(`/user/${account.email}`, { token })).status).toBe(401);
    const again = await exchange(shop, idToken, account);
    expect(again.status).toBe(401);
    expect((await askIdentity(shop, '/token', undefined, account.cookie)).status).toBe(401);
    expect((await askIdentity(shop, '/get-session', undefined, account.cookie)).body).toBeNull();
    const signIn = await askIdentity(shop, '/sign-in/email', account);
    expect(signIn.status).toBe(401);
    expect(signIn.body.message).toBe('Invalid email or password');
  });

  it('leaves orders that a new registrant of the address does not inherit', async () => {
    const admin = await signedInAs(shop, 'admin');
    const account = await aCustomer(shop);
    const order = await account.orders(await aProduct(shop));
    await admin.delete(`/user/${account.email}`);

    const token = await fetchAccessToken(
      shop,
      await anAccount(shop, { email: account.email, name: 'Somebody new' }),
    );
    expect((await shop.request(`/user/${account.email}`, { token })).body).toMatchObject({
      name: 'Somebody new',
      role: 'user',
    });
    expect((await shop.request(`/order?email=${account.email}`, { token })).body).toEqual({ data: [] });
    expect((await shop.request(`/order/${order._id}`, { token })).status).toBe(404);
    expect((await admin.get(`/order/${order._id}`)).body.email).toBe(account.email);
  });

  it('does not return through a simultaneous exchange', async () => {
    const admin = await signedInAs(shop, 'admin');
    for (let round = 0; round < 5; round += 1) {
      const account = await anAccount(shop);
      const idToken = await fetchIdToken(shop, account);
      // Signed in just before the deletion, as a proof has whole seconds.
      await exchange(shop, idToken, account);
      const [deleted] = await Promise.all([
        admin.delete(`/user/${account.email}`),
        ...Array.from({ length: 6 }, () => exchange(shop, idToken, account)),
      ]);
      expect(deleted.status).toBe(200);
      const rows = await shop.db.select().from(users).where(eq(users.email, account.email));
      expect(rows.filter(({ deletedAt }) => deletedAt === null)).toEqual([]);
    }
  });
});

describe('without our own service', () => {
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
      expect((await admin.post(url)).status).toBe(200);
      const answer = await app.inject({ method: 'POST', url, headers: bearer(admin.token) });
      expect(answer.statusCode).toBe(404);
    });

    it('allows the exchange, the data copy and self-removal', async () => {
      const [url, email] = ['/user/amara@fieldrepair.example', 'amara@fieldrepair.example'];
      const bought = await app.inject({ method: 'PUT', url, headers: bearer('amara'), payload: { email } });
      expect(bought.statusCode).toBe(200);
      const headers = bearer(bought.json().token);
      const data = await app.inject({ url: `${url}/data`, headers });
      expect(data.json()).toMatchObject({
        profile: { email },
        signIn: { secondFactor: false, sessions: [] },
      });
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
});
