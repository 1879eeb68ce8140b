import { type ProblemCode, problems } from '@parts-forge/contract/calls/problems';
import { recordPayment as recordPaymentCall } from '@parts-forge/contract/money/payments';
import { canMove, type OrderStatus, orderMoves } from '@parts-forge/contract/orders/order-states';
import { idPattern } from '@parts-forge/contract/text/text';
import { findOrderEvenClosed, findOrdersEvenClosed, type OrderRow } from '#src/orders/store.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { type Actor, requireOwnOrder } from '#src/platform/http/calls/access.ts';
import { isOwnPayment } from './former-payments.ts';
import { isForTotal } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { settleOrRefund } from './settle-or-refund.ts';

/**
 * Asks the provider, then records the payment for its orders. Repeatable.
 * @param named the order in the body, which must match the path
 * @throws Problem as the call lists; `order-cancelled` and `expired` refund the payment
 * @throws ProviderError
 */
export async function recordPayment(
  services: PaymentServices,
  actor: Actor,
  orderId: string,
  { order: named, transactionId }: { order?: string | { _id: string } | undefined; transactionId: string },
): Promise<{ acknowledged: true; status: OrderStatus; transactionId: string }> {
  const namedId = typeof named === 'object' ? named._id : named;
  if (namedId !== undefined && namedId.toLowerCase() !== orderId.toLowerCase()) {
    throw invalidField('order', 'Must be the order of the path');
  }
  const { database } = services;
  const order = requireOwnOrder(recordPaymentCall, actor, await findOrderEvenClosed(database.db, orderId));
  if (order.transactionId === transactionId) {
    if (order.closedAt) throw new Problem('payment-refunded');
    return { acknowledged: true, status: order.status, transactionId };
  }

  const payment = await services.payments.findPayment(transactionId);
  if (!payment) {
    if (order.closedAt) throw new Problem('not-found');
    throw invalidField('transactionId', problems['unknown-payment'].title, 'unknown-payment');
  }
  if (!isOwnPayment(payment, services) || !(await isForOrder(services, payment, order))) {
    throw new Problem(order.closedAt ? 'not-found' : 'payment-of-other-order');
  }
  await actor.confirm(database.db);
  switch (await settleOrRefund(services, payment)) {
    case 'applied':
    case 'already': {
      const settled = (await findOrderEvenClosed(database.db, order.id)) ?? order;
      // The payment may have paid only its other orders.
      if (settled.transactionId !== transactionId) throw new Problem(explainRefund(settled));
      return { acknowledged: true, status: settled.status, transactionId };
    }
    case 'refunded':
      throw new Problem(explainRefund((await findOrderEvenClosed(database.db, order.id)) ?? order));
    case 'unpaid':
    case 'canceled':
    case 'foreign':
    case 'stray':
      if (order.closedAt) throw new Problem('not-found');
      throw new Problem(canMove(order.status, 'pay') ? 'payment-not-completed' : orderMoves.pay.refusal);
  }
}

async function isForOrder(
  { database }: PaymentServices,
  payment: ProviderPayment,
  order: OrderRow,
): Promise<boolean> {
  const { orderIds } = payment;
  if (!orderIds.includes(order.id) || !orderIds.every((id) => idPattern.test(id))) return false;
  return isForTotal(payment, await findOrdersEvenClosed(database.db, orderIds));
}

function explainRefund({ closed, status }: OrderRow): ProblemCode {
  if (closed === 'expired') return 'expired';
  if (closed !== null) return 'order-cancelled';
  return canMove(status, 'pay') ? 'payment-refunded' : orderMoves.pay.refusal;
}
