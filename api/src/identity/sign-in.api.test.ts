import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it, test } from 'vitest';
import { identityAccounts, identityUsers } from '#src/identity/schema.ts';
import { systemClock } from '#src/platform/core/clock.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { createTimeOrderedIds } from '#src/platform/core/ids.ts';
import { createLog } from '#src/platform/core/log.ts';
import { openChangeFeed } from '#src/platform/database/change-feed.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import {
  anAccount,
  askIdentity,
  fetchAccessToken,
  fetchIdToken,
  newEmail,
  readCookie,
  signIn,
} from '#test/identity.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { createEmbeddedIdentity } from './embedded/embedded.ts';

const shop = useShop();

describe('registering', () => {
  it('opens a session at once, in an HttpOnly cookie', async () => {
    const email = newEmail();
    const answer = await askIdentity(shop, '/sign-up/email', {
      email,
      name: 'Amara Okafor',
      password: 'secret',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ email, name: 'Amara Okafor', emailVerified: false });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^shop\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const session = await askIdentity(shop, '/get-session', undefined, readCookie(answer));
    expect(session.body.user.email).toBe(email);
  });

  it('reports a registered address, in any case', async () => {
    const { email } = await anAccount(shop);
    const answer = await askIdentity(shop, '/sign-up/email', {
      email: email.toUpperCase(),
      name: 'B',
      password: 'secret-2',
    });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toBe('User already exists. Use another email.');
  });

  it('refuses input that the form would refuse', async () => {
    const signUp = (more: object) =>
      askIdentity(shop, '/sign-up/email', { email: newEmail(), name: 'A', password: 'secret', ...more });
    expect((await signUp({ password: '12345' })).body.message).toBe('Password too short');
    expect((await signUp({ password: 'x'.repeat(129) })).status).toBe(400);
    for (const email of ['nobody', 'jörg@check.test', 'a..b@check.test']) {
      expect((await signUp({ email })).body.message).toBe('Valid Email is needed');
    }
    expect((await signUp({ email: undefined })).body.message).toBe('Email is Required');
    expect((await signUp({ email: `${'a'.repeat(250)}@b.example` })).status).toBe(400);
    expect((await signUp({ name: ' ' })).body.message).toBe('Name is Required');
    expect((await signUp({ name: 'x'.repeat(121) })).status).toBe(400);
    expect((await signUp({ name: 7 })).status).toBe(400);
  });

  it.each(['r&d', 'a#b', 'sla/sh', 'per%cent', '!x', 'que?ry', 'x=y'])(
    'accepts an address that begins with %s and lets its owner in',
    async (local) => {
      const account = await anAccount(shop, { email: `${local}@check.xn--p1ai` });
      const cookie = readCookie(await signIn(shop, account));
      const token = await fetchAccessToken(shop, { ...account, cookie });
      const profile = await shop.request(`/user/${encodeURIComponent(account.email)}`, { token });
      expect(profile.body).toMatchObject({ email: account.email, role: 'user' });
    },
  );

  it('removes control characters from the name', async () => {
    const account = await anAccount(shop, { name: '  Ada\u0000\u0007 Lovelace\n ' });
    expect(decodeJwt(await fetchIdToken(shop, account)).name).toBe('Ada Lovelace');
  });

  it('ignores a role, an id and a proven address in the body', async () => {
    const email = newEmail();
    const answer = await askIdentity(shop, '/sign-up/email', {
      email,
      name: 'Mallory',
      password: 'secret',
      role: 'admin',
      id: randomUUID(),
      emailVerified: true,
    });
    expect([200, 400]).toContain(answer.status);
    const [row] = await shop.db.select().from(identityUsers).where(eq(identityUsers.email, email));
    expect(row?.emailVerified ?? false).toBe(false);
    if (answer.status === 200) {
      const token = await fetchAccessToken(shop, {
        email,
        name: 'Mallory',
        password: 'secret',
        cookie: readCookie(answer),
      });
      expect((await shop.request(`/user/${email}`, { token })).body.role).toBe('user');
    }
  });

  it('stores the password as an argon2id hash', async () => {
    const costly = await startForTest({ shareDatabaseWith: shop, withCostlyPasswords: true });
    const account = await anAccount(costly, { password: 'a very secret one' });
    expect((await signIn(costly, account)).status).toBe(200);
    const { email } = account;
    const [row] = await shop.db
      .select({ password: identityAccounts.password })
      .from(identityAccounts)
      .innerJoin(identityUsers, eq(identityUsers.id, identityAccounts.userId))
      .where(eq(identityUsers.email, email));
    expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  it('creates one account from many simultaneous requests', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        askIdentity(shop, '/sign-up/email', { email, name: 'A', password: 'secret' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  });
});

describe('signing in', () => {
  it('gives a proof signed with ES256 that lives five minutes', async () => {
    const account = await anAccount(shop);
    const signIn = await askIdentity(shop, '/sign-in/email', account);
    expect(signIn.status).toBe(200);
    const idToken = await fetchIdToken(shop, { cookie: readCookie(signIn) });
    expect(decodeProtectedHeader(idToken).alg).toBe('ES256');
    const claims = decodeJwt(idToken);
    expect(claims).toMatchObject({
      iss: `urn:parts-forge:${shop.services.instanceId}`,
      aud: 'shop',
      email: account.email,
      email_verified: false,
      name: account.name,
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
  });

  it('answers a wrong password and an unknown address alike', async () => {
    const { email } = await anAccount(shop);
    for (const address of [email, newEmail()]) {
      const answer = await askIdentity(shop, '/sign-in/email', { email: address, password: 'wrong-one' });
      expect(answer.status).toBe(401);
      expect(answer.body.message).toBe('Invalid email or password');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('answers an overlong password like a wrong one, uncounted', async () => {
    const { email, password } = await anAccount(shop);
    const long = (address: string) =>
      askIdentity(shop, '/sign-in/email', { email: address, password: 'x'.repeat(129) });
    const wrong = await askIdentity(shop, '/sign-in/email', { email, password: 'wrong-one' });
    for (const address of [email, newEmail(), email, email, email, email]) {
      expect(await long(address)).toMatchObject({ status: 401, body: wrong.body });
    }
    expect((await askIdentity(shop, '/sign-in/email', { email, password })).status).toBe(200);
  });

  it('accepts a password regardless of the keyboard’s composition', async () => {
    const account = await anAccount(shop, { password: 'caf\u00e9-12' });
    const answer = await askIdentity(shop, '/sign-in/email', { ...account, password: 'cafe\u0301-12' });
    expect(answer.status).toBe(200);
  });

  it('refuses a page of another origin', async () => {
    const account = await anAccount(shop);
    const from = (origin: string, cookie?: string) =>
      shop.request('/identity/sign-in/email', {
        method: 'POST',
        body: { email: account.email, password: account.password },
        headers: { origin, ...(cookie && { cookie }) },
      });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from('https://evil.example', account.cookie)).body.message).toBe('Invalid origin');
    expect((await from(shop.url)).status).toBe(200);
    expect((await from(shop.url.replace('127.0.0.1', 'localhost'))).status).toBe(200);
  });

  it('accepts JSON only, and reports invalid JSON', async () => {
    const post = (body: string, type: string) =>
      shop.request('/identity/sign-in/email', {
        method: 'POST',
        body,
        headers: { 'content-type': type, origin: shop.url },
      });
    expect((await post('{}', 'text/plain')).status).toBe(415);
    expect((await post('{', 'application/json')).status).toBe(400);
    expect((await post('{}', 'application/json')).status).toBe(400);
    const large = await post(`{"email":"${'x'.repeat(17 * 1024)}"}`, 'application/json');
    expect(large.status).toBe(413);
  });
});

describe('signing out', () => {
  it('ends the session, so that the cookie is worthless', async () => {
    const account = await anAccount(shop);
    expect((await askIdentity(shop, '/sign-out', {}, account.cookie)).status).toBe(200);
    expect((await askIdentity(shop, '/token', undefined, account.cookie)).status).toBe(401);
    expect((await askIdentity(shop, '/get-session', undefined, account.cookie)).body).toBeNull();
  });

  it('refuses a foreign page', async () => {
    const account = await anAccount(shop);
    const answer = await shop.request('/identity/sign-out', {
      method: 'POST',
      body: {},
      headers: { origin: 'https://evil.example', cookie: account.cookie },
    });
    expect(answer.status).toBe(403);
    expect((await askIdentity(shop, '/token', undefined, account.cookie)).status).toBe(200);
  });
});

describe('the service’s paths', () => {
  it('are only those that the pages use', async () => {
    const { cookie } = await anAccount(shop);
    for (const path of [
      '/update-user',
      '/change-email',
      '/verify-password',
      '/delete-user',
      '/revoke-sessions',
      '/two-factor/get-totp-uri',
      '/two-factor/send-otp',
      '/two-factor/verify-otp',
      '/link-social',
    ]) {
      expect((await askIdentity(shop, path, {}, cookie)).status).toBe(404);
    }
    for (const path of ['/error', '/ok', '/reset-password/a-token', '/delete-user/callback']) {
      expect((await askIdentity(shop, path, undefined, cookie)).status).toBe(404);
    }
  });

  it('answer 405 with the allowed method', async () => {
    const answer = await askIdentity(shop, '/token', {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('GET');
  });

  it('show only the public half of the signing key', async () => {
    const { body } = await askIdentity(shop, '/jwks');
    expect(body.keys.length).toBeGreaterThan(0);
    for (const key of body.keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'x', 'y']);
  });
});

describe('a database failure during a call', () => {
  it('keeps statement and password hash out of answer and log', async () => {
    const broken = await startForTest();
    await askIdentity(broken, '/jwks');
    await broken.pool.query('alter table identity.account rename to elsewhere');
    const answer = await askIdentity(broken, '/sign-up/email', {
      email: newEmail(),
      name: 'A',
      password: 'secret',
    });
    expect(answer.status).toBe(500);
    expect(answer.body.type).toBe('urn:parts-forge:problem:internal');
    expect(JSON.stringify([answer.body, broken.errors])).not.toMatch(/argon2|insert into|select "/i);
    broken.expectErrors(1);
  });
});

test('identity is ready before loading, and not ready after a failed load', async () => {
  const { connection, drop } = await newEmptyDatabase();
  const timeouts = { statementTimeoutMs: 5_000, connectionTimeoutMs: 3_000 };
  const database = openDatabase(connection, timeouts, () => {});
  const changes = await openChangeFeed(database, () => {});
  const identity = await createEmbeddedIdentity({
    config: readConfig({ IDENTITY_SECRET: 's'.repeat(32) }),
    database,
    changes,
    clock: systemClock,
    ids: createTimeOrderedIds(systemClock),
    instanceId: 'shop-1',
    formerInstanceIds: [],
    log: createLog('silent'),
  });
  // Loading would fail, as there are no tables.
  await identity.assertReady();
  await expect(identity.verify('any token')).rejects.toThrow();
  await expect(identity.assertReady()).rejects.toThrow();
  await migrate(database);
  await identity.assertReady();
  await changes.close();
  await database.close();
  await drop();
});
