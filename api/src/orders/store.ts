import { toAmount, toUnitAmount } from '@parts-forge/contract/money/money';
import { netPiece } from '@parts-forge/contract/money/pricing';
import { orderMoves } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { and, asc, eq, inArray, isNull, lt, lte, not, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { countReturned } from './order-money.ts';
import { orderKeys, orders } from './schema.ts';

export type OrderRow = typeof orders.$inferSelect;

export const isNotClosed = isNull(orders.closedAt);

/** `completeOrders` adds the rest. */
export type BareOrder = Omit<Order, 'partNumber' | 'shipments' | 'papers' | 'purchase'>;

export function toOrder(row: OrderRow): BareOrder {
  return {
    _id: row.id,
    productId: row.productId,
    productName: row.productName,
    image: row.image,
    name: row.name,
    ...(row.facts?.company && { company: row.facts.company }),
    email: row.email,
    address: row.address,
    phone: row.phone,
    number: row.number,
    quantity: row.quantity,
    price: toUnitAmount(netPiece(row.priceCents, row.untaxedRate)),
    totalPrice: toAmount(row.totalCents),
    status: row.status,
    ...(row.untaxedRate > 0 && { withoutTax: true as const }),
    ...(row.batch !== null && { batch: row.batch }),
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.transactionId !== null && { transactionId: row.transactionId }),
    ...(row.heldUntil !== null && isUnpaid(row) && { heldUntil: row.heldUntil.toISOString() }),
    ...toRefund(row),
    ...(row.disputed && { disputed: true as const }),
    ...(row.inquiry && { inquiry: true as const }),
    ...(countReturned(row) > 0 && { returned: toAmount(countReturned(row)) }),
    ...(row.sentPieces > 0 && { sent: row.sentPieces }),
    ...(row.closed !== null && { closed: row.closed }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const hasPartsLeft = ({ closed, refundCents, totalCents, refundedPieces }: OrderRow): boolean =>
  closed === null && refundCents < totalCents && refundedPieces > 0;

const toRefund = (row: OrderRow) =>
  row.refundState !== null && {
    refund: {
      amount: toAmount(Math.max(row.refundCents + row.unassignedCents, row.settledCents)),
      state: row.refundState,
      ...(row.unassignedCents > 0 && { unassigned: toAmount(row.unassignedCents) }),
      ...(hasPartsLeft(row) && { quantity: row.refundedPieces }),
      ...(hasPartsLeft(row) && row.backPieces > 0 && { back: row.backPieces }),
      ...(hasPartsLeft(row) && row.unsurePieces > 0 && { unsure: row.unsurePieces }),
      ...(row.failedCents < row.refundCents && row.failedCents > 0 && { failed: toAmount(row.failedCents) }),
      ...(row.settledCents > 0 && { settled: toAmount(row.settledCents) }),
      ...(row.lostCents > 0 && { lost: toAmount(row.lostCents) }),
    },
  };

export const isUnpaid = ({ status, closedAt }: Pick<OrderRow, 'status' | 'closedAt'>): boolean =>
  closedAt === null && status === orderMoves.pay.from;

/** Erases the person from closed orders that were never paid; no law asks to keep it there. @param wasPaid of an order */
export async function eraseUnpaidOrders(tx: Executor, userId: string, wasPaid: SQL): Promise<void> {
  const erased = { name: 'Former customer', email: `${userId}@erased.invalid`, address: '', phone: '' };
  await tx
    .update(orders)
    .set({ ...erased, reference: null, facts: null })
    .where(and(eq(orders.userId, userId), eq(orders.status, 'due'), not(isNotClosed), not(wasPaid)));
}

export async function findIdempotencyKey(db: Executor, userId: string, key: string) {
  const [row] = await db
    .select({ bodyHash: orderKeys.bodyHash, orderId: orderKeys.orderId })
    .from(orderKeys)
    .where(and(eq(orderKeys.userId, userId), eq(orderKeys.key, key)));
  return row ?? null;
}

const KEYS_AT_A_TIME = 10_000;

export async function forgetOrderKeys(db: Executor, before: Date): Promise<void> {
  const { userId, key, createdAt } = orderKeys;
  const some = db.select({ userId, key }).from(orderKeys).where(lt(createdAt, before)).limit(KEYS_AT_A_TIME);
  let forgotten: number;
  do {
    const { rowCount } = await db.delete(orderKeys).where(sql`(${userId}, ${key}) in (${some})`);
    forgotten = rowCount ?? 0;
  } while (forgotten === KEYS_AT_A_TIME);
}

export async function findOrderEvenClosed(db: Executor, id: string): Promise<OrderRow | null> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id));
  return row ?? null;
}

/** Includes closed orders. Lock an order before its payments. */
export async function lockOrder(tx: Executor, id: string): Promise<OrderRow | null> {
  const [row] = await tx.select().from(orders).where(eq(orders.id, id)).for('update');
  return row ?? null;
}

export function findOrdersEvenClosed(db: Executor, ids: readonly string[]): Promise<OrderRow[]> {
  return db
    .select()
    .from(orders)
    .where(inArray(orders.id, [...ids]))
    .orderBy(asc(orders.id));
}

/** One call for all: it locks by id, which prevents deadlocks. */
export function lockOrders(tx: Executor, ids: readonly string[]): Promise<OrderRow[]> {
  return tx
    .select()
    .from(orders)
    .where(inArray(orders.id, [...ids]))
    .orderBy(asc(orders.id))
    .for('update');
}

/** Finds closed orders, too. */
export function findBatch(db: Executor, id: string): Promise<OrderRow[]> {
  const batch = db.select({ batch: orders.batch }).from(orders).where(eq(orders.id, id));
  return db.select().from(orders).where(eq(orders.batch, batch)).orderBy(orders.id);
}

/** By id; none while unpaid. */
export function findPaidTogether(db: Executor, id: string): Promise<OrderRow[]> {
  const payment = db.select({ id: orders.transactionId }).from(orders).where(eq(orders.id, id));
  return db.select().from(orders).where(eq(orders.transactionId, payment)).orderBy(orders.id);
}

/** Two are already ambiguous. */
export function findPayableOrders(db: Executor, userId: string, totalCents: number): Promise<OrderRow[]> {
  const matches = and(
    eq(orders.userId, userId),
    eq(orders.totalCents, totalCents),
    eq(orders.status, orderMoves.pay.from),
    isNotClosed,
  );
  return db.select().from(orders).where(matches).limit(2);
}

/** Returns the longest overdue first. */
export async function findExpiredOrders(db: Executor, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.status, orderMoves.expire.from), isNotClosed, lte(orders.heldUntil, now)))
    .orderBy(orders.heldUntil)
    .limit(limit);
  return rows.map(({ id }) => id);
}

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

/** Returns the given parts that somebody has ordered. */
export async function findBought(db: Executor, productIds: readonly string[]): Promise<Set<string>> {
  if (productIds.length === 0) return new Set();
  const { productId } = orders;
  const query = db
    .selectDistinct({ productId })
    .from(orders)
    .where(inArray(productId, [...productIds]));
  return new Set((await query).map((row) => row.productId));
}

/** Only open orders count. */
export async function hasOrdered(db: Executor, userId: string, productId: string): Promise<boolean> {
  const isTheirs = and(eq(orders.productId, productId), eq(orders.userId, userId), isNotClosed);
  return (await db.$count(orders, isTheirs)) > 0;
}
