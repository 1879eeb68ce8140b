import { eq, sql } from 'drizzle-orm';
import { orders, products } from '#src/db/schema.ts';
import { type PaymentNeeds, settle } from '#src/payments/settle.ts';
import { closePayment, findOpenPayment, lockOrder, type PaymentRow } from '#src/payments/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Actor } from '#src/platform/http/access.ts';
import { Problem } from '#src/platform/http/problem.ts';

/** An order has one open payment at a time, so a second round finds none; more mean somebody keeps paying. */
const ROUNDS = 5;

/**
 * Cancels a due order: its open payment first, at the provider, then order and stock in one step.
 *
 * The provider is the referee between this and a customer who is paying: either the payment is cancelled and
 * never charged, or it was faster and the order is pending.
 * @throws Problem `not-found` for another's order too, `not-due`, `already-paid`, `payment-processing`
 * @throws ProviderFailure; the order is then as it was
 */
export async function cancelOrder(needs: PaymentNeeds, actor: Actor, orderId: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const open = await cancelUnlessPayable(needs, actor, orderId);
    if (!open) return;
    await closeAtProvider(needs, open);
  }
  throw new Problem('unavailable', { retryAfterSeconds: 2 });
}

/** Null when the order is cancelled now; the open payment that is in the way otherwise. */
function cancelUnlessPayable({ changes, clock }: PaymentNeeds, actor: Actor, orderId: string) {
  return changes.write(async (tx, changed): Promise<PaymentRow | null> => {
    const unsafeOrder = await lockOrder(tx, orderId);
    const isTheirs = actor.role === 'admin' || unsafeOrder?.userId === actor.userId;
    if (!unsafeOrder || !isTheirs || unsafeOrder.cancelledAt) throw new Problem('not-found');
    if (unsafeOrder.status !== 'due') throw new Problem('not-due');
    const open = await findOpenPayment(tx, orderId);
    if (open) return open;
    await giveStockBack(tx, unsafeOrder, clock.now());
    changed('products');
    return null;
  });
}

async function giveStockBack(tx: Executor, order: typeof orders.$inferSelect, now: Date): Promise<void> {
  await tx.update(orders).set({ cancelledAt: now, updatedAt: now }).where(eq(orders.id, order.id));
  // Also when the product was deleted meanwhile: its stock stays right.
  await tx
    .update(products)
    .set({ quantity: sql`${products.quantity} + ${order.quantity}`, updatedAt: now })
    .where(eq(products.id, order.productId));
}

/** @throws Problem `already-paid`, `payment-processing` when the customer was faster */
async function closeAtProvider(needs: PaymentNeeds, open: PaymentRow): Promise<void> {
  const { database, payments, clock } = needs;
  const found = await payments.findPayment(open.id);
  if (!found) {
    await database.db.transaction((tx) => closePayment(tx, open, clock.now(), 'unknown to the provider'));
    return;
  }
  // A payment on its way is not stopped: the contract answers 409, though the provider might still take it back.
  const payment =
    found.status === 'processing' || found.status === 'succeeded'
      ? found
      : await payments.cancelPayment(open.id);
  if (payment.status === 'processing') throw new Problem('payment-processing');
  if ((await settle(needs, payment)) !== 'canceled') throw new Problem('already-paid');
}
