import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { toAmount } from '@parts-forge/contract/money/money';
import type { UserData } from '@parts-forge/contract/people/accounts';
import {
  type AgreedPrice,
  type AgreedPriceQuery,
  type PricedPart,
  pricedPartSchema,
} from '@parts-forge/contract/prices/agreed-prices';
import type { Quote, QuoteQuery } from '@parts-forge/contract/prices/quotes';
import { addDays } from '@parts-forge/contract/text/days';
import { and, desc, eq, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { Problem } from '#src/platform/core/problem.ts';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { findPage, newestFirst, type Page, readSearchWords } from '#src/platform/database/find-page.ts';
import { products } from '#src/products/schema.ts';
import { findProductIds, findProductsById } from '#src/products/store.ts';
import { findPeople, findUserIds } from '#src/users/store.ts';
import { NOTICE_DAYS } from './agreed-prices.ts';
import { type AgreedPriceRow, hasNotEnded, toOwnPrice } from './own-prices.ts';
import type { QuoteRow } from './quotes.ts';
import { agreedPrices, quotes } from './schema.ts';

/** Undefined for administrators, who see everybody's. */
export type Viewer = { userId: string; untaxedRate: number } | undefined;

/** @throws Problem `invalid` for an unknown cursor */
export async function findAgreedPrices(
  db: Drizzle,
  { customer, product, ending, q, ...request }: AgreedPriceQuery,
  today: string,
  viewer: Viewer,
): Promise<Page<AgreedPrice>> {
  const matches = and(
    hasNotEnded(today),
    viewer && eq(agreedPrices.userId, viewer.userId),
    customer ? eq(agreedPrices.userId, customer) : undefined,
    product ? eq(agreedPrices.productId, product) : undefined,
    ending ? lte(agreedPrices.until, addDays(today, NOTICE_DAYS)) : undefined,
    await matchSearch(db, q, agreedPrices.userId, (ids) => inArray(agreedPrices.productId, ids)),
  );
  const page = await findPage(db, agreedPrices, request, newestFirst(agreedPrices), matches, (row) => row);
  return { ...page, rows: await completePrices(db, page.rows, viewer) };
}

export async function readAgreedPrice(db: Executor, id: string): Promise<AgreedPrice> {
  const rows = await db.select().from(agreedPrices).where(eq(agreedPrices.id, id));
  const [price] = await completePrices(db, rows, undefined);
  // Somebody removed it since it was set.
  if (!price) throw new Problem('not-found');
  return price;
}

async function completePrices(
  db: Executor,
  rows: readonly AgreedPriceRow[],
  viewer: Viewer,
): Promise<AgreedPrice[]> {
  const quoteIds = new Set(rows.flatMap(({ quoteId }) => quoteId ?? []));
  const find = await findShown(db, rows, (row) => [row.productId]);
  const named = { _id: quotes.id, number: quotes.number };
  const numbers = await db
    .select(named)
    .from(quotes)
    .where(inArray(quotes.id, [...quoteIds]));
  return rows.flatMap((row) => {
    const product = find.part(row.productId);
    const quote = numbers.find(({ _id }) => _id === row.quoteId);
    if (!product) return [];
    return {
      _id: row.id,
      customer: find.customer(row.userId),
      product,
      ...toOwnPrice(row, viewer?.untaxedRate ?? 0),
      ...(quote && { quote }),
      createdAt: row.createdAt.toISOString(),
    };
  });
}

/** @throws Problem `invalid` for an unknown cursor */
export async function findQuotes(
  db: Drizzle,
  { state, q, ...request }: QuoteQuery,
  viewer: Viewer,
): Promise<Page<Quote>> {
  const matches = and(
    viewer && eq(quotes.userId, viewer.userId),
    state && eq(quotes.state, state),
    await matchSearch(
      db,
      q,
      quotes.userId,
      (ids) => sql`(jsonb_path_query_array(lines, '$[*].productId') ?| ${sql.param(ids)}::text[]
        or ${quotes.number} = ${readQuoteNumber(q)})`,
    ),
  );
  const page = await findPage(db, quotes, request, newestFirst(quotes), matches, (row) => row);
  return { ...page, rows: await completeQuotes(db, page.rows, viewer) };
}

/** Of `Q-118`; null for other texts. */
function readQuoteNumber(q = ''): number | null {
  const digits = /^q-(\d{1,9})$/i.exec(q.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Null once its customer was removed. */
export async function findQuote(db: Executor, id: string, viewer: Viewer): Promise<Quote | null> {
  const rows = await db.select().from(quotes).where(eq(quotes.id, id));
  const [quote = null] = await completeQuotes(db, rows, viewer);
  return quote;
}

async function completeQuotes(db: Executor, rows: readonly QuoteRow[], viewer: Viewer): Promise<Quote[]> {
  const ids = rows.map(({ id }) => id);
  const find = await findShown(db, rows, ({ lines }) => lines.map(({ productId }) => productId));
  const prices = await db
    .select()
    .from(agreedPrices)
    .where(inArray(agreedPrices.quoteId, ids))
    .orderBy(agreedPrices.fromQuantity);
  const answered = Map.groupBy(prices, ({ quoteId, productId }) => `${quoteId} ${productId}`);
  return rows.map(({ id, userId, lines, until, answerNote, endedAt, ...quote }) => ({
    _id: id,
    number: quote.number,
    state: quote.state,
    customer: find.customer(userId),
    lines: lines.flatMap(({ productId, quantity, wishedCents }) => {
      const product = find.part(productId);
      const own = answered.get(`${id} ${productId}`) ?? [];
      if (!product) return [];
      return {
        product,
        quantity,
        ...(wishedCents !== undefined && { wished: toAmount(wishedCents) }),
        prices: own.map((price) => toOwnPrice(price, viewer?.untaxedRate ?? 0)),
      };
    }),
    note: quote.note,
    askedAt: quote.createdAt.toISOString(),
    ...(until !== null && { until }),
    ...(answerNote !== '' && { answerNote }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  }));
}

/** The ends that a mail of this day tells of: the earliest of each part, the nearest first. */
export const findEnds = (db: Executor, userId: string, productIds: readonly string[], day: string) =>
  db
    .select({ name: products.name, number: products.number, until: sql<string>`min(${agreedPrices.until})` })
    .from(agreedPrices)
    .innerJoin(products, eq(products.id, agreedPrices.productId))
    .where(
      and(
        eq(agreedPrices.userId, userId),
        inArray(agreedPrices.productId, [...productIds]),
        gte(agreedPrices.until, day),
        agreedPrices.endKnown,
      ),
    )
    .groupBy(products.id)
    .orderBy(sql`min(${agreedPrices.until})`, products.name);

/** For the export of a person's data: all of them, the newest first. */
export async function findPersonPrices(
  db: Executor,
  userId: string,
): Promise<Pick<UserData, 'prices' | 'quotes'>> {
  const prices = await db
    .select()
    .from(agreedPrices)
    .where(eq(agreedPrices.userId, userId))
    .orderBy(desc(agreedPrices.createdAt));
  const own = await db.select().from(quotes).where(eq(quotes.userId, userId)).orderBy(desc(quotes.number));
  return {
    prices: await completePrices(db, prices, undefined),
    quotes: await completeQuotes(db, own, undefined),
  };
}

/** The customers and parts of rows. */
async function findShown<Row extends { userId: string }>(
  db: Executor,
  rows: readonly Row[],
  listParts: (row: Row) => readonly string[],
) {
  const userIds = rows.map(({ userId }) => userId);
  const people = await findPeople(db, userIds);
  const parts = await findProductsById(db, [...new Set(rows.flatMap(listParts))]);
  return {
    customer: (id: string) => ({ _id: id, name: '', email: '', ...people.get(id) }),
    part(id: string): PricedPart | undefined {
      const { product, isDeleted } = parts.get(id) ?? {};
      return product && pricedPartSchema.parse({ ...product, ...(isDeleted && { gone: true }) });
    },
  };
}

/** Finds the rows of at most a hundred people and as many parts. Undefined for a search without a word. */
async function matchSearch(
  db: Drizzle,
  q: string | undefined,
  userId: PgColumn,
  isOfParts: (ids: string[]) => SQL,
): Promise<SQL | undefined> {
  const words = q ? await readSearchWords(db, q) : [];
  if (words.length === 0) return undefined;
  const [userIds, productIds] = await Promise.all([
    findUserIds(db, words, PAGE_LIMIT),
    findProductIds(db, words, PAGE_LIMIT),
  ]);
  return or(inArray(userId, userIds), isOfParts(productIds));
}
