import { lt, sql } from 'drizzle-orm';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { rateCounts } from './schema.ts';

/** What is added to a count. */
export interface RateAddition {
  key: Buffer;
  count: number;
  /** Of a window that begins with this addition, as none is open. */
  windowMs: number;
}

/** The requests of all processes in the window that is open, and how long it is open still. */
export interface RateCount {
  count: number;
  leftMs: number;
}

/**
 * In the order of their keys, as two processes that lock the same ones in different orders would wait for each other.
 * A clock that ran ahead leaves a window that ends later than a new one would; it counts for nothing. The minute is for a
 * wait on the row's lock.
 */
const add = `
  insert into rate_counts as c (key, count, ends_at)
  select key, count, clock_timestamp() + window_ms * interval '1 millisecond'
  from unnest($1::bytea[], $2::int[], $3::float8[]) as given (key, count, window_ms) order by key
  on conflict (key) do update set
    count = case when c.ends_at between clock_timestamp() and excluded.ends_at + interval '1 minute'
      then c.count + excluded.count else excluded.count end,
    ends_at = case when c.ends_at between clock_timestamp() and excluded.ends_at + interval '1 minute'
      then c.ends_at else excluded.ends_at end
  returning key, count, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as "leftMs"`;

/** Adds to counts of which each key comes once. @returns them by their keys in hexadecimal */
export async function addToRates(
  database: Pick<Database, 'runPrepared'>,
  additions: readonly RateAddition[],
): Promise<ReadonlyMap<string, RateCount>> {
  const { rows } = await database.runPrepared<RateCount & { key: Buffer }>({
    name: 'add-to-rates',
    text: add,
    values: [
      additions.map(({ key }) => key),
      additions.map(({ count }) => count),
      additions.map(({ windowMs }) => windowMs),
    ],
  });
  return new Map(rows.map(({ key, count, leftMs }) => [key.toString('hex'), { count, leftMs }]));
}

/** Removes the counts whose window is over. Harmless to repeat. */
export async function purgeRates(db: Executor): Promise<void> {
  await db.delete(rateCounts).where(lt(rateCounts.endsAt, sql`now()`));
}
