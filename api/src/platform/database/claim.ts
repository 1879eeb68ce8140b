import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/** Of mails and files of parts; work that failed so often is given up. */
export const MINUTES_UNTIL_NEXT = [1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240] as const;
export const MAX_ATTEMPTS = MINUTES_UNTIL_NEXT.length;

/**
 * Condition of an update: due rows, the longest first, without those that another transaction has locked.
 * The update must move `nextAttemptAt` forward: then nobody else takes the row, and a crash only delays it.
 * In an array, as PostgreSQL may run a subquery with a limit once for each row.
 * @param key the primary one: a row's `ctid` changes with each update
 */
export const isClaimed = (
  table: PgTable & { nextAttemptAt: SQLWrapper },
  key: SQLWrapper,
  isWaiting: SQL,
  now: Date,
  limit: number,
): SQL => sql`${key} = any(array(
  select ${key} from ${table} where ${isWaiting} and ${table.nextAttemptAt} <= ${now.toISOString()}
  order by ${table.nextAttemptAt} limit ${limit} for update skip locked))`;
