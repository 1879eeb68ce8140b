import { toAmount } from '@parts-forge/contract/money';
import {
  type OrderClosing,
  type OrderMove,
  type OrderStatus,
  orderMoves,
  type RefundState,
} from '@parts-forge/contract/order-states';
import type { ClosedFilter, Order } from '@parts-forge/contract/orders';

import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  sql,
} from 'drizzle-orm';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { findPage, newestFirst, type Page, type PageRequest } from '#src/platform/database/find-page.ts';
import { readSearchText } from './read-search-text.ts';

import { orderKeys, orders } from './schema.ts';
import { searchOrders } from './search-orders.ts';

export type OrderRow = typeof orders.$inferSelect;

/** A row as the wire shows it. */
export function toOrder(row: OrderRow): Order {
  return {
    _id: row.id,
    productId: row.productId,
    productName: row.productName,
    image: row.image,
    name: row.name,
    email: row.email,
    address: row.address,
    phone: row.phone,
    number: row.number,
    quantity: row.quantity,
    price: toAmount(row.priceCents),
    totalPrice: toAmount(row.totalCents),
    status: row.status,
    ...(row.batch !== null && { batch: row.batch }),
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.transactionId !== null && { transactionId: row.transactionId }),
    ...(row.heldUntil !== null && isUnpaid(row) && { heldUntil: row.heldUntil.toISOString() }),
    ...toRefund(row),
    ...(row.disputed && { disputed: true as const }),
    ...(row.closed !== null && { closed: row.closed }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const toRefund = ({ refundState, refundCents, unassignedCents, totalCents }: OrderRow) =>
  refundState !== null && {
    refund: {
      amount: toAmount(Math.min(totalCents, refundCents + unassignedCents)),
      state: refundState,
      ...(unassignedCents > 0 && { unassigned: toAmount(unassignedCents) }),
    },
  };

/** The order stands and waits for its payment. */
export const isUnpaid = ({ status, closedAt }: Pick<OrderRow, 'status' | 'closedAt'>): boolean =>
  closedAt === null && status === orderMoves.pay.from;

/** What an idempotency key of this customer was used for; null when it was not. */
export async function findIdempotencyKey(db: Executor, userId: string, key: string) {
  const [row] = await db
    .select({ bodyHash: orderKeys.bodyHash, orderId: orderKeys.orderId })
    .from(orderKeys)
    .where(and(eq(orderKeys.userId, userId), eq(orderKeys.key, key)));
  return row ?? null;
}

const isNotClosed = isNull(orders.closedAt);

/** What `?closed=` means for a list: without it orders that stand, with it those that ended, in that way or in any. */
function matchesClosed(closed: ClosedFilter) {
  if (closed === undefined) return isNotClosed;
  return closed === 'true'
    ? isNotNull(orders.closedAt)
    : and(isNotNull(orders.closedAt), eq(orders.closed, closed));
}

/** The order, whosever it is; null when there is none or it was closed. Compare its owner before using it. */
export async function findOrder(db: Executor, id: string): Promise<OrderRow | null> {
  const order = await findOrderEvenClosed(db, id);
  return order?.closedAt === null ? order : null;
}

/** The same, closed ones too. */
export async function findOrderEvenClosed(db: Executor, id: string): Promise<OrderRow | null> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id));
  return row ?? null;
}

/**
 * The order, closed ones too, held until the transaction ends. Lock the order before touching its payments,
 * always in this order.
 */
export async function lockOrder(tx: Executor, id: string): Promise<OrderRow | null> {
  const [row] = await tx.select().from(orders).where(eq(orders.id, id)).for('update');
  return row ?? null;
}

/** Several of them, in the order of their ids; those that are not there are left out. */
export function findOrdersEvenClosed(db: Executor, ids: readonly string[]): Promise<OrderRow[]> {
  return db
    .select()
    .from(orders)
    .where(inArray(orders.id, [...ids]))
    .orderBy(asc(orders.id));
}

/**
 * The same, held until the transaction ends. Whoever needs several orders locks them with this one call, which takes
 * them in the order of their ids: two of them never wait for each other.
 */
