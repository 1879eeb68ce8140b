import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { identityUsers } from '#src/identity/schema.ts';
import { anAccount, askIdentity, fetchAccessToken, newEmail, readCookie } from '#test/identity.ts';
import { startShop } from '#test/start-shop.ts';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();

describe('a restart', () => {
  it('keeps sessions, even on another port', async () => {
    const account = await anAccount(shop);
    const next = await startShop({ shareDatabaseWith: shop });
    try {
      expect((await askIdentity(next, '/token', undefined, account.cookie)).status).toBe(200);
      const token = await fetchAccessToken(next, account);
      expect((await shop.request(`/user/${account.email}`, { token })).status).toBe(200);
    } finally {
      await next.close();
    }
  });

  it('requires new sign-ins after a change of the secret', async () => {
    const first = await startShop({ env: { IDENTITY_SECRET: 'a'.repeat(32) } });
    const account = await anAccount(first);
    await fetchAccessToken(first, account);
    const next = await startShop({ shareDatabaseWith: first, env: { IDENTITY_SECRET: 'b'.repeat(32) } });
    try {
      expect((await askIdentity(next, '/token', undefined, account.cookie)).status).toBe(401);
      const signIn = await askIdentity(next, '/sign-in/email', account);
      expect(await fetchAccessToken(next, { ...account, cookie: readCookie(signIn) })).toMatch(/^[\w-]{43}$/);
    } finally {
      await next.close();
      await first.close();
    }
  });

  it('frees the address of an account left without a password', async () => {
    const email = newEmail();
    await shop.services.database.db
      .insert(identityUsers)
      .values({ id: randomUUID(), name: 'Half made', email, createdAt: new Date(Date.now() - 3_600_000) });
    await shop.services.identity.purgeExpired?.();
    expect((await anAccount(shop, { email })).cookie).not.toBe('');
  });
});
