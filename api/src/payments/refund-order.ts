import { toAmount } from '@parts-forge/contract/money';
import { findRefundMove, orderMoves, type RefundState } from '@parts-forge/contract/order-states';
import { changeMoney, type MoneyChange } from '#src/orders/change-money.ts';
import { findOrderEvenClosed, lockOrder, type OrderRow } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Administrator } from '#src/platform/http/access.ts';
import { followRefund } from './follow-refund.ts';
import { requireRefundAllowed } from './former-payments.ts';
import { refreshMoneyOfOrder } from './order-payments.ts';
import type { PaymentServices } from './payment-services.ts';
import { ProviderError } from './provider.ts';
import { findRefunds, insertRefund, type RefundRow } from './refund-store.ts';

/**
 * Gives back what is left of an order's money. The refund is reserved and a pending order closed in one step; then the
 * provider is asked, and the job follows the refund until the customer has the money.
 * @returns what is given back, in dollars, and how far it is
 * @throws Problem `not-found`, `not-refundable`, `already-refunded`, `disputed`; `payment-refused` in a restored copy
 * @throws ProviderError when nobody knows whether the payment is disputed; nothing has happened then
 */
export async function refundOrder(
  services: PaymentServices,
  administrator: Administrator,
  orderId: string,
  { reason, returnStock }: { reason?: string | undefined; returnStock: boolean },
): Promise<{ amount: number; state: RefundState }> {
  const seen = requireRefundable(await findOrderEvenClosed(services.database.db, orderId));
  // One that the provider does not know can be disputed by nobody, and must not be stuck for that.
  await refreshMoneyOfOrder(services, seen.id).catch(ignoreUnknownPayment);
  await requireRefundAllowed(services, seen.transactionId);
  const reserved = await reserve(services, administrator, seen.id, reason || null, returnStock);
  return { amount: toAmount(reserved.amountCents), state: await follow(services, reserved) };
}

function reserve(
  { changes, clock, ids }: PaymentServices,
  { userId }: Administrator,
  orderId: string,
  reason: string | null,
  returnStock: boolean,
): Promise<RefundRow> {
  return changes.write(async (tx, changed) => {
    const now = clock.now();
    const order = requireRefundable(await lockOrder(tx, orderId));
    const { transactionId: paymentId, totalCents, disputed, move } = order;
    if (disputed) throw new Problem('disputed');
    if ((await findRefunds(tx, orderId)).some((refund) => refund.paymentId === paymentId)) {
      throw new Problem('already-refunded');
    }
    const amountCents = totalCents - (order.refundState === 'failed' ? 0 : order.refundCents);
    if (amountCents <= 0) throw new Problem('already-refunded');
    const refund = { id: ids.next(), paymentId, orderId, amountCents, reason, requestedBy: userId };
    const row = await insertRefund(tx, refund, now);
    const change: MoneyChange = {
      event: 'refunded',
      money: { refundCents: totalCents, refundState: 'pending', disputed: false },
      closes: 'closes' in orderMoves[move],
      returnsStock: returnStock,
    };
    await changeMoney(tx, changed, { ids }, order, change, now);
    return row;
  });
}

/** @throws Problem `not-found`, `not-refundable`, `already-refunded` */
function requireRefundable(order: OrderRow | null) {
  if (!order || order.closed === 'cancelled' || order.closed === 'expired') throw new Problem('not-found');
  if (order.closed === 'refunded') throw new Problem('already-refunded');
  const { transactionId } = order;
  const move = findRefundMove(order.status);
  if (move === null || transactionId === null) throw new Problem(orderMoves.refund.refusal);
  return { ...order, transactionId, move };
}

/** The refund is reserved, so whatever the provider says now, it is followed. */
async function follow(services: PaymentServices, row: RefundRow): Promise<RefundState> {
  try {
    return await followRefund(services, row);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    services.log.warn({ err: error, order: row.orderId }, 'the refund is tried again by the job');
    return error.kind === 'unreachable' ? 'pending' : 'failed';
  }
}

function ignoreUnknownPayment(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'unknown-payment') throw error;
}