export function lockOrders(tx: Executor, ids: readonly string[]): Promise<OrderRow[]> {
  return tx
    .select()
    .from(orders)
    .where(inArray(orders.id, [...ids]))
    .orderBy(asc(orders.id))
    .for('update');
}

/**
 * How many orders of the customer wait for their payment; what was placed together counts as one. The function
 * `count_unpaid_orders` of the database counts in the same way, behind a lock.
 */
export async function countUnpaidOrders(db: Executor, userId: string): Promise<number> {
  const [row] = await db
    .select({ count: countDistinct(sql`coalesce(${orders.batch}, ${orders.id})`) })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, orderMoves.pay.from), isNotClosed));
  return row?.count ?? 0;
}

/** The orders that were placed together with this one, itself among them, closed ones too, in the order of their lines. */
export function findBatch(db: Executor, id: string): Promise<OrderRow[]> {
  const batch = db.select({ batch: orders.batch }).from(orders).where(eq(orders.id, id));
  return db.select().from(orders).where(eq(orders.batch, batch)).orderBy(orders.id);
}

/** How many orders stand, by their status, and how many ended, by how. */
export async function countOrders(db: Executor): Promise<Record<OrderStatus | OrderClosing, number>> {
  const standing = db
    .select({ state: orders.status, count: count() })
    .from(orders)
    .where(isNotClosed)
    .groupBy(orders.status);
  const ended = db
    .select({ state: sql<OrderClosing>`${orders.closed}`, count: count() })
    .from(orders)
    .where(isNotNull(orders.closedAt))
    .groupBy(orders.closed);
  const none = { due: 0, pending: 0, paid: 0, cancelled: 0, expired: 0, refunded: 0 };
  const rows = (await Promise.all([standing, ended])).flat();
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** The orders of a customer that wait for exactly this total, at most two: more than one is one too many. */
export function findPayableOrders(db: Executor, userId: string, totalCents: number): Promise<OrderRow[]> {
  const matches = and(
    eq(orders.userId, userId),
    eq(orders.totalCents, totalCents),
    eq(orders.status, orderMoves.pay.from),
    isNotClosed,
  );
  return db.select().from(orders).where(matches).limit(2);
}

/** What unpaid orders come to, summed up from an index alone. */
export async function sumUnpaidOrders(
  db: Executor,
): Promise<{ count: number; pieces: number; cents: number }> {
  const [row] = await db
    .select({
      count: count(),
      pieces: sumUp(orders.quantity),
      cents: sumUp(orders.totalCents),
    })
    .from(orders)
    .where(and(eq(orders.status, orderMoves.pay.from), isNotClosed));
  return row ?? { count: 0, pieces: 0, cents: 0 };
}

/** When the oldest order that waits for acceptance was placed; null for none. */
export async function findOldestPending(db: Executor): Promise<Date | null> {
  const [row] = await db
    .select({ createdAt: orders.createdAt })
    .from(orders)
    .where(and(eq(orders.status, orderMoves.accept.from), isNotClosed))
    .orderBy(orders.createdAt, orders.id)
    .limit(1);
  return row?.createdAt ?? null;
}

/** What a customer's orders come to, in cents. */
export interface CustomerOrders {
  /** How many stand. */
  count: number;
  paidCents: number;
  /** Of those that wait for acceptance. */
  waitingCents: number;
  unpaidCents: number;
  /** Given back of any, ended ones too. */
  refundedCents: number;
  /** When the newest that stands was placed; null for none. */
  newestAt: Date | null;
}

export async function sumCustomerOrders(db: Executor, userId: string): Promise<CustomerOrders> {
  const isOfCustomer = eq(orders.userId, userId);
  const inStatus = (status: OrderStatus) =>
    sql`coalesce(sum(${orders.totalCents}) filter (where ${orders.status} = ${status}), 0)`.mapWith(Number);
  const [[standing], [ended]] = await Promise.all([
    db
      .select({
        count: count(),
        paidCents: inStatus('paid'),
        waitingCents: inStatus('pending'),
        unpaidCents: inStatus('due'),
        refundedCents: sumUp(orders.refundCents),
        newestAt: max(orders.createdAt),
      })
      .from(orders)
      .where(and(isOfCustomer, isNotClosed)),
    db
      .select({ refundedCents: sumUp(orders.refundCents) })
      .from(orders)
      .where(and(isOfCustomer, isNotNull(orders.closedAt))),
  ]);
  if (!standing || !ended) throw new Error('A sum gave no row.');
  return { ...standing, refundedCents: standing.refundedCents + ended.refundedCents };
}

const sumUp = (column: typeof orders.quantity | typeof orders.totalCents | typeof orders.refundCents) =>
  sql`coalesce(sum(${column}), 0)`.mapWith(Number);

/** Those of the users who have paid for an order that stands. */
export async function findPayers(
  db: Executor,
  userIds: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(userIds)].filter((id) => id !== null);
  const { rows } = await db.execute<{ id: string }>(sql`
    select asked.id from unnest(${sql.param(ids)}::uuid[]) as asked (id)
    where exists (select from ${orders} where ${orders.userId} = asked.id and ${orders.status} <> ${orderMoves.pay.from}
      and ${isNotClosed})`);
  return new Set(rows.map(({ id }) => id));
}

