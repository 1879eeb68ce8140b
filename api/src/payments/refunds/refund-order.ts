import { toAmount } from '@parts-forge/contract/money';
import { findRefundMove, orderMoves, type RefundState } from '@parts-forge/contract/order-states';
import { changeMoney, type MoneyChange } from '#src/orders/change-money.ts';
import { findOrderEvenClosed, lockOrders, type OrderRow } from '#src/orders/store.ts';
import { requireRefundAllowed } from '#src/payments/former-payments.ts';
import { refreshMoneyOfOrder } from '#src/payments/order-payments.ts';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import { findShares } from '#src/payments/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import { tryRefund } from './follow-refund.ts';
import { planRefund } from './refund-rules.ts';
import { findPaymentRefunds, insertRefund, type RefundRow } from './refund-store.ts';

/**
 * Reserves the refund of the rest, or of what came back for a closed order, and closes a pending one; then
 * asks the provider, and the job follows.
 * @returns dollars, and the refund's state
 * @throws Problem as the call lists
 * @throws ProviderError before any change, when disputes cannot be read
 */
export async function refundOrder(
  services: PaymentServices,
  administrator: Administrator,
  orderId: string,
  { reason, returnStock }: { reason?: string | undefined; returnStock: boolean },
): Promise<{ amount: number; state: RefundState }> {
  const seen = requireRefundable(await findOrderEvenClosed(services.database.db, orderId));
  // An unknown payment cannot be disputed and must stay refundable.
  await refreshMoneyOfOrder(services, seen.id).catch(ignoreUnknownPayment);
  await requireRefundAllowed(services, seen.transactionId);
  const reserved = await reserve(services, administrator, seen, reason || null, returnStock);
  return { amount: toAmount(reserved.amountCents), state: await tryRefund(services, reserved) };
}

function reserve(
  { changes, clock, ids }: PaymentServices,
  { userId }: Administrator,
  { id: orderId, transactionId: paymentId }: { id: string; transactionId: string },
  reason: string | null,
  returnStock: boolean,
): Promise<RefundRow> {
  return changes.write(async (tx, changed) => {
    const now = clock.now();
    const shares = await findShares(tx, paymentId);
    const orders = await lockOrders(
      tx,
      shares.map(({ orderId }) => orderId),
    );
    const order = requireRefundable(orders.find(({ id }) => id === orderId) ?? null);
    const { disputed, inquiry, move } = order;
    if (disputed && !inquiry) throw new Problem('disputed');
    const refunds = await findPaymentRefunds(tx, paymentId);
    const paid = orders.filter(({ transactionId }) => transactionId === paymentId);
    const plan = planRefund(order, paid, refunds, shares[0]?.paymentCents ?? 0);
    const { amountCents, elsewhereCents, refundCents, unassignedCents } = plan;
    if (amountCents <= 0) throw new Problem('already-refunded');
    const id = ids.next();
    const refund = { id, paymentId, orderId, amountCents, elsewhereCents, reason, requestedBy: userId };
    const row = await insertRefund(tx, refund, now);
    const change: MoneyChange = {
      event: 'refunded',
      money: {
        refundCents: refundCents + amountCents,
        unassignedCents,
        refundState: 'pending',
        failedCents: 0,
        disputed,
        inquiry,
      },
      closes: order.closed === null && 'closes' in orderMoves[move],
      // Those of a closed order are back already.
      returnsStock: returnStock && order.closed === null,
    };
    await changeMoney(tx, changed, { ids }, order, change, now);
    return row;
  });
}

/** @throws Problem `not-found`, `not-refundable` */
function requireRefundable(order: OrderRow | null) {
  if (!order || order.closed === 'cancelled' || order.closed === 'expired') throw new Problem('not-found');
  const { transactionId } = order;
  const move = findRefundMove(order.status);
  if (move === null || transactionId === null) throw new Problem(orderMoves.refund.refusal);
  return { ...order, transactionId, move };
}

function ignoreUnknownPayment(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'unknown-payment') throw error;
}
