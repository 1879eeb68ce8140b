import { COUNTED_TO, PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import type { ProductSort } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import {
  containsPattern,
  countMatches,
  findAmongMany,
  findHits,
  findRows,
  type Hits,
  type Keyset,
  MORE_THAN_COUNTED,
  newestFirst,
  type Page,
  type PageRequest,
  readHits,
} from '#src/platform/database/find-page.ts';
import {
  buildConditions,
  type FilterConditions,
  joinConditions,
  type ProductFilter,
} from './filter-products.ts';
import { inNameOrder, products } from './schema.ts';
import { isNearNumber, type ProductRow, toProduct } from './store.ts';

/** All sorts except the best match, which depends on the words. */
const keysets: Record<Exclude<ProductSort, 'match'>, Keyset<ProductRow>> = {
  newest: newestFirst(products),
  name: {
    shape: ['text', 'id'],
    readKey: (row) => [row.name, row.id],
    after: ([name, id]) => sql`(${inNameOrder(products.name)}, ${products.id}) > (${name}, ${id}::uuid)`,
    order: sql`${inNameOrder(products.name)}, ${products.id}`,
  },
  price: {
    shape: ['integer', 'id'],
    readKey: (row) => [row.priceCents, row.id],
    after: ([cents, id]) => sql`(${products.priceCents}, ${products.id}) > (${cents}::integer, ${id}::uuid)`,
    order: sql`${products.priceCents}, ${products.id}`,
  },
  '-price': {
    shape: ['integer', 'id'],
    readKey: (row) => [row.priceCents, row.id],
    after: ([cents, id]) => sql`(${products.priceCents}, ${products.id}) < (${cents}::integer, ${id}::uuid)`,
    order: sql`${products.priceCents} desc, ${products.id} desc`,
  },
};

/**
 * Best match first, then newest. The cursor is an id, not a key: an edited part is compared by its present
 * values, and large results may be sorted by age alone.
 */
function matchesFirst(match: SQL | null): Keyset<ProductRow> {
  const key = match === null ? sql`created_at, id` : sql`match, created_at, id`;
  const ofPart = match === null ? key : sql`${match}, created_at, id`;
  return {
    shape: ['id'],
    readKey: (row) => [row.id],
    after: ([id]) => sql`(${key}) < (select ${ofPart} from ${products} where ${products.id} = ${id}::uuid)`,
    order: match === null ? keysets.newest.order : sql`match desc, ${keysets.newest.order}`,
  };
}

const sortedBy = sql`${products.id}, ${products.name}, ${products.priceCents}, ${products.createdAt}`;

export interface ProductSearch extends ProductFilter, PageRequest {
  sort?: ProductSort | undefined;
  /** Returns parts with similar names when nothing matches. */
  similar?: boolean | undefined;
}

export interface ProductPage extends Page<Product> {
  /** The rows only resemble the search. */
  isSimilar: boolean;
}

/**
 * Similar products fit on one page, most similar first, then newest.
 * @throws Problem `invalid` for a cursor of another sort
 */
export async function findProducts(
  db: Executor,
  { limit, after, withoutTotal, sort = 'match', similar = false, ...filter }: ProductSearch,
): Promise<ProductPage> {
  const { conditions, words, butOne } = await buildConditions(db, filter);
  const matches = joinConditions(conditions);
  const request = { limit, after, withoutTotal };
  const match = sort === 'match' && words.length > 0 ? rateMatch(words) : null;
  const keyset = sort !== 'match' ? keysets[sort] : conditions.q ? matchesFirst(null) : keysets.newest;
  // Common filters fill a page early in any order; kinds have an index for the newest.
  if (!conditions.q && !conditions.fits && (!conditions.kind || keyset === keysets.newest)) {
    const newest = conditions.available && newestFirst(products).order;
    const [page, total] = await Promise.all([
      findRows(db, products, request, keyset, matches, toProduct),
      withoutTotal ? 0 : countMatches(db, products, matches, newest),
    ]);
    return { ...page, total, isSimilar: false };
  }
  const hits: Hits = (await areMany(db, conditions))
    ? { ids: null, total: MORE_THAN_COUNTED }
    : match
      ? await findHits(
          db,
          products,
          sql`id, created_at, ${match} as match`,
          request,
          matchesFirst(match),
          matches,
        )
      : await findHits(db, products, sortedBy, request, keyset, matches);
  if (hits.total === 0 && similar && words.length > 0) {
    const nearly = butOne && { butOne, match: rateMatch(words) };
    return findSimilar(db, filter.q ?? '', limit, joinConditions(conditions, 'q'), nearly);
  }
  const ids =
    hits.ids ?? (await findAmongMany(db, products, sortedBy, request, keyset, matches, conditions.onSale));
  return {
    ...(await readHits(db, products, request, keyset, matches, toProduct, { ...hits, ids })),
    isSimilar: false,
  };
}

/** Only checked where counting is cheap. */
async function areMany(db: Executor, conditions: FilterConditions): Promise<boolean> {
  return (
    !conditions.q &&
    !conditions.fits &&
    (await countMatches(db, products, joinConditions(conditions))) > COUNTED_TO
  );
}

/**
 * Whole number, its beginning, then words in the name, in number, kind and models, and last in the
 * description.
 */
function rateMatch(words: readonly string[]): SQL {
  const name = sql`split_part(products.search, e'\\x1f', 1)`;
  const number = sql`translate(split_part(products.search, e'\\x1f', 2), ' ./+', '')`;
  const beforeDescription = sql`left(products.search, -length(split_part(products.search, e'\\x1f', -1)))`;
  const asked = words.join('').replace(/[ ./+]/g, '');
  const rated = words.map((word) => {
    const [begins, contains] = [containsPattern(` ${word}`), containsPattern(word)];
    return sql`case
      when ' ' || ${name} || ' ' like ${containsPattern(` ${word} `)} then 8
      when ' ' || ${name} like ${begins} then 6
      when ${name} like ${contains} then 4
      when ${beforeDescription} like ${contains} then 2
      else 0 end`;
  });
  const phrase =
    words.length > 1
      ? sql`case when ${name} like ${containsPattern(words.join(' '))} then 1 else 0 end`
      : sql`0`;
  return sql`(case when ${number} = ${asked} then 2000 when starts_with(${number}, ${asked}) then 1000 else 0 end
    + ${phrase} + ${sql.join(rated, sql` + `)})`;
}

async function findSimilar(
  db: Executor,
  q: string,
  limit: number = PAGE_LIMIT,
  others: SQL | undefined,
  nearly: { butOne: SQL; match: SQL } | undefined,
): Promise<ProductPage> {
  // Names break the tie between parts of one phone model.
  const named = sql`word_similarity(normalize_search(${q}), split_part(products.search, e'\\x1f', 1))`;
  const find = (alike: SQL) =>
    db
      .select(getTableColumns(products))
      .from(products)
      .innerJoin(sql`${alike} as alike`, sql`alike.id = ${products.id}`)
      .where(others)
      .orderBy(sql`alike.similarity desc, ${named} desc, ${keysets.newest.order}`)
      .limit(limit);
  const isNear = isNearNumber(q);
  const isOnSale = isNull(products.deletedAt);
  const ways = [
    isNear &&
      sql`(select id, similarity(${products.number}, ${q}) from ${products} where ${isNear} and ${isOnSale})`,
    nearly &&
      sql`(select id, ${nearly.match} as similarity from (
        select * from ${products} where ${nearly.butOne} and ${isOnSale} limit ${LOOKS}) as ${products})`,
    sql`find_similar_parts(normalize_search(${q}))`,
    selectSwapped(q),
  ];
  for (const alike of ways) {
    const rows = alike ? await find(alike) : [];
    if (rows.length > 0)
      return { rows: rows.map(toProduct), next: null, total: rows.length, isSimilar: true };
  }
  return { rows: [], next: null, total: 0, isSimilar: false };
}

/** Two adjacent letters swapped, such as `dislpay`; null for other texts. */
function selectSwapped(q: string): SQL | null {
  const word = q.trim().toLowerCase();
  if (!/^[a-z]{5,20}$/.test(word)) return null;
  const swapped = [...word.slice(1)].map(
    (letter, at) => `${word.slice(0, at)}${letter}${word[at]}${word.slice(at + 2)}`,
  );
  const likes = swapped.map((each) => sql`products.search like ${containsPattern(each)}`);
  return sql`(select id, 1 as similarity from ${products}
    where (${or(...likes)}) and ${isNull(products.deletedAt)} limit ${LOOKS})`;
}

const LOOKS = 2_000;
