import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { identityUsers } from '#src/identity/schema.ts';
import {
  type Account,
  anAccount,
  askIdentity,
  exchange,
  fetchAccessToken,
  fetchIdToken,
  newEmail,
  readCookie,
  signIn,
} from '#test/identity.ts';
import { expectRefusal } from '#test/paying.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { accessTokens, identitySessions } from './schema.ts';

const shop = useShop();
const neighbour = useShop({ shareDatabaseWith: shop });

const DAY_MS = 86_400_000;
const list = ({ cookie }: Pick<Account, 'cookie'>) => askIdentity(shop, '/list-sessions', undefined, cookie);
const end = ({ cookie }: Pick<Account, 'cookie'>, token: string) =>
  askIdentity(shop, '/revoke-session', { token }, cookie);
const readSession = async ({ cookie }: Pick<Account, 'cookie'>) =>
  (await askIdentity(shop, '/get-session', undefined, cookie)).body?.session ?? null;
const readProfile = (on: TestShop, { email }: Account, token: string) =>
  on.request(`/user/${email}`, { token });

/** The same person in another browser. */
const elsewhere = async (account: Account): Promise<Account> => ({
  ...account,
  cookie: readCookie(await signIn(shop, account)),
});

describe('the list of sessions', () => {
  it('shows only the account’s own', async () => {
    const account = await anAccount(shop);
    const other = await elsewhere(account);
    await anAccount(shop);
    const { status, body } = await list(account);
    expect(status).toBe(200);
    const ids = [await readSession(account), await readSession(other)].map(({ id }) => id);
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
    expect((await list({ cookie: '' })).status).toBe(401);
  });

  it('answers a session days old and omits expired ones', async () => {
    const account = await anAccount(shop);
    const other = await elsewhere(account);
    await change(await readSession(account), { createdAt: new Date(Date.now() - 3 * DAY_MS) });
    await change(await readSession(other), { expiresAt: new Date(Date.now() - 1000) });
    expect((await list(account)).body).toHaveLength(1);
  });
});

describe('ending one session', () => {
  it('ends its tokens at once, in other processes too, and no others', async () => {
    const account = await anAccount(shop);
    const other = await elsewhere(account);
    const [token, otherToken] = [await fetchAccessToken(shop, account), await fetchAccessToken(shop, other)];
    const idToken = await fetchIdToken(shop, other);
    // Both processes have cached the tokens.
    for (const on of [shop, neighbour]) expect((await readProfile(on, account, otherToken)).status).toBe(200);

    expect((await end(account, (await readSession(other)).token)).body).toEqual({ status: true });
    expect((await readProfile(shop, account, otherToken)).status).toBe(401);
    await expect.poll(async () => (await readProfile(neighbour, account, otherToken)).status).toBe(401);
    expect((await exchange(shop, idToken, account)).status).toBe(401);
    expect(await readSession(other)).toBeNull();
    expect((await readProfile(shop, account, token)).status).toBe(200);
  });

  it('ignores another person’s session like a missing one', async () => {
    const [account, victim] = [await anAccount(shop), await anAccount(shop)];
    const { token } = await readSession(victim);
    const [others, unknown] = [await end(account, token), await end(account, 'x'.repeat(32))];
    expect([others.status, others.body]).toEqual([unknown.status, unknown.body]);
    expect(await readSession(victim)).not.toBeNull();
  });
});

