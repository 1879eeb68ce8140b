import type { OrderPayments } from '#src/orders/order-payments.ts';
import { findOrder } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { PaymentServices } from './payment-services.ts';
import { ProviderError, type ProviderPayment } from './provider.ts';
import { refreshMoney } from './refresh-money.ts';
import { isLeftFromSandbox } from './sandbox-payments.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { closePayment, findOpenPayment, type PaymentRow } from './store.ts';

/** What orders need to know of their payments, from the shop's own notes and the provider. */
export function createOrderPayments(services: PaymentServices): OrderPayments {
  const { database } = services;
  return {
    hasOpen: async (tx, orderId) => (await findOpenPayment(tx, orderId)) !== null,
    async closeOpen(orderId) {
      const open = await findOpenPayment(database.db, orderId);
      if (open) await closeAtProvider(services, open);
    },
    refreshMoney: (orderId) => refreshMoneyOfOrder(services, orderId),
  };
}

/** @throws Problem `unknown-payment`; ProviderError */
export async function refreshMoneyOfOrder(services: PaymentServices, orderId: string): Promise<void> {
  const order = await findOrder(services.database.db, orderId);
  if (!order?.transactionId) return;
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
async function closeAtProvider(services: PaymentServices, open: PaymentRow): Promise<void> {
  const { database, clock } = services;
  const payment = await cancelUnlessOnItsWay(services, open.id);
  if (!payment) {
    await database.db.transaction((tx) =>
      closePayment(tx, open, 'missing', clock.now(), 'unknown to the provider'),
    );
    return;
  }
  if (payment.status === 'processing') throw new Problem('payment-processing');
  const settlement = await settleOrRefund(services, payment);
  if (settlement !== 'canceled' && settlement !== 'refunded') throw new Problem('already-paid');
}

/**
 * A payment on its way is not stopped: the contract answers 409, though the provider might still take it back. One that
 * the provider does not know when it is looked for is cancelled all the same, as it may be wrong once; null when it
 * does not know it then either.
 */
async function cancelUnlessOnItsWay(
  { payments }: PaymentServices,
  id: string,
): Promise<ProviderPayment | null> {
  const current = await payments.findPayment(id);
  if (current?.status === 'processing' || current?.status === 'succeeded') return current;
  try {
    return await payments.cancelPayment(id);
  } catch (error) {
    if (current === null && error instanceof ProviderError && error.kind === 'refused') return null;
    throw error;
  }
}
