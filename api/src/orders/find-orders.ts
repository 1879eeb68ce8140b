import { type OrderStatus, orderMoves } from '@parts-forge/contract/order-states';
import type { ClosedFilter, Order } from '@parts-forge/contract/orders';
import { and, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import {
  findPage,
  newestFirst,
  type Page,
  type PageRequest,
  readSearchWords,
} from '#src/platform/database/find-page.ts';
import { findPartId } from '#src/products/store.ts';
import { findOrdersSince, happenedSince } from '#src/trail/store.ts';
import { addPartNumbers } from './add-part-numbers.ts';
import { countUnassigned } from './given-back.ts';
import { readPaperNumber, readSearchText, type SearchText } from './read-search-text.ts';
import { orders } from './schema.ts';
import { searchOrders } from './search-orders.ts';
import { type BareOrder, isNotClosed, type OrderRow, toOrder } from './store.ts';

/** What `?closed=` means for a list: without it orders that stand, with it those that ended, in that way or in any. */
function matchesClosed(closed: ClosedFilter) {
  if (closed === undefined) return isNotClosed;
  return closed === 'true'
    ? isNotNull(orders.closedAt)
    : and(isNotNull(orders.closedAt), eq(orders.closed, closed));
}

export interface OrderSearch extends PageRequest {
  /** Orders of one account. */
  userId?: string | undefined;
  /** Orders that were placed under an address, also by accounts that are gone. */
  email?: string | undefined;
  status?: OrderStatus | undefined;
  /** Orders that ended so, in place of those that stand. */
  closed?: ClosedFilter;
  /** Accepted at this moment or later. */
  acceptedSince?: string | undefined;
  /** What was placed together. */
  batch?: string | undefined;
  /** A whole id, payment or number (of the order, part or invoice), or words of part, name, email, reference, address or phone; empty means all. */
  q?: string | undefined;
}

/**
 * One page of the orders that stand, or of those that ended, newest first.
 * @throws Problem `invalid` for a cursor that no answer gave out
 */
export const findOrders = (db: Drizzle, search: OrderSearch): Promise<Page<Order>> =>
  findShown(db, search, toOrder);

/** An order with what of its money counts as given back, in cents. */
export interface BookedOrder extends Order {
  givenBackCents: number;
  /** Of its payment, where nobody has said of which of its orders: with the payment's first order alone. */
  unassignedCents: number;
}

/** The same for the books: each amount that was given back is there once. */
export async function findBookedOrders(db: Drizzle, search: OrderSearch): Promise<Page<BookedOrder>> {
  const page = await findShown(db, search, (row) => ({
    ...toOrder(row),
    givenBackCents: row.refundCents - row.failedCents,
    unassignedCents: row.unassignedCents,
  }));
  const unassigned = page.rows.filter(({ unassignedCents }) => unassignedCents > 0);
  const counted = await countUnassigned(
    db,
    unassigned.map(({ _id }) => _id),
  );
  return { ...page, rows: page.rows.map((row) => ({ ...row, unassignedCents: counted.get(row._id) ?? 0 })) };
}

async function findShown<Shown extends BareOrder>(
  db: Drizzle,
  { userId, email, status, closed, acceptedSince, batch, q, ...request }: OrderSearch,
  toShown: (row: OrderRow) => Shown,
): Promise<Page<Shown & Pick<Order, 'partNumber'>>> {
  const filter = and(
    matchesClosed(closed),
    userId ? eq(orders.userId, userId) : undefined,
    email ? sql`lower(${orders.email}) = lower(${email})` : undefined,
    status ? eq(orders.status, status) : undefined,
    acceptedSince ? await matchesAccepted(db, new Date(acceptedSince), { status, closed }) : undefined,
    batch ? eq(orders.batch, batch) : undefined,
  );
  const asked = q ? await readSearch(db, q) : null;
  const page =
    asked?.kind === 'words'
      ? await searchOrders(db, asked, filter, request, toShown)
      : await findPage(db, orders, request, newestFirst(orders), and(filter, asked?.matches), toShown);
  return { ...page, rows: await addPartNumbers(db, page.rows) };
}

async function readSearch(db: Executor, q: string): Promise<SearchText> {
  const words = await readSearchWords(db, q);
  const [partId, orderId] = await Promise.all([findPartId(db, q), findInvoicedOrder(db, words)]);
  return readSearchText(q, words, { partId, orderId });
}

/** Accepted orders that are looked up by their ids. */
const MOST_ACCEPTED = 10_000;

/**
 * Orders that were accepted at a moment or later: a few by their ids, so that not all that were ever accepted are walked
 * through for them; many as they come. One that was accepted has its last status and stays open, so nothing is read for
 * a list that asks for others.
 */
async function matchesAccepted(
  db: Executor,
  since: Date,
  { status, closed }: Pick<OrderSearch, 'status' | 'closed'>,
): Promise<SQL | undefined> {
  const accepted = orderMoves.accept.to;
  if (closed !== undefined || (status ?? accepted) !== accepted) return sql`false`;
  const ids = await findOrdersSince(db, 'accepted', since, MOST_ACCEPTED + 1);
  if (ids.length > MOST_ACCEPTED) {
    return and(eq(orders.status, accepted), happenedSince(orders.id, 'accepted', since));
  }
  return sql`${orders.id} = any(${sql.param(ids)}::uuid[])`;
}

/** The id of the order with this number, of one that ended, too; null where there is none. */
export async function findOrderId(db: Executor, number: number): Promise<string | null> {
  const [row] = await db.select({ id: orders.id }).from(orders).where(eq(orders.number, number));
  return row?.id ?? null;
}

/**
 * The id of the order whose invoice or credit note these words are the number of; null where there is none. The module of
 * invoices imports this one, so that their table is named here.
 */
export async function findInvoicedOrder(db: Executor, words: readonly string[]): Promise<string | null> {
  const paper = readPaperNumber(words);
  if (paper === null) return null;
  const { rows } = await db.execute<{ id: string }>(sql`select order_id as id from invoices
    where series = ${paper.series} and year = ${paper.year} and sequence = ${paper.sequence}`);
  return rows[0]?.id ?? null;
}

/** The numbers of these orders by id, of those that ended, too; null names none. */
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

/** Up to `limit` of what a customer has ordered, closed orders too, the newest first. */
export async function findAllOrders(db: Executor, userId: string, limit: number): Promise<Order[]> {
  const rows = await db
    .select()
    .from(orders)
    .where(eq(orders.userId, userId))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
  return addPartNumbers(db, rows.map(toOrder));
}
