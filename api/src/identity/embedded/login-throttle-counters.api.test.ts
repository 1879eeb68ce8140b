import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useShop } from '#test/use-shop.ts';
import { purgeExpiredAccounts } from './accounts.ts';
import {
  createLoginThrottle,
  type LoginAttempt,
  type LoginOutcome,
  LoginThrottled,
} from './login-throttle.ts';

let email: string;
// Today, as the service purges older tries by the real clock.
let nowMs = Date.now();

const shop = useShop();
beforeEach(() => {
  email = `${randomUUID()}@fieldrepair.example`;
});

const clock = { now: () => new Date(nowMs) };
/** As in another process. */
const openThrottle = () => createLoginThrottle(shop.services.database, clock);
const here = '198.51.100.7';

interface By {
  address?: string;
  browser?: string | null;
  account?: string;
}

const begin = ({ address = here, browser = null, account = email }: By = {}): Promise<LoginAttempt> =>
  openThrottle().begin({ email: account, address, browser });
const tryOnce = async (outcome: LoginOutcome, by?: By) => (await begin(by)).end(outcome);
async function guessWrong(times: number, by?: By): Promise<void> {
  for (let count = 0; count < times; count += 1) await tryOnce('wrong', by);
}

/** Seconds until the next try; 0: at once. */
async function readWait(by?: By): Promise<number> {
  try {
    await tryOnce('neither', by);
    return 0;
  } catch (error) {
    if (error instanceof LoginThrottled) return error.retryAfterSeconds;
    throw error;
  }
}

describe('wrong passwords from one address', () => {
  test('start a wait with the fifth', async () => {
    await guessWrong(4);
    expect(await readWait()).toBe(0);
    await guessWrong(1);
    expect(await readWait()).toBe(32);
  });

  test('double the wait each time, up to 15 minutes', async () => {
    await guessWrong(4);
    const waits: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      await guessWrong(1);
      waits.push(await readWait());
      nowMs += 900_000;
    }
    expect(waits).toEqual([32, 64, 128, 256, 512, 900, 900]);
  });

  test('end the wait on time and report it in whole seconds', async () => {
    await guessWrong(5);
    nowMs += 31_001;
    expect(await readWait()).toBe(1);
    nowMs += 998;
    expect(await readWait()).toBe(1);
    nowMs += 1;
    expect(await readWait()).toBe(0);
  });

  test('count per account, regardless of the address’s spelling', async () => {
    await guessWrong(5);
    expect(await readWait({ account: `kofi.${email}` })).toBe(0);
    expect(await readWait({ account: ` ${email.toUpperCase()} ` })).toBe(32);
  });

  test('are counted apart when account and address concatenate to the same text', async () => {
    await guessWrong(5);
    expect(await readWait({ account: `${email}1`, address: here.slice(1) })).toBe(0);
    expect(await readWait()).toBe(32);
  });

  test('are reset by the right one', async () => {
    await guessWrong(5);
    nowMs += 32_000;
    await tryOnce('right');
    await guessWrong(4);
    expect(await readWait()).toBe(0);
    await guessWrong(1);
    expect(await readWait()).toBe(32);
  });

  test('keep their count after a try that checked no password', async () => {
    await guessWrong(4);
    await tryOnce('neither');
    await guessWrong(1);
    expect(await readWait()).toBe(32);
  });

  test('expire a day after the last try', async () => {
    const day = 86_400_000;
    await guessWrong(4);
    nowMs += day;
    await guessWrong(1);
    expect(await readWait()).toBe(32);
    nowMs += day + 1;
    await guessWrong(4);
    expect(await readWait()).toBe(0);
  });

  test('are reset by a new password for the account', async () => {
    await guessWrong(5);
    await guessWrong(5, { browser: 'known' });
    await openThrottle().forget(email.toUpperCase());
    expect([await readWait(), await readWait({ browser: 'known' })]).toEqual([0, 0]);
  });
});

describe('a try beside a guesser', () => {
  test('passes from another address below twenty wrong passwords in total', async () => {
    await guessWrong(5);
    expect([await readWait(), await readWait({ address: '203.0.113.1' })]).toEqual([32, 0]);
    for (let n = 0; n < 15; n += 1) await guessWrong(1, { address: `203.0.113.${n}` });
    expect(await readWait({ address: '192.0.2.1' })).toBe(32);
  });

  test('passes from a known browser, regardless of the number of guessers', async () => {
    for (let n = 0; n < 20; n += 1) await guessWrong(1, { address: `203.0.113.${n}` });
    expect(await readWait({ browser: 'known' })).toBe(0);
    await tryOnce('right', { browser: 'known' });
    // The owner's sign-in frees no other client.
    expect(await readWait()).toBe(32);
  });

  test('waits at a known browser after five wrong passwords of its own', async () => {
    await guessWrong(5, { browser: 'known' });
    expect(await readWait({ browser: 'known' })).toBe(32);
    expect([await readWait({ browser: 'another' }), await readWait()]).toEqual([0, 0]);
  });
});