/** Whether the customer has an order of the product that stands. */
export async function hasOrdered(db: Executor, userId: string, productId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.productId, productId), eq(orders.userId, userId), isNotClosed))
    .limit(1);
  return row !== undefined;
}

export interface OrderSearch extends PageRequest {
  /** Orders of one account. */
  userId?: string | undefined;
  /** Orders that were placed under an address, also by accounts that are gone. */
  email?: string | undefined;
  status?: OrderStatus | undefined;
  /** Orders that ended so, in place of those that stand. */
  closed?: ClosedFilter;
  /** What was placed together. */
  batch?: string | undefined;
  /** A whole id, payment or number, or words of part, name, email, reference, address or phone; empty means all. */
  q?: string | undefined;
}

/**
 * One page of the orders that stand, or of those that ended, newest first.
 * @throws Problem `invalid` for a cursor that no answer gave out
 */
export function findOrders(
  db: Drizzle,
  { userId, email, status, closed, batch, q, ...request }: OrderSearch,
): Promise<Page<Order>> {
  const filter = and(
    matchesClosed(closed),
    userId ? eq(orders.userId, userId) : undefined,
    email ? sql`lower(${orders.email}) = lower(${email})` : undefined,
    status ? eq(orders.status, status) : undefined,
    batch ? eq(orders.batch, batch) : undefined,
  );
  const asked = q ? readSearchText(q) : null;
  if (asked?.kind === 'words') return searchOrders(db, asked, filter, request, toOrder);
  return findPage(db, orders, request, newestFirst(orders), and(filter, asked?.matches), toOrder);
}

/** The id of the order with this number, of one that ended, too; null where there is none. */
export async function findOrderId(db: Executor, number: number): Promise<string | null> {
  const [row] = await db.select({ id: orders.id }).from(orders).where(eq(orders.number, number));
  return row?.id ?? null;
}

/** The numbers of these orders by id, of those that ended, too; null names none. */
export async function findOrderNumbers(
  db: Executor,
  ids: readonly (string | null)[],
): Promise<Map<string, number>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const rows = await db
    .select({ id: orders.id, number: orders.number })
    .from(orders)
    .where(inArray(orders.id, known));
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Everything that a customer has ordered, closed orders too, the newest first. */
export async function findAllOrders(db: Executor, userId: string): Promise<Order[]> {
  const rows = await db
    .select()
    .from(orders)
    .where(eq(orders.userId, userId))
    .orderBy(desc(orders.createdAt), desc(orders.id));
  return rows.map(toOrder);
}

/** Makes the order pending by this payment. The caller holds the order's lock and has seen that it can be paid. */
export async function markPaid(tx: Executor, id: string, transactionId: string, now: Date): Promise<void> {
  const { from, to } = orderMoves.pay;
  await tx
    .update(orders)
    .set({ status: to, transactionId, updatedAt: now })
    .where(and(eq(orders.id, id), eq(orders.status, from)));
}

