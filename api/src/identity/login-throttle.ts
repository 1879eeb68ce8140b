import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#src/platform/core/clock.ts';

/** From this many wrong passwords on one has to wait. */
const FREE_ATTEMPTS = 5;
const LONGEST_WAIT_MS = 15 * 60_000;
const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;
const MAX_ACCOUNTS = 50_000;
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

/** One sign-in whose outcome is told afterwards; exactly one of them has to be called. */
export interface LoginAttempt {
  end(outcome: 'right' | 'wrong' | 'neither'): void;
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

  function findAccount(email: string): Account {
    const key = createHash('sha256').update(email.trim().toLowerCase()).digest('base64');
    const known = accounts.get(key);
    const nowMs = clock.now().getTime();
    if (known && (known.underWay > 0 || nowMs - known.lastMs < FORGOTTEN_AFTER_MS)) return known;
    const account = { wrong: 0, notBeforeMs: 0, lastMs: nowMs, underWay: 0, waiting: [] };
    accounts.set(key, account);
    return account;
  }

  function end(account: Account, outcome: 'right' | 'wrong' | 'neither'): void {
    account.underWay -= 1;
    account.lastMs = clock.now().getTime();
    if (outcome === 'right') {
      account.wrong = 0;
      account.notBeforeMs = 0;
    } else if (outcome === 'wrong') {
      account.wrong += 1;
      if (account.wrong >= FREE_ATTEMPTS) {
        account.notBeforeMs = account.lastMs + Math.min(1000 * 2 ** account.wrong, LONGEST_WAIT_MS);
      }
    }
    for (const proceed of account.waiting.splice(0)) proceed();
  }

  return {
    async begin(email) {
      const account = findAccount(email);
      while (true) {
        const waitMs = account.notBeforeMs - clock.now().getTime();
        if (waitMs > 0) throw new LoginThrottled(Math.ceil(waitMs / 1000));
        if (account.underWay === 0 || account.wrong + account.underWay < FREE_ATTEMPTS) break;
        if (account.waiting.length >= MAX_WAITING) throw new LoginThrottled(1);
        await new Promise<void>((resolve) => account.waiting.push(resolve));
      }
      account.underWay += 1;
      let ended = false;
      return {
        end(outcome) {
          if (ended) return;
          ended = true;
          end(account, outcome);
        },
      };
    },
  };
}
