import { canMove, orderMoves } from '@parts-forge/contract/order-states';
import { cancelOrder as cancelOrderCall } from '@parts-forge/contract/orders';
import { Problem } from '#src/platform/core/problem.ts';
import { type Actor, requireOwner } from '#src/platform/http/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { returnStock } from '#src/products/store.ts';
import type { OrderPayments } from './order-payments.ts';
import { lockOrder, markCancelled } from './store.ts';

/** An order has one open payment at a time, so a second round finds none; more mean somebody keeps paying. */
const MAX_ROUNDS = 5;

/**
 * Cancels a due order: its open payment first, at the provider, then order and stock in one step.
 *
 * The provider is the referee between this and a customer who is paying: either the payment is cancelled and
 * never charged, or it was faster and the order is pending.
 * @throws Problem `not-found` for another's order too, `not-due`, `already-paid`, `payment-processing`
 * @throws ProviderError; the order is then as it was
 */
export async function cancelOrder(
  platform: Pick<Platform, 'changes' | 'clock'>,
  payments: Pick<OrderPayments, 'hasOpen' | 'closeOpen'>,
  actor: Actor,
  orderId: string,
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (await cancelUnlessPayable(platform, payments, actor, orderId)) return;
    await payments.closeOpen(orderId);
  }
  throw new Problem('unavailable', { retryAfterSeconds: 2 });
}

/** @returns whether the order is cancelled now; otherwise an open payment is in the way */
function cancelUnlessPayable(
  { changes, clock }: Pick<Platform, 'changes' | 'clock'>,
  payments: Pick<OrderPayments, 'hasOpen'>,
  actor: Actor,
  orderId: string,
): Promise<boolean> {
  return changes.write(async (tx, changed) => {
    const unsafeOrder = await lockOrder(tx, orderId);
    if (!unsafeOrder || unsafeOrder.cancelledAt) throw new Problem('not-found');
    requireOwner(cancelOrderCall, actor, unsafeOrder.userId === actor.userId);
    const order = unsafeOrder;
    if (!canMove(order.status, 'cancel')) throw new Problem(orderMoves.cancel.refusal);
    if (await payments.hasOpen(tx, orderId)) return false;
    await markCancelled(tx, order.id, clock.now());
    await returnStock(tx, order.productId, order.quantity, clock.now());
    changed(`product:${order.productId}`, 'products');
    return true;
  });
}
