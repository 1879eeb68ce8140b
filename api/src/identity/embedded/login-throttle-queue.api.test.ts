import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useShop } from '#test/use-shop.ts';
import { createLoginThrottle, type LoginAttempt, LoginThrottled } from './login-throttle.ts';

let email: string;
let under: LoginAttempt[];
let throttle: ReturnType<typeof createLoginThrottle>;
// Five free tries are under way, so further ones of the account wait for their outcome.
const shop = useShop();
beforeEach(async () => {
  email = `${randomUUID()}@fieldrepair.example`;
  throttle = createLoginThrottle(shop.services.database, shop.services.clock);
  under = await Promise.all(Array.from({ length: 5 }, begin));
});
afterEach(() => vi.restoreAllMocks());

const begin = () => throttle.begin({ email, address: '198.51.100.7', browser: null });

/** Makes more than five seconds pass for code that measures its waiting time. */
function hurry(): void {
  let ms = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ms += 6000;
    return ms;
  });
}

test('a try that has waited five seconds is refused unchecked', async () => {
  hurry();
  await expect(begin()).rejects.toEqual(new LoginThrottled(1));
  vi.restoreAllMocks();
  // It was not counted: when the five are done, the next try passes.
  for (const attempt of under) await attempt.end('neither');
  await (await begin()).end('right');
});

test('a full queue delays no try of another account', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const tries = Array.from({ length: 65 }, begin);
  // One is refused once the others wait.
  expect(await Promise.race(tries.map((attempt) => attempt.catch((error) => error)))).toEqual(
    new LoginThrottled(1),
  );
  const other = await throttle.begin({ email: `x${email}`, address: '198.51.100.7', browser: null });
  await other.end('right');
  for (const attempt of under) await attempt.end('right');
  const ended = await Promise.allSettled(tries.map(async (attempt) => (await attempt).end('right')));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
});

test('a try that stops waiting makes room for another', async () => {
  hurry();
  const inVain = await Promise.allSettled(Array.from({ length: 64 }, begin));
  expect(inVain.map(({ status }) => status)).toEqual(Array(64).fill('rejected'));
  vi.restoreAllMocks();
  // One more try waits, instead of a refusal as the sixty-fifth.
  const tries = vi.spyOn(shop.services.database, 'runPrepared');
  const waiting = begin();
  await Promise.race([waiting, vi.waitUntil(() => tries.mock.calls.length > 1, { timeout: 60_000 })]);
  for (const attempt of under) await attempt.end('right');
  await (await waiting).end('right');
});
