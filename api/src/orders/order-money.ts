import type { RefundState } from '@parts-forge/contract/order-states';
import { and, eq } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders } from './schema.ts';

/** What has become of the money of an order that was paid for. */
export interface OrderMoney {
  /** Given back or being given back, or refused to be; at most the order's total. */
  refundCents: number;
  /**
   * Given back of a payment of several orders, at the provider, where nobody has said of which: the same in all of them,
   * and it may be more than this order's total. Or what somebody wanted to give back there and could not, of one order too.
   */
  unassignedCents: number;
  /** Null exactly when both are 0. */
  refundState: RefundState | null;
  /** What of `refundCents` could not be given back so far. */
  failedCents: number;
  disputed: boolean;
}

/** The caller holds the order's lock. */
export async function writeOrderMoney(tx: Executor, id: string, money: OrderMoney, now: Date): Promise<void> {
  await tx
    .update(orders)
    .set({ ...money, updatedAt: now })
    .where(eq(orders.id, id));
}

/** The next payment of the order is a new attempt, unless somebody has moved on from this one already. */
export async function raisePayAttempt(db: Executor, id: string, attempt: number): Promise<void> {
  await db
    .update(orders)
    .set({ payAttempt: attempt + 1 })
    .where(and(eq(orders.id, id), eq(orders.payAttempt, attempt)));
}
