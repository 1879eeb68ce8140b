import { EVENT_DAYS } from '@parts-forge/contract/calls/bounds';
import { eventOfEntry } from '@parts-forge/contract/events/event-types';
import { desc, inArray, sql } from 'drizzle-orm';
import { lowestIdAt } from '#src/platform/core/ids.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { trail } from '#src/trail/schema.ts';
import { events } from './schema.ts';

/** Far longer than a fact's transaction may wait and take (docs/decisions/0096). */
const LATEST_COMMIT_MS = 15 * 60_000;
/** What is committed sooner is numbered each second, the rest each minute. */
export const USUAL_COMMIT_MS = 10_000;

const entries = Object.keys(eventOfEntry) as (keyof typeof eventOfEntry)[];
const typeOfEntry = sql.join(
  entries.map((entry) => sql`when ${entry} then ${eventOfEntry[entry]}`),
  sql` `,
);

/** At the provider, without naming one order of several, or back again, as after a dispute that was won. */
const movesRefund = sql`${inArray(trail.event, ['refund-changed', 'dispute-ended'])} and
  (before -> 'refundCents', before -> 'unassignedCents') is distinct from
  (after -> 'refundCents', after -> 'unassignedCents')`;

/**
 * Gives committed facts the next numbers: those that commit late get theirs later, so no reader passes one.
 * Repeatable; of several processes one numbers.
 * A restored copy numbers nothing: the original gives those numbers to other facts.
 * @returns the number of new events
 */
export async function numberEvents(
  { changes, clock, copiedAt }: Pick<Platform, 'changes' | 'clock' | 'copiedAt'>,
  withinMs = LATEST_COMMIT_MS,
): Promise<number> {
  if (copiedAt !== null) return 0;
  return changes.write(async (tx, changed) => {
    // Numbers in the order of commits: nobody else may number meanwhile.
    const { rows } = await tx.execute(sql`select pg_try_advisory_xact_lock(hashtext('events')) as "isFree"`);
    if (rows[0]?.isFree !== true) return 0;
    const [newest] = await tx.select({ at: events.at }).from(events).orderBy(desc(events.number)).limit(1);
    // Before the newest event, so that a pause of any length loses nothing.
    const end = Math.min(clock.now().getTime(), newest?.at.getTime() ?? Number.POSITIVE_INFINITY);
    const since = new Date(end - withinMs);
    const from = sql`${lowestIdAt(since)}::uuid`;
    const { rowCount } = await tx.execute(sql`
      insert into events (id, type, at, order_id, product_id)
      select * from (
        select id, 'order.placed' as type, created_at as at, id as order_id, product_id
        from orders where id >= ${from}
        union all
        select id, case event ${typeOfEntry} else 'order.refunded' end, created_at, order_id, product_id
        from trail where id >= ${from} and (${inArray(trail.event, entries)} or ${movesRefund})
        union all
        select md5(product_id::text || extract(epoch from created_at)::text)::uuid, 'stock.low', created_at, null, product_id
        from low_stock_notices where created_at >= ${since.toISOString()}
      ) facts
      where not exists (select from events where events.id = facts.id)
      order by at, id`);
    if (rowCount) changed('events');
    return rowCount ?? 0;
  });
}

/**
 * Keeps the newest of the events that are older, so that readers who missed none are told from others, and
 * those before the newest event that the next round looks at again.
 */
export async function forgetEvents({
  database,
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - EVENT_DAYS * 24 * 3_600_000).toISOString();
  const { rowCount } = await database.db.execute(
    sql`delete from events where number < (select max(number) from events where at < ${before})
      and at < (select at from events order by number desc limit 1) - ${`${LATEST_COMMIT_MS} ms`}::interval`,
  );
  return rowCount ?? 0;
}

/** A restored database lacks numbers that receivers have read. The margin is a year of a large shop. */
export const leaveNumbersOut = (tx: Executor): Promise<unknown> =>
  tx.execute(
    sql`select setval(sequence, nextval(sequence) + 10000000)
      from pg_get_serial_sequence('events', 'number') as sequence`,
  );
