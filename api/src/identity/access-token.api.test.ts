import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { accessTokens } from '#src/identity/schema.ts';
import { purgeExpired } from '#src/jobs.ts';
import { users } from '#src/users/schema.ts';
import { signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

const clock = createMovableClock();
const patience = { timeout: 30_000 };

const shop = useShop({ clock });
afterEach(() => {
  clock.aheadMs = 0;
});

const profileStatus = async (at: TestShop, { email, token }: { email: string; token: string }) =>
  (await at.request(`/user/${email}`, { token })).status;

describe('POST /logout', () => {
  it('answers 204 and ends the access token at once', async () => {
    const person = await signedInAs(shop, 'user');
    expect(await profileStatus(shop, person)).toBe(200);
    const answer = await person.post('/logout');
    expect(answer.status).toBe(204);
    expect(answer.body).toBeNull();
    expect(await profileStatus(shop, person)).toBe(401);
  });

  it('ends only this token, not the person’s others', async () => {
    const person = await signedInAs(shop, 'user');
    const { database, tokens } = shop.services;
    const other = await tokens.issue(database.db, person.userId);
    await person.post('/logout');
    expect(await profileStatus(shop, { ...person, token: other.token })).toBe(200);
  });

  it('answers 401 without a token, with an unknown one, and when repeated', async () => {
    const { token } = await signedInAs(shop, 'user');
    await shop.request('/logout', { method: 'POST', token });
    for (const dead of [null, 'x'.repeat(43), 'nonsense', token]) {
      const answer = await shop.request('/logout', { method: 'POST', token: dead });
      expect(answer.status).toBe(401);
      expect(answer.body.type).toBe('urn:parts-forge:problem:sign-in-needed');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });
});

describe('an access token', () => {
  it('lives for fifteen minutes', async () => {
    const person = await signedInAs(shop, 'user');
    expect(await profileStatus(shop, person)).toBe(200);
    clock.aheadMs = 15 * 60_000 - 2000;
    expect(await profileStatus(shop, person)).toBe(200);
    clock.aheadMs = 15 * 60_000 + 1;
    expect(await profileStatus(shop, person)).toBe(401);
  });

  it('shows a promotion at the next call', async () => {
    const [admin, person] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
    expect((await person.get('/user')).status).toBe(403);
    await admin.put(`/user/admin/${person.email}`, { role: 'admin' });
    expect((await person.get('/user')).status).toBe(200);
  });

  it('dies at the next call after the person was deleted', async () => {
    const [admin, person] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
    expect(await profileStatus(shop, person)).toBe(200);
    await admin.delete(`/user/${person.email}`);
    expect(await profileStatus(shop, person)).toBe(401);
  });

  it('notices another process’s logout and promotion despite its cache', async () => {
    const other = await startForTest({ shareDatabaseWith: shop });
    const [admin, person] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
    expect(await profileStatus(other, person)).toBe(200);
    await admin.put(`/user/admin/${person.email}`, { role: 'admin' });
    await vi.waitFor(
      async () => expect((await other.request('/user', { token: person.token })).status).toBe(200),
      patience,
    );
    await other.request('/logout', { method: 'POST', token: person.token });
    await vi.waitFor(async () => expect(await profileStatus(shop, person)).toBe(401), patience);
  });

  it('leaves the cache after half a minute without any announcement', async () => {
    const person = await signedInAs(shop, 'user');
    expect(await profileStatus(shop, person)).toBe(200);
    await shop.db.update(users).set({ deletedAt: new Date() }).where(eq(users.id, person.userId));
    clock.aheadMs = 31_000;
    expect(await profileStatus(shop, person)).toBe(401);
  });

  it('stays out of the cache if a change overtakes the read', async () => {
    const person = await signedInAs(shop, 'user');
    const { tokens, changes } = shop.services;
    const reads = Array.from({ length: 8 }, () => tokens.findOwner(person.token));
    await changes.write(async (tx, changed) => {
      await tx.update(users).set({ role: 'admin' }).where(eq(users.id, person.userId));
      changed('users');
    });
    await Promise.all(reads);
    expect((await tokens.findOwner(person.token))?.role).toBe('admin');
  });

  it('leaves the database within an hour of its expiry', async () => {
    const person = await signedInAs(shop, 'user');
    const rows = () => shop.db.select().from(accessTokens).where(eq(accessTokens.userId, person.userId));
    await purgeExpired(shop.services);
    expect(await rows()).toHaveLength(1);
    clock.aheadMs = 16 * 60_000;
    await purgeExpired(shop.services);
    expect(await rows()).toHaveLength(0);
  });
});
