import type { BulkResult } from '@parts-forge/contract/orders/order-bulk';
import { canMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import { cancelOrder as cancelOrderCall } from '@parts-forge/contract/orders/orders';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { type Actor, requireOwnOrder } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { closeUnpaidOrder } from './close-unpaid-order.ts';
import type { OrderPayments } from './order-payments.ts';
import type { OrderRow } from './store.ts';
import { actInTurn } from './try-line.ts';

/**
 * Also cancels the open payment, and mails a customer whose order an administrator cancels.
 * @throws Problem as the call lists; ProviderError, and the order is unchanged
 */
export function cancelOrder(
  platform: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  payments: Pick<OrderPayments, 'hasOpen' | 'closeOpen'>,
  actor: Actor,
  orderId: string,
): Promise<void> {
  const check = (found: OrderRow | null) => {
    const order = requireOwnOrder(cancelOrderCall, actor, found?.closedAt ? null : found);
    if (!canMove(order.status, 'cancel')) throw new Problem(orderMoves.cancel.refusal);
    return order;
  };
  return closeUnpaidOrder(platform, payments, orderId, {
    by: actor,
    move: 'cancel',
    check,
    async alsoWrite(tx, changed, order, now) {
      if (order.userId === actor.userId) return;
      const mail = { kind: 'order-cancelled', userId: order.userId, orderId: order.id, now } as const;
      await writeMail(tx, platform, mail);
      changed('mail');
    },
  });
}

/** In turn, as they may share an open payment and parts. @returns a result for each order */
export const cancelMany = (
  platform: Platform,
  payments: Pick<OrderPayments, 'hasOpen' | 'closeOpen'>,
  actor: Actor,
  orderIds: readonly string[],
): Promise<BulkResult[]> => actInTurn(platform, orderIds, (id) => cancelOrder(platform, payments, actor, id));
