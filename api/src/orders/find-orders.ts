import { MAX_SORTED_ORDERS, PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { formatPieces } from '@parts-forge/contract/money/money';
import { type OrderStatus, orderMoves } from '@parts-forge/contract/orders/order-states';
import type { ListedFilter, Order, OrderSort } from '@parts-forge/contract/orders/orders';
import { and, desc, eq, gte, inArray, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { type CursorShape, readCursor } from '#src/platform/database/cursor.ts';
import {
  containsPattern,
  findHits,
  findPage,
  type Keyset,
  newestFirst,
  type Page,
  type PageRequest,
  readHits,
  readSearchWords,
} from '#src/platform/database/find-page.ts';
import { findPartId } from '#src/products/store.ts';
import { findOrdersSince, happenedSince } from '#src/trail/store.ts';
import { completeOrders } from './complete-orders.ts';
import type { OrderPapers } from './order-papers.ts';
import { countRows, isFirstOfPurchase, purchaseKey, rowCents } from './purchase-rows.ts';
import { readOrderNumber, readSearchText, type SearchText } from './read-search-text.ts';
import { isToSend, orders } from './schema.ts';
import { searchOrders } from './search-orders.ts';
import { type BareOrder, isNotClosed, type OrderRow, toOrder } from './store.ts';

/** Each of an owner's indexes has one of them. */
const openAndEnded = [isNotClosed, isNotNull(orders.closedAt)];

function matchesClosed(closed: ListedFilter) {
  if (closed === undefined) return isNotClosed;
  if (closed === 'any') return or(...openAndEnded);
  return closed === 'true'
    ? isNotNull(orders.closedAt)
    : and(isNotNull(orders.closedAt), eq(orders.closed, closed));
}

interface OrderScope {
  number?: number | undefined;
  /** The purchase that the order belongs to, by its number. */
  purchase?: number | undefined;
  userId?: string | undefined;
  email?: string | undefined;
  product?: string | undefined;
  reference?: string | undefined;
  /** The first moment; `before` itself is not included. */
  from?: string | undefined;
  before?: string | undefined;
}

export interface OrderSearch extends OrderScope, PageRequest {
  status?: OrderStatus | undefined;
  closed?: ListedFilter;
  acceptedSince?: string | undefined;
  toSend?: 'true' | undefined;
  batch?: string | undefined;
  /** Id, number (order, part, invoice) or words. */
  q?: string | undefined;
  /** A purchase is one row. The moment of the first page, as totals change. */
  rowsAsOf?: Date | undefined;
  sort?: OrderSort | undefined;
}

/** @throws Problem `invalid` */
export async function findOrders(
  db: Drizzle,
  papers: OrderPapers,
  search: OrderSearch,
): Promise<Page<Order>> {
  const { q, sort = 'newest', limit, after, withoutTotal } = search;
  // Each index has open or ended orders.
  const narrowest = search.userId ?? search.email ?? search.number ?? search.purchase;
  if (search.closed === 'any' && narrowest === undefined) {
    throw invalidField('closed', 'any needs email, user, number or purchase');
  }
  const filter = await matchesFilter(db, search);
  const request = { limit, after, withoutTotal };
  const asked = q ? await readSearch(db, papers, q) : null;
  const matches = and(filter, asked?.matches) ?? sql`true`;
  const first = search.rowsAsOf && isFirstOfPurchase(matches);
  const orderBy = (time: keyof typeof byTime): Keyset<OrderRow> => {
    const keyset = search.closed === 'any' ? { ...byTime[time], parts: openAndEnded } : byTime[time];
    return first ? byPurchase(keyset) : keyset;
  };
  const page =
    sort === 'total' || sort === '-total'
      ? await sortFew(db, request, sort, search.rowsAsOf, and(matches, first))
      : asked?.kind === 'words'
        ? await searchOrders(db, { ...asked, first }, filter, request, orderBy(sort))
        : await findPage(
            db,
            orders,
            request,
            orderBy(sort),
            and(matches, first),
            toOrder,
            first && (() => countRows(db, matches)),
          );
  return { ...page, rows: await completeOrders(db, papers, page.rows, first && matches) };
}

const oldestFirst: Keyset<OrderRow> = {
  ...newestFirst(orders),
  after: ([at, id]) => sql`(${orders.createdAt}, ${orders.id}) > (${at}::timestamptz, ${id}::uuid)`,
  order: sql`${orders.createdAt}, ${orders.id}`,
};

const totalCursor: CursorShape = ['instant', 'id'];

/**
 * All pages sort the totals of one moment, and a purchase by a key of its own: a line that is cancelled between
 * two pages moves no row.
 */
function byTotal(direction: 'asc' | 'desc', at: string, columns: SQL): Keyset<OrderRow> {
  return {
    shape: totalCursor,
    readKey: ({ id }) => [at, id],
    after: ([, id]) => sql`(total_cents, row_key) ${sql.raw(direction === 'asc' ? '>' : '<')}
      (select total_cents, row_key from (
        select ${columns} from ${orders} where ${orders.id} = ${id}::uuid
      ) as shown)`,
    order: sql.raw(`total_cents ${direction}, row_key ${direction}`),
  };
}

const byTime = { newest: newestFirst(orders), oldest: oldestFirst };

/** Another order of the cursor's purchase is no further row, if it is the first that matches by now. */
const byPurchase = (keyset: Keyset<OrderRow>): Keyset<OrderRow> => ({
  ...keyset,
  after: (key) => sql`${keyset.after(key)} and ${orders.id} <> all(array(select same.id
    from orders shown join orders same on same.batch = shown.batch where shown.id = ${key.at(-1)}::uuid))`,
});

/** No index has the totals. @throws Problem `invalid` for too many orders */
async function sortFew(
  db: Drizzle,
  request: PageRequest,
  sort: 'total' | '-total',
  rowsAsOf: Date | undefined,
  matches: SQL | undefined,
): Promise<Page<BareOrder>> {
  const [cursorAt] = readCursor(request.after, totalCursor) ?? [];
  // The total of an order alone never changes.
  const at = String(cursorAt ?? (rowsAsOf ?? new Date(0)).toISOString());
  const columns = rowsAsOf
    ? sql`${orders.id}, ${rowCents(at)} as total_cents, ${purchaseKey} as row_key`
    : sql`${orders.id}, ${orders.totalCents}, ${orders.id} as row_key`;
  const keyset = byTotal(sort === 'total' ? 'asc' : 'desc', at, columns);
  const hits = await findHits(db, orders, columns, request, keyset, matches, MAX_SORTED_ORDERS);
  if (hits.ids === null) {
    const most = formatPieces(MAX_SORTED_ORDERS);
    throw invalidField(
      'sort',
      `Only ${most} orders can be sorted by total: choose days, a customer or a part`,
    );
  }
  return readHits(db, orders, request, keyset, matches, toOrder, hits);
}

/** None for any number but the lowest of two or more orders. */
const isOfPurchase = (number: number): SQL => sql`${orders.batch} = (
  select batch from orders placed where batch = (select batch from orders where number = ${number})
  group by batch having min(number) = ${number} and count(*) > 1)`;

/** Orders in any state. */
export const matchesScope = ({
  number,
  purchase,
  userId,
  email,
  product,
  reference,
  from,
  before,
}: OrderScope): SQL | undefined =>
  and(
    number === undefined ? undefined : eq(orders.number, number),
    purchase === undefined ? undefined : isOfPurchase(purchase),
    userId ? eq(orders.userId, userId) : undefined,
    email ? sql`lower(${orders.email}) = lower(${email})` : undefined,
    product ? eq(orders.productId, product) : undefined,
    reference ? eq(orders.reference, reference) : undefined,
    from ? gte(orders.createdAt, new Date(from)) : undefined,
    before ? lt(orders.createdAt, new Date(before)) : undefined,
  );

async function matchesFilter(db: Executor, search: OrderSearch): Promise<SQL | undefined> {
  const { status, closed, acceptedSince, toSend, batch } = search;
  return and(
    matchesScope(search),
    matchesClosed(closed),
    status ? eq(orders.status, status) : undefined,
    acceptedSince ? await matchesAccepted(db, new Date(acceptedSince), { status, closed }) : undefined,
    toSend ? isToSend(orders) : undefined,
    batch ? eq(orders.batch, batch) : undefined,
  );
}

async function readSearch(db: Drizzle, papers: OrderPapers, q: string): Promise<SearchText> {
  const words = await readSearchWords(db, q);
  const number = readOrderNumber(words);
  const [partId, invoiced, bought] = await Promise.all([
    findPartId(db, q),
    papers.findInvoicedOrders(db, words),
    number === null ? [] : db.select({ id: orders.id }).from(orders).where(isOfPurchase(number)),
  ]);
  return readSearchText(q, words, { partId, orderIds: [...invoiced, ...bought.map(({ id }) => id)] });
}

const MOST_ACCEPTED = 10_000;

/** Avoids a scan. Accepted orders stay accepted and open, so other filters match nothing. */
async function matchesAccepted(
  db: Executor,
  since: Date,
  { status, closed }: Pick<OrderSearch, 'status' | 'closed'>,
): Promise<SQL | undefined> {
  const accepted = orderMoves.accept.to;
  const isOpen = closed === undefined || closed === 'any';
  if (!isOpen || (status ?? accepted) !== accepted) return sql`false`;
  const ids = await findOrdersSince(db, 'accepted', since, MOST_ACCEPTED + 1);
  if (ids.length > MOST_ACCEPTED) {
    return and(eq(orders.status, accepted), happenedSince(orders.id, 'accepted', since));
  }
  return sql`${orders.id} = any(${sql.param(ids)}::uuid[])`;
}

/** Finds closed orders, too. */
export async function findOrderId(db: Executor, number: number): Promise<string | null> {
  const [row] = await db.select({ id: orders.id }).from(orders).where(eq(orders.number, number));
  return row?.id ?? null;
}

/** By carrier and number of a parcel; at most a hundred. */
export async function findParcelOrders(db: Executor, words: readonly string[]): Promise<string[]> {
  if (!words.some((word) => /\d{5}/.test(word))) return [];
  const patterns = words.map(containsPattern);
  const { rows } = await db.execute<{ id: string }>(sql`select id from orders where parcels <> ''
    and search like all (${sql.param(patterns)}::text[])
    and normalize_search(parcels) like all (${sql.param(patterns)}::text[]) limit ${PAGE_LIMIT}`);
  return rows.map(({ id }) => id);
}

/** Finds closed orders, too. */
export async function findOrderNumbers(
  db: Executor,
  ids: readonly (string | null)[],
): Promise<Map<string, number>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  if (known.length === 0) return new Map();
  const rows = await db
    .select({ id: orders.id, number: orders.number })
    .from(orders)
    .where(inArray(orders.id, known));
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Newest first, closed orders included. */
export async function findAllOrders(
  db: Executor,
  papers: OrderPapers,
  userId: string,
  limit: number,
): Promise<Order[]> {
  const rows = await db
    .select()
    .from(orders)
    .where(eq(orders.userId, userId))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
  return completeOrders(db, papers, rows.map(toOrder));
}
