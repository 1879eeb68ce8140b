import { type OrderClosing, type OrderStatus, orderMoves } from '@parts-forge/contract/orders/order-states';
import { type AnyColumn, and, asc, count, eq, isNotNull, max, not, type SQL, sql } from 'drizzle-orm';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { isToSend, orders } from './schema.ts';
import { isNotClosed } from './store.ts';

/**
 * A batch counts as one. The function locks the customer until the transaction ends, then counts in a
 * statement of its own. A count inside the statement that places orders sees the database as of its start:
 * two concurrent orders would both see 49 of 50. A counter in the user's row would have to follow every
 * payment, cancellation and expiry.
 */
export async function countUnpaidOrders(db: Executor, userId: string): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(sql`select count_unpaid_orders(${userId}) as count`);
  return Number(rows[0]?.count);
}

export async function countOrders(
  db: Drizzle,
  filter?: SQL,
): Promise<Record<OrderStatus | OrderClosing, number>> {
  const standing = db
    .select({ state: orders.status, count: count() })
    .from(orders)
    .where(and(isNotClosed, filter))
    .groupBy(orders.status);
  const ended = db
    .select({ state: sql<OrderClosing>`${orders.closed}`, count: count() })
    .from(orders)
    .where(and(isNotNull(orders.closedAt), filter))
    .groupBy(orders.closed);
  const none = { due: 0, pending: 0, paid: 0, cancelled: 0, expired: 0, refunded: 0 };
  const rows = (await Promise.all([standing, ended])).flat();
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

export const countToSend = (db: Executor, filter?: SQL): Promise<number> =>
  db.$count(orders, and(isToSend(orders), filter));

/** Open orders by status; refunds of closed ones included. */
export async function sumPaidOrders(db: Drizzle) {
  const inStatus = async (status: OrderStatus) => {
    const [row] = await db
      .select({ count: count(), cents: sumUp(orders.totalCents) })
      .from(orders)
      .where(and(eq(orders.status, status), isNotClosed));
    return row ?? { count: 0, cents: 0 };
  };
  const [pending, paid, [refunded]] = await Promise.all([
    inStatus('pending'),
    inStatus('paid'),
    db
      .select({
        count: sql`count(*) filter (where ${orders.settledCents} > 0)`.mapWith(Number),
        cents: sumUp(orders.settledCents),
      })
      .from(orders)
      .where(isNotNull(orders.refundState)),
  ]);
  return { pending, paid, refunded: refunded ?? { count: 0, cents: 0 } };
}

const isUnpaid = and(eq(orders.status, orderMoves.pay.from), isNotClosed);

/** Of one part, or of all. */
export async function sumUnpaidOrders(
  db: Executor,
  productId?: string,
): Promise<{ count: number; pieces: number; cents: number }> {
  const [row] = await db
    .select({
      count: count(),
      pieces: sumUp(orders.quantity),
      cents: sumUp(orders.totalCents),
    })
    .from(orders)
    .where(and(productId ? eq(orders.productId, productId) : undefined, isUnpaid));
  return row ?? { count: 0, pieces: 0, cents: 0 };
}

const returnedCents = sql<number>`${orders.totalCents} - ${orders.refundCents}
  - ${orders.unassignedCents}`.mapWith(Number);
const hasReturned = sql`${orders.closed} = 'refunded' and ${orders.refundCents} < ${orders.totalCents}
  and ${returnedCents} > 0 and ${orders.disputed} = ${orders.inquiry}`;

/** Orders that closed as refunded and whose money came back since, oldest first. */
export function findReturned(db: Executor, limit: number) {
  const { id, number } = orders;
  return db
    .select({ id, number, returnedCents })
    .from(orders)
    .where(hasReturned)
    .orderBy(asc(number))
    .limit(limit);
}

export async function sumReturned(db: Executor): Promise<number> {
  const [row] = await db
    .select({ cents: sumUp(returnedCents) })
    .from(orders)
    .where(hasReturned);
  return row?.cents ?? 0;
}

const waitsForAcceptance = and(eq(orders.status, orderMoves.accept.from), isNotClosed);

export const countDisputed = (db: Executor): Promise<number> => db.$count(orders, eq(orders.disputed, true));

export const countDisputedPending = (db: Executor): Promise<number> =>
  db.$count(orders, and(waitsForAcceptance, orders.disputed));

export async function findOldestPending(db: Executor): Promise<Date | null> {
  const [row] = await db
    .select({ createdAt: orders.createdAt })
    .from(orders)
    .where(and(waitsForAcceptance, not(orders.disputed)))
    .orderBy(orders.createdAt, orders.id)
    .limit(1);
  return row?.createdAt ?? null;
}

/** Sums open orders; `refundedCents` counts closed ones, too. */
export async function sumCustomerOrders(db: Drizzle, userId: string) {
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
        refundedCents: sumUp(orders.settledCents),
        newestAt: max(orders.createdAt),
      })
      .from(orders)
      .where(and(isOfCustomer, isNotClosed)),
    db
      .select({ refundedCents: sumUp(orders.settledCents) })
      .from(orders)
      .where(and(isOfCustomer, isNotNull(orders.closedAt))),
  ]);
  if (!standing || !ended) throw new Error('A sum gave no row.');
  return { ...standing, refundedCents: standing.refundedCents + ended.refundedCents };
}

const sumUp = (column: AnyColumn | SQL) => sql`coalesce(sum(${column}), 0)`.mapWith(Number);
