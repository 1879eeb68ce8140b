import { type OrderMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders } from './schema.ts';
import { isNotClosed, type OrderRow } from './store.ts';

/** The caller holds the lock and has checked the order. */
export async function markPaid(tx: Executor, id: string, transactionId: string, now: Date): Promise<void> {
  const { from, to } = orderMoves.pay;
  await tx
    .update(orders)
    .set({ status: to, transactionId, updatedAt: now })
    .where(and(eq(orders.id, id), eq(orders.status, from)));
}

/** False when the order is no longer pending, or its payment, refunds or dispute differ from `order`. */
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

export type ClosingMove = {
  [Move in OrderMove]: (typeof orderMoves)[Move] extends { closes: string } ? Move : never;
}[OrderMove];

/** The caller holds the lock and returns the stock. */
export async function markClosed(tx: Executor, id: string, move: ClosingMove, now: Date): Promise<void> {
  const { closes } = orderMoves[move];
  await tx.update(orders).set({ closed: closes, closedAt: now, updatedAt: now }).where(eq(orders.id, id));
}

/** Stays within the statement timeout. */
const HELD_AT_ONCE = 2_000;

/** For orders from before an upgrade; null clears every expiry. Idempotent. */
export async function holdUnpaidOrders(db: Executor, until: Date | null): Promise<void> {
  const isToChange = and(
    eq(orders.status, orderMoves.expire.from),
    isNotClosed,
    until ? isNull(orders.heldUntil) : isNotNull(orders.heldUntil),
  );
  for (;;) {
    const some = await db.select({ id: orders.id }).from(orders).where(isToChange).limit(HELD_AT_ONCE);
    if (some.length === 0) return;
    const ids = some.map(({ id }) => id);
    await db
      .update(orders)
      .set({ heldUntil: until })
      .where(and(inArray(orders.id, ids), isToChange));
  }
}
