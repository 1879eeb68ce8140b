import type { OrderPayments } from '#src/orders/order-payments.ts';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { closeOpenPayment } from './close-open-payment.ts';
import type { PaymentServices } from './payment-services.ts';
import { isLeftFromSandbox } from './provider/sandbox-payments.ts';
import { refreshMoney } from './refunds/refresh-money.ts';
import { findOpenPayment } from './store.ts';

export function createOrderPayments(services: PaymentServices): OrderPayments {
  return {
    hasOpen: async (tx, orderId) => (await findOpenPayment(tx, orderId)) !== null,
    closeOpen: (orderId) => closeOpen(services, orderId),
    refreshMoney: (orderId) => refreshMoneyOfOrder(services, orderId),
  };
}

export async function refreshMoneyOfOrder(services: PaymentServices, orderId: string): Promise<void> {
  const order = await findOrderEvenClosed(services.database.db, orderId);
  if (!order?.transactionId || order.closedAt !== null) return;
  const payment = await services.payments.findPayment(order.transactionId);
  if (!payment) throw await explainUnknown(services, order.transactionId);
  await refreshMoney(services, payment, { asksForDisputes: true });
}

async function explainUnknown(services: PaymentServices, paymentId: string): Promise<Problem> {
  if (!(await isLeftFromSandbox(services, paymentId))) return new Problem('unknown-payment');
  const detail = 'This order was paid in the card sandbox, which moved no money: refund it to close it.';
  return new Problem('unknown-payment', { detail });
}

/** @throws Problem `already-paid`, `payment-processing` when the customer was faster */
async function closeOpen(services: PaymentServices, orderId: string): Promise<void> {
  const { db } = services.database;
  const open = await findOpenPayment(db, orderId);
  if (!open) return;
  const settlement = await closeOpenPayment(services, open.id);
  if (settlement === 'canceled' || settlement === 'missing' || settlement === 'refunded') return;
  // If this order was closed, the payment pays only its other orders.
  const isPaid = settlement === 'applied' || settlement === 'already';
  if (isPaid && (await findOrderEvenClosed(db, orderId))?.transactionId !== open.id) return;
  throw new Problem('already-paid');
}
