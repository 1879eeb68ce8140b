import { COUNTED_TO, PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { and, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Drizzle, Executor } from './connection.ts';
import { type CursorPart, type CursorShape, readCursor } from './cursor.ts';

export interface Counted {
  /** Counted to `MORE_THAN_COUNTED` at most. */
  total: number;
  /** Only some rows were examined. */
  isAtLeast?: boolean;
}

export interface Page<Row> extends Counted {
  rows: Row[];
  /** Null on the last page. */
  next: readonly CursorPart[] | null;
}

/** Keyset pagination: later pages cost no more than the first. */
export interface Keyset<Row> {
  shape: CursorShape;
  /** Unique, as it ends with the id. */
  readKey(row: Row): CursorPart[];
  after(key: readonly CursorPart[]): SQL;
  order: SQL;
  /** Parts of the table, each with an index in this order, which together have each row once. */
  parts?: readonly SQL[];
}

export interface PageRequest {
  limit?: number | undefined;
  after?: string | undefined;
  /** `total` is then 0. */
  withoutTotal?: boolean | undefined;
}

export const MORE_THAN_COUNTED = COUNTED_TO + 1;

/**
 * @param count by default of the matches
 * @throws Problem `invalid` for a cursor that this list never issued
 */
export async function findPage<Table extends PgTable, Shown>(
  db: Drizzle,
  table: Table,
  request: PageRequest,
  keyset: Keyset<Table['$inferSelect']>,
  matches: SQL | undefined,
  toWire: (row: Table['$inferSelect']) => Shown,
  count: () => Promise<Counted> = async () => ({ total: await countMatches(db, table, matches) }),
): Promise<Page<Shown>> {
  const [page, counted] = await Promise.all([
    findRows(db, table, request, keyset, matches, toWire),
    request.withoutTotal ? { total: 0 } : count(),
  ]);
  return { ...page, ...counted };
}

export async function findRows<Table extends PgTable, Shown>(
  db: Executor,
  table: Table,
  { limit = PAGE_LIMIT, after }: PageRequest,
  keyset: Keyset<Table['$inferSelect']>,
  matches: SQL | undefined,
  toWire: (row: Table['$inferSelect']) => Shown,
): Promise<Omit<Page<Shown>, 'total'>> {
  const key = readCursor(after, keyset.shape);
  const following = and(matches, key ? keyset.after(key) : undefined);
  const pages = keyset.parts?.map(
    (part) =>
      sql`(select id from ${table} where ${and(part, following)} order by ${keyset.order} limit ${limit + 1})`,
  );
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(pages ? sql`id in (${sql.join(pages, sql` union all `)})` : following)
    .orderBy(keyset.order)
    .limit(limit + 1);
  return cutPage<Table['$inferSelect'], Shown>(rows, limit, keyset, toWire);
}

/** @param rows one more than `limit` when another page follows */
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

/** @param order reads matches that are often in memory; without it PostgreSQL may scan a large table */
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
 * Like stored texts: `O’Connor 5000mAh` is `oconnor` and `5000 mah` (migration 0026). Drops wildcards, so
 * build LIKE patterns afterwards.
 */
export async function readSearchWords(db: Executor, q: string): Promise<string[]> {
  const { rows } = await db.execute<{ words: string[] }>(
    sql`select search_words(${splitJoined(q)}) as words`,
  );
  return rows[0]?.words ?? [];
}

/** `back-glass`, `oled/lcd`. A short piece stays with its number or name. */
const splitJoined = (q: string): string =>
  q.replace(/(?<=\p{L}{3})[-\u2010-\u2015\u2212_/+](?=\p{L}{3})/gu, ' ');

export interface Hits {
  /** Null with too many matches to sort. */
  ids: string[] | null;
  total: number;
}

/**
 * A sorted scan takes seconds for two common words that never meet.
 * @param columns the id and the sort columns; whole rows would not fit into memory
 * @param sortedTo maximum number of matches to sort
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

const LOOKS = 5_000;

/**
 * An ordered scan usually meets the page soon; after `LOOKS` rows it sorts all matches.
 * @param all the rows in the order's index
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

/** Without ids, reads all matches in order. A row that changes between the two statements stays. */
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
          // Their order may use columns that the row does not have.
          { ...keyset, order: sql`array_position(${sql.param(ids)}::uuid[], ${table.id})` },
          inArray(table.id, ids),
          toWire,
        );
  return { ...page, total };
}

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

/** A trigram index needs three letters or digits in a row. */
export const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);

/** Escapes wildcards. */
export const beginsPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

export const containsPattern = (text: string): string => `%${beginsPattern(text)}`;
