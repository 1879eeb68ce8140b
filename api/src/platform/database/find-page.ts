import { COUNTED_TO, PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { and, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Executor } from './connection.ts';
import { type CursorPart, type CursorShape, readCursor } from './cursor.ts';

/** One page of a list: the rows, the sort key of the last one when more follow, and how many match in all. */
export interface Page<Row> {
  rows: Row[];
  /** Null on the last page. */
  next: readonly CursorPart[] | null;
  /** Matches, counted to `MORE_THAN_COUNTED` at most. */
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

/** The total of matches that are known to be more than are counted. */
export const MORE_THAN_COUNTED = COUNTED_TO + 1;

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
function cutPage<Row, Shown>(
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

/**
 * How many rows match, counted to one above `COUNTED_TO`, so that the cost is bounded.
 * @param order by which matches are met soon, of rows that are read often; else PostgreSQL chooses, and may read a large
 *   table from its beginning, which it never keeps in memory
 */
export async function countMatches(
  db: Executor,
  table: PgTable,
  matches: SQL | undefined,
  order?: SQL,
): Promise<number> {
  const inOrder = order ? sql`order by ${order}` : sql``;
  const { rows } = await db.execute<{ total: string }>(
    sql`select count(*) as total from (select 1 from ${table} where ${matches ?? sql`true`} ${inOrder} limit ${MORE_THAN_COUNTED}) as matches`,
  );
  return Number(rows[0]?.total);
}

/**
 * The words of a search as stored texts have them: `O’Connor 5000mAh` is `oconnor` and `5000 mah` (migration 0026). A LIKE
 * pattern is made of them afterwards, as their marks may go.
 */
export async function readSearchWords(db: Executor, q: string): Promise<string[]> {
  const { rows } = await db.execute<{ words: string[] }>(
    sql`select search_words(${splitJoined(q)}) as words`,
  );
  return rows[0]?.words ?? [];
}

/** Words that a mark joins are found apart, too: `back-glass`, `oled/lcd`. A short piece belongs to its number or name. */
const splitJoined = (q: string): string =>
  q.replace(/(?<=\p{L}{3})[-\u2010-\u2015\u2212_/+](?=\p{L}{3})/gu, ' ');

/** A page of rows that are found before they are sorted. */
export interface Hits {
  /** Of the rows of the page, and one more where another follows; null where more match than are sorted. */
  ids: string[] | null;
  /** Matches, counted to one more than are sorted at most. */
  total: number;
}

/**
 * Finds the matches, counts them and sorts them, where there are not too many. With few of them the planner would else
 * walk through all rows in the wanted order until it has met enough: two common words that are never together take
 * seconds among a million parts.
 * @param columns the id and what the keyset sorts by, of which so many are kept that whole rows would not fit into memory
 * @param sortedTo how many matches are sorted; of more no ids are returned
 */
export async function findHits<Table extends PgTable>(
  db: Executor,
  table: Table,
  columns: SQL,
  { limit = PAGE_LIMIT, after }: PageRequest,
  keyset: Keyset<Table['$inferSelect']>,
  matches: SQL | undefined,
  sortedTo: number = COUNTED_TO,
): Promise<Hits> {
  const key = readCursor(after, keyset.shape);
  const { rows } = await db.execute<{ ids: string[] | null; total: number }>(sql`
    with hits as materialized (
      select ${columns} from ${table} where ${matches ?? sql`true`} limit ${sortedTo + 1}
    ), counted as (select count(*)::int as total from hits)
    select total, case when total <= ${sortedTo} then array(
      select id from hits as ${table} where ${key ? keyset.after(key) : sql`true`}
      order by ${keyset.order} limit ${limit + 1}
    ) end as ids from counted`);
  return rows[0] ?? { ids: [], total: 0 };
}

/** How many rows are looked at in their order before all matches are sorted. */
const LOOKS = 5_000;

/**
 * The ids of a page of more rows than are counted, and one more where another follows. They are met soon in their order, as
 * a rule; but names with a word in them may stand together far behind, and then all matches are sorted.
 * @param all the rows that the order's index has
 */
export async function findAmongMany<Table extends PgTable>(
  db: Executor,
  table: Table,
  columns: SQL,
  { limit = PAGE_LIMIT, after }: PageRequest,
  keyset: Keyset<Table['$inferSelect']>,
  matches: SQL | undefined,
  all: SQL,
): Promise<string[]> {
  const key = readCursor(after, keyset.shape);
  const following = key ? keyset.after(key) : undefined;
  const page = sql`order by ${keyset.order} limit ${limit + 1}`;
  const first = await db.execute<{ id: string }>(sql`
    select id from (
      select * from ${table} where ${and(all, following)} order by ${keyset.order} limit ${LOOKS}
    ) as ${table} where ${matches} ${page}`);
  const { rows } =
    first.rows.length > limit
      ? first
      : await db.execute<{ id: string }>(sql`
          with hits as materialized (select ${columns} from ${table} where ${and(matches, following)})
          select id from hits as ${table} ${page}`);
  return rows.map(({ id }) => id);
}

/**
 * The page of these hits; where their ids are not known, of all matches in their order. A row that is changed between the
 * two statements, and would stand elsewhere now, is still one of the page.
 */
export async function readHits<Table extends PgTable & { id: PgColumn }, Shown>(
  db: Executor,
  table: Table,
  request: PageRequest,
  keyset: Keyset<Table['$inferSelect']>,
  matches: SQL | undefined,
  toWire: (row: Table['$inferSelect']) => Shown,
  { ids, total }: Hits,
): Promise<Page<Shown>> {
  if (ids?.length === 0) return { rows: [], next: null, total };
  const page =
    ids === null
      ? await findRows(db, table, request, keyset, matches, toWire)
      : await findRows(
          db,
          table,
          { limit: request.limit },
          // The ids are in their order, which may be by more than the row has.
          { ...keyset, order: sql`array_position(${sql.param(ids)}::uuid[], ${table.id})` },
          inArray(table.id, ids),
          toWire,
        );
  return { ...page, total };
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

/** Three letters or digits in a row make a trigram, by which an index finds a text anywhere. */
export const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);

/** A LIKE pattern that matches the text at the beginning, every character of it literally. */
export const beginsPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The same anywhere. */
export const containsPattern = (text: string): string => `%${beginsPattern(text)}`;