describe('simultaneous tries', () => {
  test('gain nothing over consecutive ones, in two processes too', async () => {
    const throttles = [openThrottle(), openThrottle()];
    const begun = Array.from({ length: 12 }, (_, n) =>
      throttles[n % 2]?.begin({ email, address: here, browser: null }).then(async (attempt) => {
        await attempt.end('wrong');
      }),
    );
    const outcomes = await Promise.allSettled(begun);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ retryAfterSeconds: 32 });
    }
  });

  test('all pass with the right password', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => tryOnce('right')));
    expect(outcomes).toHaveLength(12);
    expect(await readWait()).toBe(0);
  });

  test('run one by one after five wrong passwords', async () => {
    await guessWrong(5);
    nowMs += 32_000;
    const one = await begin();
    const other = begin();
    await one.end('neither');
    await (await other).end('neither');
  });

  test('wait up to 64 per process; the rest are refused', async () => {
    const throttle = openThrottle();
    const guesser = { email, address: here, browser: null };
    const five = await Promise.all(Array.from({ length: 5 }, () => throttle.begin(guesser)));
    const refusals: number[] = [];
    const sixAreRefused = Promise.withResolvers<void>();
    const others = Array.from({ length: 70 }, () =>
      throttle.begin(guesser).then(
        async (attempt) => {
          await attempt.end('right');
          return 'begun';
        },
        (error: unknown) => {
          if (!(error instanceof LoginThrottled)) throw error;
          if (refusals.push(error.retryAfterSeconds) === 6) sixAreRefused.resolve();
          return 'refused';
        },
      ),
    );
    // Until then some may not have begun, and would find the way free.
    await sixAreRefused.promise;
    expect(refusals).toEqual([1, 1, 1, 1, 1, 1]);
    for (const attempt of five) await attempt.end('right');
    const outcomes = await Promise.all(others);
    expect(outcomes.filter((outcome) => outcome === 'begun')).toHaveLength(64);
  });

  test('end only once', async () => {
    const attempt = await begin();
    for (let count = 0; count < 5; count += 1) await attempt.end('wrong');
    expect(await readWait()).toBe(0);
  });

  test('count as wrong if their process died', async () => {
    await Promise.all(Array.from({ length: 5 }, () => begin()));
    nowMs += 30_001;
    await tryOnce('wrong');
    expect(await readWait()).toBeGreaterThan(32);
  });
});

test('the throttle’s table contains no address and drops old rows', async () => {
  await guessWrong(1);
  const read = async () => (await shop.pool.query('select * from identity.login_try')).rows;
  expect((await read()).length).toBeGreaterThan(0);
  expect(JSON.stringify(await read())).not.toMatch(/fieldrepair|198\.51/);
  await purgeExpiredAccounts(shop.db, new Date(nowMs + 2 * 86_400_000));
  expect(await read()).toEqual([]);
});

describe('the queue', () => {
  let address: string;
  let under: LoginAttempt[];
  let throttle: ReturnType<typeof createLoginThrottle>;
  beforeEach(async () => {
    address = `${randomUUID()}@fieldrepair.example`;
    throttle = createLoginThrottle(shop.services.database, shop.services.clock);
    under = await Promise.all(Array.from({ length: 5 }, beginTry));
  });
  afterEach(() => vi.restoreAllMocks());

  const beginTry = () => throttle.begin({ email: address, address: '198.51.100.7', browser: null });

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
    await expect(beginTry()).rejects.toEqual(new LoginThrottled(1));
    vi.restoreAllMocks();
    // It was not counted: when the five are done, the next try passes.
    for (const attempt of under) await attempt.end('neither');
    await (await beginTry()).end('right');
  });

  test('a full queue delays no try of another account', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const tries = Array.from({ length: 65 }, beginTry);
    // One is refused once the others wait.
    expect(await Promise.race(tries.map((attempt) => attempt.catch((error) => error)))).toEqual(
      new LoginThrottled(1),
    );
    const other = await throttle.begin({ email: `x${address}`, address: '198.51.100.7', browser: null });
    await other.end('right');
    for (const attempt of under) await attempt.end('right');
    const ended = await Promise.allSettled(tries.map(async (attempt) => (await attempt).end('right')));
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
  });

  test('a try that stops waiting makes room for another', async () => {
    hurry();
    const inVain = await Promise.allSettled(Array.from({ length: 64 }, beginTry));
    expect(inVain.map(({ status }) => status)).toEqual(Array(64).fill('rejected'));
    vi.restoreAllMocks();
    // One more try waits, instead of a refusal as the sixty-fifth.
    const tries = vi.spyOn(shop.services.database, 'runPrepared');
    const waiting = beginTry();
    await Promise.race([waiting, vi.waitUntil(() => tries.mock.calls.length > 1, { timeout: 60_000 })]);
    for (const attempt of under) await attempt.end('right');
    await (await waiting).end('right');
  });
});
