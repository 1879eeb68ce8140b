import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, lt } from 'drizzle-orm';
import { identityLoginTries } from '#src/identity/schema.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';

/** Wrong passwords without a wait: from one address or browser, and in total. */
const FREE_TRIES = 5;
const FREE_TRIES_OF_ALL = 20;
/** Doubles with each further wrong password. */
const FIRST_WAIT_SECONDS = 32;
const LONGEST_WAIT_SECONDS = 15 * 60;
const RETENTION_MS = 24 * 60 * 60_000;
/**
 * Then a dead process's try counts as a wrong password. Counts in the future are ignored: a clock ran
 * ahead.
 */
const LONGEST_TRY_MS = 30_000;
/** Polls ever less often. */
const LONGEST_QUEUE_MS = 5000;
const LOOK_AGAIN_MS = 25;
/** Per process, as each waiting try polls the database. */
const MAX_WAITING = 64;

export class LoginThrottled extends Error {
  override name = 'LoginThrottled';
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(`Wait ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type LoginOutcome = 'right' | 'wrong' | 'neither';

export interface Guesser {
  email: string;
  address: string;
  browser: string | null;
}

/** Always end a try: others may wait for it. Further ends do nothing. */
export interface LoginAttempt {
  end(outcome: LoginOutcome): Promise<void>;
}

/**
 * Wrong passwords count per account and address, and per account. The account alone would let anybody lock
 * out the owner; with the address alone an attacker with many addresses goes on. A known browser (a signed
 * cookie of an earlier sign-in) has only its own counter, so attackers cannot delay its owner (OWASP, "device
 * cookies"). Treats unknown accounts alike.
 */
export function createLoginThrottle(database: Database, clock: Clock) {
  const counters = createCounters(database, clock);
  return {
    /**
     * Call before hashing. Waits while concurrent tries could reach the limit.
     * @throws LoginThrottled
     */
    async begin(guesser: Guesser): Promise<LoginAttempt> {
      const entered: Counter[] = [];
      try {
        for (const counter of listCounters(guesser)) {
          await counters.enter(counter);
          entered.push(counter);
        }
      } catch (error) {
        await counters.leave(entered, 'neither');
        throw error;
      }
      return {
        end: (outcome) => counters.leave(entered.splice(0), outcome),
      };
    },
    async forget(email: string): Promise<void> {
      await database.db
        .delete(identityLoginTries)
        .where(eq(identityLoginTries.account, hash('account', email)));
    },
  };
}

interface Counter {
  key: Buffer;
  account: Buffer;
  free: number;
}

function createCounters(database: Database, clock: Clock) {
  let waiting = 0;

  /** False while concurrent tries could reach the limit. @throws LoginThrottled */
  async function tryToEnter({ key, account, free }: Counter): Promise<boolean> {
    const now = clock.now();
    const [forgotten, abandoned] = [before(now, RETENTION_MS), before(now, LONGEST_TRY_MS)];
    const values = [key, account, now, forgotten, abandoned, free, before(now, -LONGEST_TRY_MS)];
    const { rowCount } = await database.runPrepared({ name: 'begin-login-try', text: beginTry, values });
    if (rowCount === 1) return true;
    const waitSeconds = Math.ceil(((await findNotBefore(database.db, key)) - now.getTime()) / 1000);
    if (waitSeconds > 0) throw new LoginThrottled(Math.min(waitSeconds, LONGEST_WAIT_SECONDS));
    return false;
  }

  async function enter(counter: Counter): Promise<void> {
    if (await tryToEnter(counter)) return;
    if (waiting >= MAX_WAITING) throw new LoginThrottled(1);
    waiting += 1;
    try {
      const giveUpAtMs = performance.now() + LONGEST_QUEUE_MS;
      for (let waitMs = LOOK_AGAIN_MS; performance.now() < giveUpAtMs; waitMs *= 1.5) {
        await pause(waitMs);
        if (await tryToEnter(counter)) return;
      }
      throw new LoginThrottled(1);
    } finally {
      waiting -= 1;
    }
  }

  async function leave(counters: readonly Counter[], outcome: LoginOutcome): Promise<void> {
    for (const { key, free } of counters) {
      const values = [key, outcome, clock.now(), free, FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS];
      await database.runPrepared({ name: 'end-login-try', text: endTry, values });
    }
  }

  return { enter, leave };
}

export async function purgeLoginTries(db: Executor, now: Date): Promise<void> {
  await db.delete(identityLoginTries).where(lt(identityLoginTries.lastAt, before(now, RETENTION_MS)));
}

/** `$4`: forgotten, `$5`: abandoned, `$7`: in the future. */
const beginTry = `
  insert into identity.login_try as t (key, account, under_way, last_at) values ($1, $2, 1, $3)
  on conflict (key) do update set
    wrong = case
      when t.last_at not between $4 and $7 then 0
      when t.last_at < $5 then t.wrong + t.under_way
      else t.wrong
    end,
    under_way = case when t.last_at between $5 and $7 then t.under_way + 1 else 1 end,
    not_before = case when t.last_at > $7 then null else t.not_before end,
    last_at = $3
  where t.last_at > $7 or (t.not_before is null or t.not_before <= $3)
    and (t.under_way = 0 or t.last_at < $5 or t.wrong + t.under_way < $6)`;

const endTry = `
  update identity.login_try t set
    under_way = greatest(t.under_way - 1, 0),
    wrong = case $2 when 'right' then 0 when 'wrong' then t.wrong + 1 else t.wrong end,
    not_before = case
      when $2 = 'right' then null
      when $2 = 'wrong' and t.wrong + 1 >= $4::int
        then $3::timestamptz + make_interval(secs => least($5::float8 * power(2, least(t.wrong + 1 - $4::int, 20)), $6::float8))
      else t.not_before
    end,
    last_at = $3
  where t.key = $1`;

async function findNotBefore(db: Executor, key: Buffer): Promise<number> {
  const [row] = await db
    .select({ notBefore: identityLoginTries.notBefore })
    .from(identityLoginTries)
    .where(eq(identityLoginTries.key, key));
  return row?.notBefore?.getTime() ?? 0;
}

function listCounters({ email, address, browser }: Guesser): Counter[] {
  const account = hash('account', email);
  if (browser !== null) return [{ key: hash('browser', email, browser), account, free: FREE_TRIES }];
  return [
    { key: hash('address', email, address), account, free: FREE_TRIES },
    { key: account, account, free: FREE_TRIES_OF_ALL },
  ];
}

/** Hashed, so that no list of addresses exists. */
const hash = (kind: string, email: string, by = '') =>
  createHash('sha256').update([kind, email.trim().toLowerCase(), by].join('\n')).digest();

const before = (now: Date, ms: number) => new Date(now.getTime() - ms);
