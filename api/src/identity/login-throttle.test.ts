import { describe, expect, test } from 'vitest';
import { createLoginThrottle, LoginThrottled } from './login-throttle.ts';

const email = 'amara@fieldrepair.example';

function throttleWithClock() {
  const moment = { ms: Date.UTC(2026, 10, 21) };
  const throttle = createLoginThrottle({ now: () => new Date(moment.ms) });
  const tryOnce = async (outcome: 'right' | 'wrong' | 'neither', address = email) =>
    (await throttle.begin(address)).end(outcome);
  /** Seconds that the next try has to wait; 0 when it may go on. */
  const readWait = async (address = email): Promise<number> => {
    try {
      await tryOnce('neither', address);
      return 0;
    } catch (error) {
      if (error instanceof LoginThrottled) return error.retryAfterSeconds;
      throw error;
    }
  };
  const wrong = async (times: number, address = email) => {
    for (let count = 0; count < times; count += 1) await tryOnce('wrong', address);
  };
  return { throttle, moment, tryOnce, readWait, wrong };
}

/** Until everything that can go on has gone on. */
const settled = () => new Promise(setImmediate);

describe('wrong passwords', () => {
  test('are free up to the fourth; after the fifth one has to wait', async () => {
    const { wrong, readWait } = throttleWithClock();
    await wrong(4);
    expect(await readWait()).toBe(0);
    await wrong(1);
    expect(await readWait()).toBe(32);
  });

  test('make the wait twice as long each time, to 15 minutes at most', async () => {
    const { wrong, readWait, moment } = throttleWithClock();
    await wrong(4);
    const waits: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      await wrong(1);
      waits.push(await readWait());
      moment.ms += 900_000;
    }
    expect(waits).toEqual([32, 64, 128, 256, 512, 900, 900]);
  });

  test('make wait to the very moment, and in whole seconds', async () => {
    const { wrong, readWait, moment } = throttleWithClock();
    await wrong(5);
    moment.ms += 31_001;
    expect(await readWait()).toBe(1);
    moment.ms += 998;
    expect(await readWait()).toBe(1);
    moment.ms += 1;
    expect(await readWait()).toBe(0);
  });

  test('of one account make no other wait; how the address is written makes no difference', async () => {
    const { wrong, readWait } = throttleWithClock();
    await wrong(5);
    expect(await readWait('kofi@fieldrepair.example')).toBe(0);
    expect(await readWait(' AMARA@fieldrepair.example ')).toBe(32);
  });

  test('are forgotten with a right one', async () => {
    const { wrong, readWait, tryOnce, moment } = throttleWithClock();
    await wrong(5);
    moment.ms += 32_000;
    await tryOnce('right');
    await wrong(4);
    expect(await readWait()).toBe(0);
    await wrong(1);
    expect(await readWait()).toBe(32);
  });

  test('that were under way when a right one came leave no wait behind it', async () => {
    const { throttle, wrong, readWait } = throttleWithClock();
    await wrong(3);
    const [right, bad] = [await throttle.begin(email), throttle.begin(email)];
    right.end('right');
    (await bad).end('wrong');
    expect(await readWait()).toBe(0);
  });

  test('stay when a try ended as neither right nor wrong', async () => {
    const { wrong, readWait, tryOnce } = throttleWithClock();
    await wrong(4);
    await tryOnce('neither');
    await wrong(1);
    expect(await readWait()).toBe(32);
  });

  test('are forgotten a day after the last try, and not before', async () => {
    const day = 86_400_000;
    const { wrong, readWait, moment } = throttleWithClock();
    await wrong(4);
    moment.ms += day - 1;
    await wrong(1);
    expect(await readWait()).toBe(32);
    moment.ms += day;
    await wrong(4);
    expect(await readWait()).toBe(0);
  });

  test('are not forgotten while a try is under way', async () => {
    const { throttle, wrong, readWait, moment } = throttleWithClock();
    await wrong(4);
    const attempt = await throttle.begin(email);
    moment.ms += 2 * 86_400_000;
    const another = throttle.begin(email);
    attempt.end('wrong');
    await expect(another).rejects.toThrow(LoginThrottled);
    expect(await readWait()).toBe(32);
  });
});

