import { sql } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { askIdentity, newEmail } from '#test/identity.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';

const HOUR_MS = 3_600_000;
let shop: TestShop;
afterEach(() => {
  vi.useRealTimers();
});

const signIn = () => askIdentity(shop, '/sign-in/email', { email: newEmail(), password: 'wrong-one' });

async function signInThreeTimes() {
  const answers = await Promise.all([signIn(), signIn(), signIn()]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
}

test.each([
  ['one process', {}],
  ['several processes', { WORKERS: '2' }],
])('a clock that ran ahead delays no sign-in: %s', async (_what, env) => {
  shop = await startForTest({ env: { RATE_LIMITS: 'on', ...env } });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS });
  await signInThreeTimes();
  vi.useRealTimers();
  const refused = await signIn();
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(10);
});

test('a count from the database’s future is ignored', async () => {
  shop = await startForTest({ env: { RATE_LIMITS: 'on', WORKERS: '2' } });
  await signInThreeTimes();
  await shop.db.execute(sql`update rate_counts set ends_at = ends_at + interval '1 hour'`);
  await signInThreeTimes();
  expect((await signIn()).status).toBe(429);
});
