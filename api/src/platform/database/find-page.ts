import { COUNTED_TO, PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Executor } from './connection.ts';
import { type CursorPart, type CursorShape, readCursor } from './cursor.ts';

/** One page of a list: the rows, the sort key of the last one when more follow, and how many match in all. */
export interface Page<Row> {
  rows: Row[];
  /** Null on the last page. */
  next: readonly CursorPart[] | null;
  /** Matches, counted to `COUNTED_TO` + 1 at most. */
  total: number;
  /** There may be more than `total`, as only a part of the rows was looked at. */
  isAtLeast?: boolean;
}

/** An order of rows in which a page begins after a sort key, so that a later page costs no more than the first. */
export interface Keyset<Row> {
  shape: CursorShape;
  /** The sort key of a row, which ends with its id, so that no two rows share one. */
  readKey(row: Row): CursorPart[];
  /** The rows that come after a sort key. */
  after(key: readonly CursorPart[]): SQL;
  order: SQL;
}

/** What a page is asked for by: `?limit=` and `?after=`. */
export interface PageRequest {
  limit?: number | undefined;
  after?: string | undefined;
  /** Spares the count of the matches, which is then 0: for whoever reads them all. */
  withoutTotal?: boolean | undefined;
}

/**
 * One page of the rows that match.
 * @param toWire a row as it is shown
 * @throws Problem `invalid` for a cursor that no answer of this list gave out
 */
export async function findPage<Table extends PgTable, Shown>(
  db: Executor,
  table: Table,
  request: PageRequest,
  keyset: Keyset<Table['$inferSelect']>,
  matches: SQL | undefined,
  toWire: (row: Table['$inferSelect']) => Shown,
): Promise<Page<Shown>> {
  const [page, total] = await Promise.all([
    findRows(db, table, request, keyset, matches, toWire),
    request.withoutTotal ? 0 : countMatches(db, table, matches),
  ]);
  return { ...page, total };
}

/** The same without counting. */
export async function findRows<Table extends PgTable, Shown>(
  db: Executor,
  table: Table,
  { limit = PAGE_LIMIT, after }: PageRequest,
  keyset: Keyset<Table['$inferSelect']>,
  matches: SQL | undefined,
  toWire: (row: Table['$inferSelect']) => Shown,
): Promise<Omit<Page<Shown>, 'total'>> {
  const key = readCursor(after, keyset.shape);
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(and(matches, key ? keyset.after(key) : undefined))
    .orderBy(keyset.order)
    // One too many, which tells whether another page follows.
    .limit(limit + 1);
  return cutPage<Table['$inferSelect'], Shown>(rows, limit, keyset, toWire);
}

/**
 * The rows of a page and where the next one begins.
 * @param rows one more than `limit` where another page follows
 */
export function cutPage<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  keyset: Pick<Keyset<Row>, 'readKey'>,
  toWire: (row: Row) => Shown,
): Pick<Page<Shown>, 'rows' | 'next'> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? keyset.readKey(last) : null;
  return { rows: shown.map(toWire), next };
}

/** How many rows match, counted to one above `COUNTED_TO`, so that the cost is bounded. */
export async function countMatches(db: Executor, table: PgTable, matches: SQL | undefined): Promise<number> {
  const { rows } = await db.execute<{ total: string }>(
    sql`select count(*) as total from (select 1 from ${table} where ${matches ?? sql`true`} limit ${COUNTED_TO + 1}) as matches`,
  );
  return Number(rows[0]?.total);
}

/** Newest first, and by id among those of one moment. */
export const newestFirst = ({
  createdAt,
  id,
}: {
  createdAt: PgColumn;
  id: PgColumn;
}): Keyset<{ createdAt: Date; id: string }> => ({
  shape: ['instant', 'id'],
  readKey: (row) => [row.createdAt.toISOString(), row.id],
  after: ([at, rowId]) => sql`(${createdAt}, ${id}) < (${at}::timestamptz, ${rowId}::uuid)`,
  order: sql`${createdAt} desc, ${id} desc`,
});

/** A LIKE pattern that matches the text anywhere, every character of it literally. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
