import { COUNTED_TO, PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { and, count, desc, inArray, type SQL, sql } from 'drizzle-orm';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { readCursor } from '#src/platform/database/cursor.ts';
import { cutPage, newestFirst, type Page, type PageRequest } from '#src/platform/database/find-page.ts';
import type { SearchText } from './read-search-text.ts';
import { orders } from './schema.ts';

type Row = typeof orders.$inferSelect;
type Words = Extract<SearchText, { kind: 'words' }>;

/** How many orders are looked at for each one wanted before the index is asked; measured in docs/decisions/0084. */
const LOOKS_PER_ROW = 40;
/** How many are looked at to count the matches of a common word, and at most in all where the index knows no word. */
const LOOKS = 5_000;

const keyset = newestFirst(orders);
const byAge = [desc(orders.createdAt), desc(orders.id)];

/**
 * One page of the orders that match the words and the filter, newest first, at a cost that is bounded however many
 * orders there are. A common word is found among the newest ones, a rare one by the index. What has no letter or digit
 * is looked for among the newest alone.
 * @throws Problem `invalid` for a cursor that no answer gave out
 */
export async function searchOrders<Shown>(
  db: Drizzle,
  words: Words,
  filter: SQL | undefined,
  { limit = PAGE_LIMIT, after }: PageRequest,
  toWire: (row: Row) => Shown,
): Promise<Page<Shown>> {
  const key = readCursor(after, keyset.shape);
  const isAfter = key ? keyset.after(key) : undefined;
  const scope = and(filter, isAfter);
  const looks = words.isIndexed ? (limit + 1) * LOOKS_PER_ROW : LOOKS;
  // A number may be that of an old order, so whatever the newest ones have is not all.
  const isNewestEnough = !words.isIndexed || !words.isNumber;
  const newest = isNewestEnough ? await findAmongNewest(db, words, scope, looks, limit + 1) : [];
  if (newest.length > limit || !words.isIndexed) {
    return { ...cutPage(newest, limit, keyset, toWire), ...(await countAmongNewest(db, words, filter)) };
  }
  const { ids, total } = await findByIndex(db, words, filter, isAfter, limit + 1);
  const matches = total > COUNTED_TO ? and(scope, words.matches(orders)) : inArray(orders.id, ids);
  const rows = await db
    .select()
    .from(orders)
    .where(matches)
    .orderBy(...byAge)
    .limit(limit + 1);
  return { ...cutPage(rows, limit, keyset, toWire), total };
}

/** Those that match among the newest so many of the scope. */
function findAmongNewest(
  db: Executor,
  words: Words,
  scope: SQL | undefined,
  looks: number,
  wanted: number,
): Promise<Row[]> {
  const newest = selectNewest(db, scope, looks);
  return db
    .select()
    .from(newest)
    .where(words.matches(newest))
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .limit(wanted);
}

/** How many match among the newest, and whether older ones were not looked at. */
async function countAmongNewest(
  db: Executor,
  words: Words,
  filter: SQL | undefined,
): Promise<Required<Pick<Page<unknown>, 'total' | 'isAtLeast'>>> {
  const newest = selectNewest(db, filter, LOOKS);
  const matching = sql`count(*) filter (where ${words.matches(newest)})`.mapWith(Number);
  const [row] = await db.select({ looks: count(), total: matching }).from(newest);
  return { total: row?.total ?? 0, isAtLeast: row?.looks === LOOKS };
}

const selectNewest = (db: Executor, scope: SQL | undefined, looks: number) =>
  db
    .select()
    .from(orders)
    .where(scope)
    .orderBy(...byAge)
    .limit(looks)
    .as('newest');

/** Ids of the newest that match, and how many match, counted to one above `COUNTED_TO`: then the ids are some of them. */
function findByIndex(
  db: Drizzle,
  words: Words,
  filter: SQL | undefined,
  isAfter: SQL | undefined,
  wanted: number,
): Promise<{ ids: string[]; total: number }> {
  return db.transaction(async (tx) => {
    // How many rows have a word is guessed badly, and a wrong guess here would read all of them.
    await tx.execute(
      sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`,
    );
    const { rows } = await tx.execute<{ ids: string[]; total: number }>(sql`
      with hits as materialized (
        select id, created_at, ${isAfter ?? sql`true`} as is_shown from ${orders}
        where ${and(filter, words.matches(orders))} limit ${COUNTED_TO + 1}
      )
      select (select count(*)::int from hits) as total, array(
        select id from hits where is_shown order by created_at desc, id desc limit ${wanted}
      ) as ids`);
    return rows[0] ?? { ids: [], total: 0 };
  });
}
