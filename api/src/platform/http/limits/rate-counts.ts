import { createHash } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { rateCounts } from '#src/platform/http/schema.ts';

/** Small limits guard calls that use the database anyway. */
const EXACT_LIMIT = 120;
const MAX_CLIENTS = 5_000;

/** `ttl`: the window's remaining milliseconds. */
export type Counted = { current: number; ttl: number };
export type Count = (client: string, windowMs: number) => Counted | Promise<Counted>;
export type CreateCount = (name: string, requests: number) => Count;

type Counter = Pick<Database, 'runPrepared'>;

/**
 * For several processes (docs/decisions/0041). Small limits are exact. Large ones only stop floods, so each
 * process counts alone.
 */
export const shareCounts =
  (database: Counter): CreateCount =>
  (name, requests) =>
    requests <= EXACT_LIMIT ? createExactCount(database, name) : createLocalCount();

export function createLocalCount(): (client: string, windowMs: number) => Counted {
  // A cache takes its memory at once, and most limits of a shop count nobody.
  let windows: LRUCache<string, { count: number; endsAtMs: number }> | undefined;
  return (client, windowMs) => {
    windows ??= new LRUCache({ max: MAX_CLIENTS });
    const now = performance.now();
    let window = windows.get(client);
    if (!window || window.endsAtMs <= now) {
      window = { count: 0, endsAtMs: now + windowMs };
      windows.set(client, window);
    }
    window.count += 1;
    return { current: window.count, ttl: window.endsAtMs - now };
  };
}

/**
 * Replaces a window that ends too late, as after a clock that ran ahead. The minute covers a wait for the
 * row's lock.
 */
const isOpen = `c.ends_at between clock_timestamp() and excluded.ends_at + interval '1 minute'`;
const addRequest = `
  insert into rate_counts as c (key, count, ends_at)
  values ($1::bytea, 1, clock_timestamp() + $2::float8 * interval '1 millisecond')
  on conflict (key) do update set
    count = case when ${isOpen} then c.count + 1 else 1 end,
    ends_at = case when ${isOpen} then c.ends_at else excluded.ends_at end
  returning count as current, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ttl`;

/** During an outage this process counts alone. */
export function createExactCount(database: Counter, name: string): Count {
  const countHere = createLocalCount();
  return async (client, windowMs) => {
    const here = countHere(client, windowMs);
    const key = createHash('sha256').update(`${name}\n${client}`).digest();
    try {
      const statement = { name: 'count-request', text: addRequest, values: [key, windowMs] };
      const { rows } = await database.runPrepared<Counted>(statement);
      return rows[0] ?? here;
    } catch {
      return here;
    }
  };
}

/** Deletes closed windows. Repeatable. */
export async function purgeRates(db: Executor): Promise<void> {
  await db.delete(rateCounts).where(lt(rateCounts.endsAt, sql`now()`));
}
