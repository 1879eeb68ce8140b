import { toAmount } from '@parts-forge/contract/money';
import { orderMoves } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orderKeys, orders } from './schema.ts';

export type OrderRow = typeof orders.$inferSelect;

/** In a statement: the order stands, it was neither cancelled nor refunded and has not expired. */
export const isNotClosed = isNull(orders.closedAt);

/** An order as its row alone tells it. */
export type BareOrder = Omit<Order, 'partNumber'>;

/** A row as the wire shows it, but for the number of its part. */
export function toOrder(row: OrderRow): BareOrder {
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

const toRefund = ({ refundState, refundCents, unassignedCents }: OrderRow) =>
  refundState !== null && {
    refund: {
      amount: toAmount(refundCents + unassignedCents),
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

/** Keys in one statement: a shop that begins to forget has many. */
const KEYS_AT_A_TIME = 10_000;

/** Forgets the keys of orders from before a moment. Harmless to repeat. */
export async function forgetOrderKeys(db: Executor, before: Date): Promise<void> {
  const { userId, key, createdAt } = orderKeys;
  const some = db.select({ userId, key }).from(orderKeys).where(lt(createdAt, before)).limit(KEYS_AT_A_TIME);
  let forgotten: number;
  do {
    const { rowCount } = await db.delete(orderKeys).where(sql`(${userId}, ${key}) in (${some})`);
    forgotten = rowCount ?? 0;
  } while (forgotten === KEYS_AT_A_TIME);
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

/** The orders that were placed together with this one, itself among them, closed ones too, in the order of their lines. */
export function findBatch(db: Executor, id: string): Promise<OrderRow[]> {
  const batch = db.select({ batch: orders.batch }).from(orders).where(eq(orders.id, id));
  return db.select().from(orders).where(eq(orders.batch, batch)).orderBy(orders.id);
}

/** What was paid by the same payment as the order, itself too, in the order of the ids; nothing while it is unpaid. */
export function findPaidTogether(db: Executor, id: string): Promise<OrderRow[]> {
  const payment = db.select({ id: orders.transactionId }).from(orders).where(eq(orders.id, id));
  return db.select().from(orders).where(eq(orders.transactionId, payment)).orderBy(orders.id);
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
