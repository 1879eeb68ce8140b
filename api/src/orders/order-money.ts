import type { RefundState } from '@parts-forge/contract/orders/order-states';
import { and, eq } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders } from './schema.ts';

export interface OrderMoney {
  /** Refunded, pending or failed; at most the order's total. */
  refundCents: number;
  /** Refunded at the provider without naming an order. Each order of the payment has the whole amount. */
  unassignedCents: number;
  /** Null exactly when both are 0. */
  refundState: RefundState | null;
  failedCents: number;
  /** Refunded or lost for good, its share of unassigned money included; its notes sum to it. */
  settledCents: number;
  /** The part of `settledCents` lost in disputes: with earlier refunds it may exceed the total. */
  lostCents: number;
  disputed: boolean;
  /** The bank only asks about the disputed payment; it has taken no money. */
  inquiry: boolean;
}

/**
 * Counts the cents that came back after an order closed as refunded, to be refunded again. 0 while its money
 * is away in an undecided dispute. Money that the provider refunded without naming an order is with the customer.
 */
export const countReturned = (order: ReturnedFacts): number =>
  order.closed === 'refunded' && order.disputed === order.inquiry
    ? Math.max(0, order.totalCents - order.refundCents - order.unassignedCents)
    : 0;
type ReturnedFacts = Pick<
  typeof orders.$inferSelect,
  'closed' | 'totalCents' | 'refundCents' | 'unassignedCents' | 'disputed' | 'inquiry'
>;

/** The caller holds the lock. */
export async function writeOrderMoney(
  tx: Executor,
  id: string,
  money: Partial<
    OrderMoney & Pick<typeof orders.$inferSelect, 'refundedPieces' | 'backPieces' | 'unsurePieces'>
  >,
  now: Date,
): Promise<void> {
  await tx
    .update(orders)
    .set({ ...money, updatedAt: now })
    .where(eq(orders.id, id));
}

/** Does nothing if `attempt` is outdated. */
export async function raisePayAttempt(db: Executor, id: string, attempt: number): Promise<void> {
  await db
    .update(orders)
    .set({ payAttempt: attempt + 1 })
    .where(and(eq(orders.id, id), eq(orders.payAttempt, attempt)));
}
