import type { OrderPayments } from '#src/orders/order-payments.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { isMoneyThere } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { closePayment, findOpenPayment, type PaymentRow } from './store.ts';

/** What orders need to know of their payments, from the shop's own notes and the provider. */
export function createOrderPayments(services: PaymentServices): OrderPayments {
  const { database, payments } = services;
  return {
    hasOpen: async (tx, orderId) => (await findOpenPayment(tx, orderId)) !== null,
    async closeOpen(orderId) {
      const open = await findOpenPayment(database.db, orderId);
      if (open) await closeAtProvider(services, open);
    },
    async isMoneyThere(transactionId) {
      const payment = await payments.findPayment(transactionId);
      if (!payment) throw new Problem('unknown-payment');
      return isMoneyThere(payment);
    },
  };
}

/** @throws Problem `already-paid`, `payment-processing` when the customer was faster */
async function closeAtProvider(services: PaymentServices, open: PaymentRow): Promise<void> {
  const { database, payments, clock } = services;
  const current = await payments.findPayment(open.id);
  if (!current) {
    await database.db.transaction((tx) => closePayment(tx, open, clock.now(), 'unknown to the provider'));
    return;
  }
  // A payment on its way is not stopped: the contract answers 409, though the provider might still take it back.
  const isOnItsWay = current.status === 'processing' || current.status === 'succeeded';
  const payment = isOnItsWay ? current : await payments.cancelPayment(open.id);
  if (payment.status === 'processing') throw new Problem('payment-processing');
  if ((await settleOrRefund(services, payment)) !== 'canceled') throw new Problem('already-paid');
}
