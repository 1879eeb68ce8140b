import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { and, type SQL, sql } from 'drizzle-orm';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { readCursor } from '#src/platform/database/cursor.ts';
import {
  findHits,
  type Hits,
  type Keyset,
  type Page,
  type PageRequest,
  readHits,
} from '#src/platform/database/find-page.ts';
import type { SearchText } from './read-search-text.ts';
import { orders } from './schema.ts';
import { type BareOrder, type OrderRow, toOrder } from './store.ts';

type Words = Extract<SearchText, { kind: 'words' }> & {
  /** Of a purchase only one order. */
  first: SQL | undefined;
};

const LOOKS = 5_000;
/** Rarer words are counted exactly. */
const COMMON = LOOKS / 40;
/** Above, the search reads the orders in turn until the page is full. */
const SORTED_TO = 10_000;
/** More than one match in fifty makes a piece common. */
const SAMPLE = 500;

/**
 * Scans the first orders for common words, uses the index for rare ones.
 * @param keyset by time
 * @throws Problem `invalid` for an unknown cursor
 */
export async function searchOrders(
  db: Drizzle,
  words: Words,
  filter: SQL | undefined,
  request: PageRequest,
  keyset: Keyset<OrderRow>,
): Promise<Page<BareOrder>> {
  const isFirstPage = request.after === undefined;
  const read = (hits: Hits) =>
    readHits(db, orders, request, keyset, and(filter, words.matches, words.first), toOrder, hits);
  // A number may belong to an old order.
  if (!words.isIndexed || !words.isNumber) {
    const first = await lookAtFirst(db, words, filter, request, keyset);
    // Rows are few beside their orders.
    const isCommon = words.first !== undefined || first.total >= COMMON;
    const isFull = isCommon && first.ids.length > (request.limit ?? PAGE_LIMIT);
    const isEnough = isFull || (isFirstPage && !first.isAtLeast);
    if (isEnough || !words.isIndexed) {
      const { total, isAtLeast } = isFirstPage ? first : await lookAtFirst(db, words, filter, {}, keyset);
      return { ...(await read(first)), total, isAtLeast };
    }
  }
  return read(await findByIndex(db, words, filter, request, keyset));
}

/** An index look-up for each match with a common piece, such as an email's domain, would cost too much. */
async function findRarePieces(
  db: Executor,
  pieces: readonly string[],
  keyset: Keyset<OrderRow>,
): Promise<readonly string[]> {
  if (pieces.length < 2) return pieces;
  const { rows } = await db.execute<{ piece: string }>(sql`
    with sample as materialized (
      select search from ${orders} where ${orders.closedAt} is null order by ${keyset.order} limit ${SAMPLE}
    )
    select piece from unnest(${sql.param(pieces)}::text[]) as piece
    where (select count(*) from sample where search like piece) <= ${SAMPLE / 50}`);
  return rows.length > 0 ? rows.map(({ piece }) => piece) : pieces;
}

async function lookAtFirst(
  db: Executor,
  words: Words,
  filter: SQL | undefined,
  { limit = PAGE_LIMIT, after }: PageRequest,
  keyset: Keyset<OrderRow>,
): Promise<{ ids: string[]; total: number; isAtLeast: boolean }> {
  const key = readCursor(after, keyset.shape);
  const { rows } = await db.execute<{ ids: string[]; total: number; isAtLeast: boolean }>(sql`
    with newest as materialized (
      select id, created_at, ${and(words.matches, words.first)} as is_match
      from (
        select id, created_at, search, number, product_id, before_ledger, batch from ${orders}
        where ${and(filter, key ? keyset.after(key) : undefined)} order by ${keyset.order} limit ${LOOKS}
      ) as ${orders}
    )
    select (count(*) filter (where is_match))::int as total, count(*) = ${LOOKS} as "isAtLeast", array(
      select id from newest as ${orders} where is_match order by ${keyset.order} limit ${limit + 1}
    ) as ids from newest`);
  return rows[0] ?? { ids: [], total: 0, isAtLeast: false };
}

function findByIndex(
  db: Drizzle,
  words: Words,
  filter: SQL | undefined,
  request: PageRequest,
  keyset: Keyset<OrderRow>,
): Promise<Hits> {
  return db.transaction(async (tx) => {
    const rare = await findRarePieces(tx, words.pieces, keyset);
    // PostgreSQL estimates word matches badly, and could read the whole table.
    await tx.execute(
      sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`,
    );
    const columns = sql`${orders.id}, ${orders.createdAt}`;
    const matches = rare.length < words.pieces.length ? words.matchesWith(rare) : words.matches;
    return findHits(tx, orders, columns, request, keyset, and(filter, matches, words.first), SORTED_TO);
  });
}
