import { formatAmount } from '@parts-forge/contract/money/money';
import { canMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { type Administrator, actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { markAccepted } from './move-order.ts';
import type { OrderPayments } from './order-payments.ts';
import { findOrderEvenClosed, type OrderRow, toOrder } from './store.ts';

/**
 * The parts ship on acceptance, so it asks the provider again.
 * @param seen the administrator knows of the partial refund, in the shop's currency
 * @throws Problem as the call lists; `payment-refunded` closes the order
 * @throws ProviderError; the order is unchanged
 */
export async function acceptPayment(
  { database, changes, clock, ids }: Pick<Platform, 'database' | 'changes' | 'clock' | 'ids'>,
  payments: Pick<OrderPayments, 'refreshMoney'>,
  administrator: Administrator,
  orderId: string,
  seen: { despite?: 'partly-refunded' | undefined; refunded?: number | undefined },
): Promise<void> {
  requireAcceptable(await findOrderEvenClosed(database.db, orderId));
  await payments.refreshMoney(orderId);
  const order = requireAcceptable(await findOrderEvenClosed(database.db, orderId));
  if (order.disputed) throw new Problem('disputed');
  // After a failed refund at the provider the shop still has the money; it retries its own.
  const isPartGone = order.refundCents > 0 || (order.unassignedCents > 0 && order.refundState !== 'failed');
  if (isPartGone && order.refundCents === order.totalCents) throw new Problem('payment-refunded');
  const amount = toOrder(order).refund?.amount ?? 0;
  if (isPartGone && (!seen.despite || (seen.refunded ?? amount) !== amount)) {
    throw new Problem('partly-refunded', { detail: `${formatAmount(amount)} of the payment were refunded` });
  }
  await actAs(changes, administrator, async (tx) => {
    const now = clock.now();
    if (!(await markAccepted(tx, order, now))) throw new Problem(orderMoves.accept.refusal);
    await writeEntry(tx, {
      id: ids.next(),
      now,
      event: 'accepted',
      orderId: order.id,
      paymentId: order.transactionId,
      before: { status: order.status },
      after: { status: orderMoves.accept.to, amountCents: order.totalCents },
    });
    await writeMail(tx, { ids }, { kind: 'order-accepted', userId: order.userId, orderId: order.id, now });
  });
  await changes.publish('mail');
}

function requireAcceptable(order: OrderRow | null): OrderRow & { transactionId: string } {
  if (order?.closed === 'refunded') throw new Problem('payment-refunded');
  if (!order || order.closed !== null) throw new Problem('not-found');
  const { transactionId } = order;
  if (!canMove(order.status, 'accept') || transactionId === null) {
    throw new Problem(orderMoves.accept.refusal);
  }
  return { ...order, transactionId };
}