/**
 * An administrator's acceptance; false when the order is no longer pending with that payment, or when more of its
 * money was given back or called into question than the administrator has seen.
 */
export async function markAccepted(
  tx: Executor,
  { id, transactionId, refundCents, unassignedCents }: OrderRow & { transactionId: string },
  now: Date,
): Promise<boolean> {
  const { from, to } = orderMoves.accept;
  const isAsSeen = and(
    eq(orders.refundCents, refundCents),
    eq(orders.unassignedCents, unassignedCents),
    eq(orders.disputed, false),
  );
  const rows = await tx
    .update(orders)
    .set({ status: to, updatedAt: now })
    .where(
      and(
        eq(orders.id, id),
        eq(orders.status, from),
        eq(orders.transactionId, transactionId),
        isNotClosed,
        isAsSeen,
      ),
    )
    .returning({ id: orders.id });
  return rows.length > 0;
}

/** A move that ends the order. */
export type ClosingMove = {
  [Move in OrderMove]: (typeof orderMoves)[Move] extends { closes: string } ? Move : never;
}[OrderMove];

/** Ends the order. The caller holds its lock, has seen that it can make the move, and returns the stock. */
export async function markClosed(tx: Executor, id: string, move: ClosingMove, now: Date): Promise<void> {
  const { closes } = orderMoves[move];
  await tx.update(orders).set({ closed: closes, closedAt: now, updatedAt: now }).where(eq(orders.id, id));
}

/** What has become of the money of an order that was paid for. */
export interface OrderMoney {
  /** Given back or being given back, or refused to be; at most the order's total. */
  refundCents: number;
  /**
   * Given back of a payment of several orders, at the provider, where nobody has said of which: the same in all of them.
   * May be more than this order's total.
   */
  unassignedCents: number;
  /** Null exactly when both are 0. */
  refundState: RefundState | null;
  disputed: boolean;
}

/** The caller holds the order's lock. */
export async function writeOrderMoney(tx: Executor, id: string, money: OrderMoney, now: Date): Promise<void> {
  await tx
    .update(orders)
    .set({ ...money, updatedAt: now })
    .where(eq(orders.id, id));
}

/** Unpaid orders whose time is over, the longest first. */
export async function findExpiredOrders(db: Executor, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.status, orderMoves.expire.from), isNotClosed, lte(orders.heldUntil, now)))
    .orderBy(orders.heldUntil)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Gives every unpaid order that has no end one, as after an upgrade; with null it takes all of them away. Harmless to
 * repeat.
 */
export async function holdUnpaidOrders(db: Executor, until: Date | null): Promise<void> {
  await db
    .update(orders)
    .set({ heldUntil: until })
    .where(
      and(
        eq(orders.status, orderMoves.expire.from),
        isNotClosed,
        until ? isNull(orders.heldUntil) : isNotNull(orders.heldUntil),
      ),
    );
}

/** The next payment of the order is a new attempt, unless somebody has moved on from this one already. */
export async function raisePayAttempt(db: Executor, id: string, attempt: number): Promise<void> {
  await db
    .update(orders)
    .set({ payAttempt: attempt + 1 })
    .where(and(eq(orders.id, id), eq(orders.payAttempt, attempt)));
}

/** Every picture that an order has, closed ones included. */
export async function listOrderImages(db: Executor): Promise<string[]> {
  const rows = await db.selectDistinct({ image: orders.image }).from(orders);
  return rows.map(({ image }) => image);
}

/**
 * Gives orders with one picture another, up to `limit` of them; nothing else of them changes. One that is being written
 * is left for the next round.
 * @returns how many it were
 */
export async function replaceOrderImage(
  db: Executor,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const some = db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.image, from))
    .limit(limit)
    .for('update', { skipLocked: true });
  const { rowCount } = await db.update(orders).set({ image: to }).where(inArray(orders.id, some));
  return rowCount ?? 0;
}