describe('tries that are under way together', () => {
  test('get no further than one after the other: what could reach the limit waits', async () => {
    const { throttle } = throttleWithClock();
    const first = await Promise.all(Array.from({ length: 5 }, () => throttle.begin(email)));
    let isBegun = false;
    const sixth = throttle.begin(email).then((attempt) => {
      isBegun = true;
      return attempt;
    });
    await settled();
    expect(isBegun).toBe(false);
    first[0]?.end('neither');
    (await sixth).end('neither');
    for (const attempt of first.slice(1)) attempt.end('neither');
  });

  test('that waited are refused once the fifth was wrong', async () => {
    const { throttle } = throttleWithClock();
    const five = await Promise.all(Array.from({ length: 5 }, () => throttle.begin(email)));
    const waiting = Array.from({ length: 3 }, () => throttle.begin(email));
    const refused = Promise.allSettled(waiting);
    for (const attempt of five) attempt.end('wrong');
    const outcomes = await refused;
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { name: 'LoginThrottled', retryAfterSeconds: 32 } });
    }
  });

  test('count a wrong one before: after four wrong ones only one is let through', async () => {
    const { throttle, wrong } = throttleWithClock();
    await wrong(4);
    const one = await throttle.begin(email);
    let isBegun = false;
    const next = throttle.begin(email).then((attempt) => {
      isBegun = true;
      return attempt;
    });
    await settled();
    expect(isBegun).toBe(false);
    one.end('right');
    (await next).end('right');
  });

  test('go on, once one has ended, even where all free ones are used up', async () => {
    const { throttle, wrong, moment } = throttleWithClock();
    await wrong(5);
    moment.ms += 32_000;
    const one = await throttle.begin(email);
    const other = throttle.begin(email);
    one.end('neither');
    (await other).end('neither');
  });

  test('wait 64 at most, further ones are refused for a second', async () => {
    const { throttle } = throttleWithClock();
    const five = await Promise.all(Array.from({ length: 5 }, () => throttle.begin(email)));
    const waiting = Array.from({ length: 64 }, () => throttle.begin(email));
    await expect(throttle.begin(email)).rejects.toMatchObject({ retryAfterSeconds: 1, message: 'Wait 1 s.' });
    for (const attempt of five) attempt.end('right');
    // Each that ends lets all others look again, so all of them come through.
    for (const attempt of waiting) (await attempt).end('right');
  });

  test('end once, however often they are told to', async () => {
    const { throttle, readWait } = throttleWithClock();
    const attempt = await throttle.begin(email);
    for (let count = 0; count < 5; count += 1) attempt.end('wrong');
    expect(await readWait()).toBe(0);
    const [one, two] = [await throttle.begin(email), await throttle.begin(email)];
    one.end('right');
    one.end('right');
    // The second is still under way: three more may begin beside it, and the next waits.
    const more = await Promise.all(Array.from({ length: 4 }, () => throttle.begin(email)));
    let isBegun = false;
    const waiting = throttle.begin(email).then((next) => {
      isBegun = true;
      return next;
    });
    await settled();
    expect(isBegun).toBe(false);
    for (const begun of [two, ...more]) begun.end('right');
    (await waiting).end('right');
  });
});

test('of fifty thousand accounts the one used longest ago is forgotten', async () => {
  const { wrong, readWait, tryOnce } = throttleWithClock();
  await wrong(5);
  for (let count = 0; count < 50_000; count += 1) await tryOnce('neither', `${count}@fieldrepair.example`);
  expect(await readWait()).toBe(0);
});