describe('signing out', () => {
  it('voids the session’s earlier proof and access token', async () => {
    const account = await anAccount(shop);
    const idToken = await fetchIdToken(shop, account);
    const token = (await exchange(shop, idToken, account)).body.token;
    expect((await readProfile(neighbour, account, token)).status).toBe(200);
    await askIdentity(shop, '/sign-out', {}, account.cookie);

    expect((await readProfile(shop, account, token)).status).toBe(401);
    await expect.poll(async () => (await readProfile(neighbour, account, token)).status).toBe(401);
    expectRefusal(await exchange(shop, idToken, account), 401, 'identity-revoked');
  });

  it('at the shop ends the session and all its tokens', async () => {
    const account = await anAccount(shop);
    const other = await elsewhere(account);
    const idToken = await fetchIdToken(shop, account);
    const [one, two] = [await fetchAccessToken(shop, account), await fetchAccessToken(shop, account)];
    const stays = await fetchAccessToken(shop, other);
    expect((await shop.request('/logout', { method: 'POST', token: one })).status).toBe(204);

    for (const token of [one, two]) expect((await readProfile(shop, account, token)).status).toBe(401);
    expect((await exchange(shop, idToken, account)).status).toBe(401);
    expect(await readSession(account)).toBeNull();
    expect((await readProfile(shop, account, stays)).status).toBe(200);
  });

  it('leaves no token from a simultaneous exchange', async () => {
    for (let round = 0; round < 10; round += 1) {
      const account = await anAccount(shop);
      const idToken = await fetchIdToken(shop, account);
      const [, ...bought] = await Promise.all([
        askIdentity(shop, '/sign-out', {}, account.cookie),
        ...Array.from({ length: 4 }, () => exchange(shop, idToken, account)),
      ]);
      for (const { status, body } of bought) {
        expect([200, 401]).toContain(status);
        if (status === 200) expect((await readProfile(shop, account, body.token)).status).toBe(401);
      }
    }
  });

  it('at shop and service simultaneously does not deadlock', async () => {
    for (let round = 0; round < 10; round += 1) {
      const account = await anAccount(shop);
      const token = await fetchAccessToken(shop, account);
      const answers = await Promise.all([
        shop.request('/logout', { method: 'POST', token }),
        askIdentity(shop, '/sign-out', {}, account.cookie),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([expect.toBeOneOf([204, 401]), 200]);
    }
  });
});

describe('a session', () => {
  it('lasts seven days without use, renewed by a day of use', async () => {
    const account = await anAccount(shop);
    const session = await readSession(account);
    await change(session, { expiresAt: new Date(Date.now() + 5 * DAY_MS) });
    const extended = await readSession(account);
    expect(Date.parse(extended.expiresAt) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
  });

  it('ends after thirty days, even in use', async () => {
    const account = await anAccount(shop);
    const createdAt = new Date(Date.now() - 28 * DAY_MS);
    await change(await readSession(account), { createdAt, expiresAt: new Date(Date.now() + DAY_MS) });
    const extended = await readSession(account);
    expect(Date.parse(extended.expiresAt)).toBe(createdAt.getTime() + 30 * DAY_MS);
    expect(Date.parse((await readSession(account)).expiresAt)).toBe(createdAt.getTime() + 30 * DAY_MS);
  });

  it('outlives its access tokens', async () => {
    const account = await anAccount(shop);
    const idToken = await fetchIdToken(shop, account);
    const { id } = await readSession(account);
    await change({ id }, { expiresAt: new Date(Date.now() + 60_000) });
    // The first exchange creates the user, the second finds them.
    for (const { body } of [await exchange(shop, idToken, account), await exchange(shop, idToken, account)]) {
      expect(body.expiresIn).toBeLessThanOrEqual(60);
      expect(body.expiresIn).toBeGreaterThan(50);
    }
  });
});

it('a session’s tokens go with its row, regardless of the cause', async () => {
  const account = await anAccount(shop);
  await fetchAccessToken(shop, account);
  const { id } = await readSession(account);
  const count = () => shop.db.$count(accessTokens, eq(accessTokens.sessionId, id));
  expect(await count()).toBe(1);
  await shop.db.delete(identitySessions).where(eq(identitySessions.id, id));
  expect(await count()).toBe(0);
});

const change = ({ id }: { id: string }, values: { createdAt?: Date; expiresAt?: Date }) =>
  shop.db.update(identitySessions).set(values).where(eq(identitySessions.id, id));

describe('a restart', () => {
  it('keeps sessions, even on another port', async () => {
    const account = await anAccount(shop);
    const next = await startForTest({ shareDatabaseWith: shop });
    expect((await askIdentity(next, '/token', undefined, account.cookie)).status).toBe(200);
    const token = await fetchAccessToken(next, account);
    expect((await shop.request(`/user/${account.email}`, { token })).status).toBe(200);
  });

  it('requires new sign-ins after a change of the secret', async () => {
    const first = await startForTest({ env: { IDENTITY_SECRET: 'a'.repeat(32) } });
    const account = await anAccount(first);
    await fetchAccessToken(first, account);
    const next = await startForTest({ shareDatabaseWith: first, env: { IDENTITY_SECRET: 'b'.repeat(32) } });
    expect((await askIdentity(next, '/token', undefined, account.cookie)).status).toBe(401);
    const signIn = await askIdentity(next, '/sign-in/email', account);
    expect(await fetchAccessToken(next, { ...account, cookie: readCookie(signIn) })).toMatch(/^[\w-]{43}$/);
  });

  it('frees the address of an account left without a password', async () => {
    const email = newEmail();
    await shop.db
      .insert(identityUsers)
      .values({ id: randomUUID(), name: 'Half made', email, createdAt: new Date(Date.now() - 3_600_000) });
    await shop.services.identity.purgeExpired?.();
    expect((await anAccount(shop, { email })).cookie).not.toBe('');
  });
});
