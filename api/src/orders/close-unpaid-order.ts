import { orderMoves } from '@parts-forge/contract/orders/order-states';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { markClosed } from './move-order.ts';
import type { OrderPayments } from './order-payments.ts';
import { type Changed, returnPieces } from './return-pieces.ts';
import { lockOrder, type OrderRow } from './store.ts';

/** Each further round means that the customer keeps paying. */
const MAX_ROUNDS = 5;

interface Closing {
  /** Null for the job. */
  by: Pick<Actor, 'confirm'> | null;
  move: 'cancel' | 'expire';
  /** Throws if the locked order must stay open. */
  check(found: OrderRow | null): OrderRow;
  alsoWrite?(tx: Executor, changed: Changed, order: OrderRow, now: Date): Promise<void>;
}

/**
 * If the customer pays concurrently, the provider decides.
 * @throws Problem `already-paid`, `payment-processing`, and those of `check` and of `Actor.confirm`
 * @throws ProviderError; the order is unchanged
 */
export async function closeUnpaidOrder(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  payments: Pick<OrderPayments, 'hasOpen' | 'closeOpen'>,
  orderId: string,
  { by, move, check, alsoWrite }: Closing,
): Promise<void> {
  const closeUnlessPayable = () =>
    changes.write(async (tx, changed) => {
      await by?.confirm(tx);
      const order = check(await lockOrder(tx, orderId));
      if (await payments.hasOpen(tx, orderId)) return false;
      const now = clock.now();
      const closed = orderMoves[move].closes;
      await markClosed(tx, order.id, move, now);
      await returnPieces(tx, changed, order, now);
      await writeEntry(tx, {
        id: ids.next(),
        now,
        event: closed,
        orderId: order.id,
        productId: order.productId,
        stockChange: order.quantity,
        before: { status: order.status },
        after: { closed },
      });
      await alsoWrite?.(tx, changed, order, now);
      return true;
    });
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (await closeUnlessPayable()) return;
    await payments.closeOpen(orderId);
  }
  throw new Problem('unavailable', { retryAfterSeconds: 2 });
}
