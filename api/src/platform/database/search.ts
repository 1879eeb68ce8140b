import { COUNTED_TO } from '@parts-forge/contract/paging';
import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from './connection.ts';

/** A LIKE pattern that finds the text anywhere, every character of it literally. */
export const contains = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** How many rows a query has, counted to one above `COUNTED_TO`, so that the cost is bounded. */
export async function countUpTo(db: Executor, query: SQL): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*) as total from (${query} limit ${COUNTED_TO + 1}) as matches`,
  );
  return rows[0]?.total ?? 0;
}
