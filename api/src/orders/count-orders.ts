import { type OrderClosing, type OrderStatus, orderMoves } from '@parts-forge/contract/order-states';
import { and, count, eq, isNotNull, max, not, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { givenBackCents } from './given-back.ts';
import { orders } from './schema.ts';
import { isNotClosed } from './store.ts';

/**
 * How many orders of the customer wait for their payment; what was placed together counts as one. Waits for those that
 * are being placed, and until the transaction ends none is placed, as placing counts in the same way.
 */
export async function countUnpaidOrders(db: Executor, userId: string): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(sql`select count_unpaid_orders(${userId}) as count`);
  return Number(rows[0]?.count);
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

/** The pieces of a part that unpaid orders hold. It reads the unpaid orders alone, which are held for days at most. */
export async function sumHeldPieces(db: Executor, productId: string): Promise<number> {
  const [row] = await db
    .select({ pieces: sumUp(orders.quantity) })
    .from(orders)
    .where(and(eq(orders.productId, productId), eq(orders.status, orderMoves.pay.from), isNotClosed));
  return row?.pieces ?? 0;
}

const waitsForAcceptance = and(eq(orders.status, orderMoves.accept.from), isNotClosed);

/** How many orders wait for acceptance and cannot be accepted, as the customer's bank questions their payment. */
export async function countDisputedPending(db: Executor): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(orders)
    .where(and(waitsForAcceptance, orders.disputed));
  return row?.count ?? 0;
}

/** When the oldest order whose payment can be accepted was placed; null for none. */
export async function findOldestPending(db: Executor): Promise<Date | null> {
  const [row] = await db
    .select({ createdAt: orders.createdAt })
    .from(orders)
    .where(and(waitsForAcceptance, not(orders.disputed)))
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
        refundedCents: sumUp(givenBackCents),
        newestAt: max(orders.createdAt),
      })
      .from(orders)
      .where(and(isOfCustomer, isNotClosed)),
    db
      .select({ refundedCents: sumUp(givenBackCents) })
      .from(orders)
      .where(and(isOfCustomer, isNotNull(orders.closedAt))),
  ]);
  if (!standing || !ended) throw new Error('A sum gave no row.');
  return { ...standing, refundedCents: standing.refundedCents + ended.refundedCents };
}

const sumUp = (column: typeof orders.quantity | typeof orders.totalCents | typeof givenBackCents) =>
  sql`coalesce(sum(${column}), 0)`.mapWith(Number);
