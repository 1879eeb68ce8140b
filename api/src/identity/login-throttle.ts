import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#src/platform/core/clock.ts';

/** From this many wrong passwords on one has to wait. */
const FREE_ATTEMPTS = 5;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Wrong passwords count for this long. */
const RETENTION_MS = 24 * 60 * 60_000;
const MAX_ACCOUNTS = 50_000;
/** Tries of one account that may wait for those under way. */
const MAX_WAITING = 64;

/** Too many wrong passwords for the account: another try has to wait. */
export class LoginThrottled extends Error {
  override name = 'LoginThrottled';
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(`Wait ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether the password was the right one; `neither` when it was not looked at. */
export type LoginOutcome = 'right' | 'wrong' | 'neither';

/** One try to sign in. It has to be ended, as others of the same account may wait for it; further ends do nothing. */
export interface LoginAttempt {
  end(outcome: LoginOutcome): void;
}

/**
 * Slows down guessing at one account from many addresses: from the fifth wrong password on, the next try has to
 * wait 2ⁿ seconds for the nth wrong one, 15 minutes at most. A right password clears it. It stands in the memory of
 * one process; other accounts, and accounts that do not exist, are treated alike.
 */
export interface LoginThrottle {
  /**
   * Begins a try, before anything is hashed. Waits for tries of the same account that are under way once there
   * are enough of them to reach the limit, so that many at once get no further than one after the other.
   * @throws LoginThrottled
   */
  begin(email: string): Promise<LoginAttempt>;
}

interface Account {
  wrong: number;
  notBeforeMs: number;
  lastMs: number;
  underWay: number;
  waiting: (() => void)[];
}

export function createLoginThrottle(clock: Clock): LoginThrottle {
  /** By the hash of the address, so that a list of addresses is nowhere; the least recently used goes first. */
  const accounts = new LRUCache<string, Account>({ max: MAX_ACCOUNTS });
  const nowMs = () => clock.now().getTime();

  function findAccount(email: string): Account {
    const key = createHash('sha256').update(email.trim().toLowerCase()).digest('base64');
    const known = accounts.get(key);
    if (known && (known.underWay > 0 || nowMs() - known.lastMs < RETENTION_MS)) return known;
    const account = { wrong: 0, notBeforeMs: 0, lastMs: nowMs(), underWay: 0, waiting: [] };
    accounts.set(key, account);
    return account;
  }

  return {
    async begin(email) {
      const account = findAccount(email);
      while (mustWait(account, nowMs())) {
        if (account.waiting.length >= MAX_WAITING) throw new LoginThrottled(1);
        await new Promise<void>((resolve) => account.waiting.push(resolve));
      }
      account.underWay += 1;
      let isEnded = false;
      return {
        end(outcome) {
          if (isEnded) return;
          isEnded = true;
          endAttempt(account, outcome, nowMs());
        },
      };
    },
  };
}

/**
 * Whether as many tries are under way as could still be free, so that their outcome decides about the next one.
 * @throws LoginThrottled while the account's pause lasts
 */
function mustWait({ notBeforeMs, wrong, underWay }: Account, nowMs: number): boolean {
  if (notBeforeMs > nowMs) throw new LoginThrottled(Math.ceil((notBeforeMs - nowMs) / 1000));
  return underWay > 0 && wrong + underWay >= FREE_ATTEMPTS;
}

function endAttempt(account: Account, outcome: LoginOutcome, nowMs: number): void {
  account.underWay -= 1;
  account.lastMs = nowMs;
  if (outcome === 'right') {
    account.wrong = 0;
    account.notBeforeMs = 0;
  } else if (outcome === 'wrong') {
    account.wrong += 1;
    if (account.wrong >= FREE_ATTEMPTS) {
      account.notBeforeMs = nowMs + Math.min(1000 * 2 ** account.wrong, LONGEST_WAIT_MS);
    }
  }
  for (const proceed of account.waiting.splice(0)) proceed();
}
