import { findOrdersEvenClosed } from '#src/orders/store.ts';
import { isPayable } from '../payment-rules.ts';
import type { PaymentServices } from '../payment-services.ts';
import { followRefund } from '../refunds/follow-refund.ts';
import { findUnfinishedRefunds } from '../refunds/refund-store.ts';
import { settleOrRefund } from '../settle-or-refund.ts';
import {
  closePayment,
  countStrayPayments,
  findOrderIds,
  findPaymentsOfPendingOrders,
  findUnfinishedPayments,
  type PaymentRow,
  postponePayment,
} from '../store.ts';

/** Per kind and round. */
const MAX_PAYMENTS = 200;

export interface ReconcileResult {
  settled: number;
  closed: number;
  refunded: number;
  failed: number;
  stray: number;
}

/** Finishes payments and refunds after a lost response, event or crash. Repeatable, also concurrently. */
export async function reconcile(services: PaymentServices): Promise<ReconcileResult> {
  const { database, clock, log } = services;
  const result: ReconcileResult = { settled: 0, closed: 0, refunded: 0, failed: 0, stray: 0 };
  /** A failure must not stop the others. */
  const count = async (about: object, check: () => Promise<keyof ReconcileResult | null>) => {
    try {
      const outcome = await check();
      if (outcome) result[outcome] += 1;
      return outcome !== null;
    } catch (error) {
      result.failed += 1;
      log.error({ err: error, ...about }, 'the payment could not be reconciled');
      return false;
    }
  };
  const about = (row: PaymentRow) => ({ payment: row.id, order: row.orderId });

  for (const row of await findUnfinishedPayments(database.db, clock.now(), MAX_PAYMENTS)) {
    const isFinished = await count(about(row), () => checkOpenPayment(services, row));
    if (!isFinished) await postponePayment(database.db, row.id, clock.now());
  }
  for (const row of await findUnfinishedRefunds(database.db, clock.now(), MAX_PAYMENTS)) {
    await count({ payment: row.paymentId, order: row.orderId, refund: row.id }, async () =>
      (await followRefund(services, row)) === 'succeeded' ? 'refunded' : null,
    );
  }
  for (const row of await findPaymentsOfPendingOrders(database.db, clock.now(), MAX_PAYMENTS)) {
    await count(about(row), () => checkAppliedPayment(services, row));
    await postponePayment(database.db, row.id, clock.now());
  }
  result.stray = await countStrayPayments(database.db);
  return result;
}

async function checkAppliedPayment(services: PaymentServices, row: PaymentRow): Promise<null> {
  const payment = await services.payments.findPayment(row.id);
  if (payment) await settleOrRefund(services, payment);
  return null;
}

async function checkOpenPayment(
  services: PaymentServices,
  row: PaymentRow,
): Promise<keyof ReconcileResult | null> {
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
      return cancelUnlessWanted(services, row);
    case 'foreign':
    case 'stray':
      return null;
  }
}

async function closeIfOrderIsDone(services: PaymentServices, row: PaymentRow) {
  if (row.state === 'missing' || (await isStillPayable(services.database.db, row))) return null;
  await closePayment(services, row.id, 'missing');
  return 'closed' as const;
}

/**
 * Cancels a payment when one of its orders is paid or closed. A missing one may have a successor, so it is
 * always cancelled.
 */
async function cancelUnlessWanted(services: PaymentServices, row: PaymentRow) {
  if (row.state === 'open' && (await isStillPayable(services.database.db, row))) return null;
  await settleOrRefund(services, await services.payments.cancelPayment(row.id));
  return 'closed' as const;
}

const isStillPayable = async (db: PaymentServices['database']['db'], row: PaymentRow): Promise<boolean> =>
  (await findOrdersEvenClosed(db, await findOrderIds(db, row.id))).every(isPayable);
