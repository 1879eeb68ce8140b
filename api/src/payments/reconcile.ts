import { findOrderEvenCancelled } from '#src/orders/store.ts';
import { isPayable } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import { refund, settleOrRefund } from './settle-or-refund.ts';
import { closePayment, findUnfinishedPayments, type PaymentRow, postponePayment } from './store.ts';

/** One round takes at most this many; the next goes on where it ended. */
const MAX_PAYMENTS = 200;

/** How many payments were found paid, closed, given back, or could not be looked at. */
export interface ReconcileResult {
  settled: number;
  closed: number;
  refunded: number;
  failed: number;
}

/**
 * Finishes what a lost answer, a lost event or a crash has left open: asks the provider for each payment that
 * nobody has looked at for a while. May run at any time, also in several processes at once.
 */
export async function reconcile(services: PaymentServices): Promise<ReconcileResult> {
  const { database, clock, log } = services;
  const result: ReconcileResult = { settled: 0, closed: 0, refunded: 0, failed: 0 };
  for (const row of await findUnfinishedPayments(database.db, clock.now(), MAX_PAYMENTS)) {
    try {
      const outcome =
        row.state === 'refund_due' ? await retryRefund(services, row) : await checkOpenPayment(services, row);
      if (outcome) result[outcome] += 1;
      else await postponePayment(database.db, row.id, clock.now());
    } catch (error) {
      result.failed += 1;
      log.error({ err: error, payment: row.id, order: row.orderId }, 'the payment could not be reconciled');
      await postponePayment(database.db, row.id, clock.now());
    }
  }
  return result;
}

async function retryRefund(services: PaymentServices, { id }: PaymentRow) {
  await refund(services, id);
  return 'refunded' as const;
}

/** What became of the payment; null when it is still waiting for its customer. */
async function checkOpenPayment(
  services: PaymentServices,
  row: PaymentRow,
): Promise<'settled' | 'closed' | 'refunded' | null> {
  const payment = await services.payments.findPayment(row.id);
  if (!payment) return closeIfOrderIsDone(services, row);
  switch (await settleOrRefund(services, payment)) {
    case 'applied':
    case 'already':
      return 'settled';
    case 'canceled':
      return 'closed';
    case 'refunded':
      return 'refunded';
    case 'unpaid':
      return cancelIfOrderIsDone(services, row);
    case 'foreign':
      return null;
  }
}

async function closeIfOrderIsDone({ database, clock }: PaymentServices, row: PaymentRow) {
  if (await isStillPayable(database.db, row)) return null;
  await database.db.transaction((tx) => closePayment(tx, row, clock.now(), 'unknown to the provider'));
  return 'closed' as const;
}

/** An open payment of an order that is paid or cancelled must not be payable any longer. */
async function cancelIfOrderIsDone(services: PaymentServices, row: PaymentRow) {
  if (await isStillPayable(services.database.db, row)) return null;
  await settleOrRefund(services, await services.payments.cancelPayment(row.id));
  return 'closed' as const;
}

async function isStillPayable(db: PaymentServices['database']['db'], row: PaymentRow): Promise<boolean> {
  const order = await findOrderEvenCancelled(db, row.orderId);
  return order !== null && isPayable(order);
}
