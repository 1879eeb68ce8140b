import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { createLoginThrottle, type LoginAttempt, LoginThrottled } from './login-throttle.ts';

// Five tries are under way, as many as are free: further ones of the account wait for their outcome.
let shop: TestShop;
let email: string;
let under: LoginAttempt[];
let throttle: ReturnType<typeof createLoginThrottle>;
beforeAll(async () => {
  shop = await startShop();
});
beforeEach(async () => {
  email = `${randomUUID()}@fieldrepair.example`;
  throttle = createLoginThrottle(shop.services.database, shop.services.clock);
  under = await Promise.all(Array.from({ length: 5 }, begin));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => shop.close());

const begin = () => throttle.begin({ email, address: '198.51.100.7', browser: null });

/** Lets five seconds and more pass for whoever looks at the time that its waiting takes. */
function hurry(): void {
  let ms = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ms += 6000;
    return ms;
  });
}

test('whoever has waited for five seconds is refused, and tries no password', async () => {
  hurry();
  await expect(begin()).rejects.toEqual(new LoginThrottled(1));
  vi.restoreAllMocks();
  // Nothing was counted of it: when the five are done the way is free.
  for (const attempt of under) await attempt.end('neither');
  await (await begin()).end('right');
});

test('those who have waited, in vain or not, make room for others to wait', async () => {
  hurry();
  const inVain = await Promise.allSettled(Array.from({ length: 64 }, begin));
  expect(inVain.map(({ status }) => status)).toEqual(Array(64).fill('rejected'));
  vi.restoreAllMocks();
  // One more waits, instead of being refused as the sixty-fifth.
  const waiting = begin();
  for (const attempt of under) await attempt.end('right');
  await (await waiting).end('right');
});
