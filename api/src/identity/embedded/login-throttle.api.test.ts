import { afterEach, describe, expect, it } from 'vitest';
import { anAccount, askIdentity, newEmail } from '#test/identity.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

const clock = createMovableClock();

const shop = useShop({ clock });
afterEach(() => {
  clock.aheadMs = 0;
});

describe('the throttle, which RATE_LIMITS=off leaves on', () => {
  const guess = (email: string, password = 'wrong-one') =>
    askIdentity(shop, '/sign-in/email', { email, password });

  it('refuses even the right password after five wrong ones', async () => {
    const account = await anAccount(shop);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await guess(account.email)).status);
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);

    const right = await guess(account.email, account.password);
    expect(right.status).toBe(429);
    expect(right.body.message).toBe('Too many requests. Please try again later.');
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(20);
    expect((await guess((await anAccount(shop)).email, 'secret-1')).status).toBe(200);
  });

  it('ignores counts of a clock that ran ahead', async () => {
    const account = await anAccount(shop);
    clock.aheadMs = 24 * 3_600_000;
    for (let n = 0; n < 5; n += 1) expect((await guess(account.email)).status).toBe(401);
    expect((await guess(account.email)).status).toBe(429);
    clock.aheadMs = 0;
    for (let n = 0; n < 5; n += 1) expect((await guess(account.email)).status).toBe(401);
    expect((await guess(account.email)).status).toBe(429);
  });

  it('treats an address without an account alike', async () => {
    const email = newEmail();
    for (let n = 0; n < 5; n += 1) expect((await guess(email)).status).toBe(401);
    expect((await guess(email)).status).toBe(429);
  });
});

describe('a known browser', () => {
  const guess = (on: TestShop, email: string, password: string, cookie?: string) =>
    askIdentity(on, '/sign-in/email', { email, password }, cookie);

  it('passes despite other clients’ wrong passwords, in another process too', async () => {
    const account = await anAccount(shop);
    for (let n = 0; n < 5; n += 1) await guess(shop, account.email, 'wrong-one');
    const neighbour = await startForTest({ shareDatabaseWith: shop });
    for (const on of [shop, neighbour]) {
      expect((await guess(on, account.email, account.password)).status).toBe(429);
      expect((await guess(on, account.email, account.password, account.cookie)).status).toBe(200);
    }
  });

  it('gets its cookie from a sign-in, not from a wrong password', async () => {
    const account = await anAccount(shop);
    const wrong = await guess(shop, account.email, 'wrong-one');
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const right = await guess(shop, account.email, account.password);
    const [known] = right.headers.getSetCookie().filter((cookie) => cookie.startsWith('shop.known_browser='));
    expect(known).toMatch(/; Path=\/identity; HttpOnly; SameSite=Lax$/);
  });
});
