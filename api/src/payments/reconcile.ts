import { giveBack, type PaymentNeeds, settle } from './settle.ts';
import { closePayment, findOrderToPay, findUnfinished, type PaymentRow, touchPayment } from './store.ts';

/** One round takes at most this many; the next goes on where it ended. */
const BATCH = 200;

export interface Reconciled {
  settled: number;
  closed: number;
  refunded: number;
  failed: number;
}

/**
 * Finishes what a lost answer, a lost event or a crash has left open: asks the provider for each payment that
 * nobody has looked at for a while. May run at any time, also in several processes at once.
 */
export async function reconcile(needs: PaymentNeeds): Promise<Reconciled> {
  const { database, clock, log } = needs;
  const done: Reconciled = { settled: 0, closed: 0, refunded: 0, failed: 0 };
  for (const row of await findUnfinished(database.db, clock.now(), BATCH)) {
    try {
      const outcome = row.state === 'refund_due' ? await refundDue(needs, row) : await lookAtOpen(needs, row);
      if (outcome) done[outcome] += 1;
      else await touchPayment(database.db, row.id, clock.now());
    } catch (error) {
      done.failed += 1;
      log.error({ err: error, payment: row.id, order: row.orderId }, 'the payment could not be reconciled');
      await touchPayment(database.db, row.id, clock.now());
    }
  }
  return done;
}

async function refundDue(needs: PaymentNeeds, { id }: PaymentRow) {
  await giveBack(needs, id);
  return 'refunded' as const;
}

/** What became of the payment; null when it is still waiting for its customer. */
async function lookAtOpen(
  needs: PaymentNeeds,
  row: PaymentRow,
): Promise<'settled' | 'closed' | 'refunded' | null> {
  const payment = await needs.payments.findPayment(row.id);
  if (!payment) return closeIfOrderIsDone(needs, row);
  switch (await settle(needs, payment)) {
    case 'applied':
    case 'already':
      return 'settled';
    case 'canceled':
      return 'closed';
    case 'refunded':
      return 'refunded';
    case 'unpaid':
      return cancelIfOrderIsDone(needs, row);
    case 'foreign':
      return null;
  }
}

async function closeIfOrderIsDone({ database, clock }: PaymentNeeds, row: PaymentRow) {
  if (await isWanted(database.db, row)) return null;
  await database.db.transaction((tx) => closePayment(tx, row, clock.now(), 'unknown to the provider'));
  return 'closed' as const;
}

/** An open payment of an order that is paid or cancelled must not be payable any longer. */
async function cancelIfOrderIsDone(needs: PaymentNeeds, row: PaymentRow) {
  if (await isWanted(needs.database.db, row)) return null;
  await settle(needs, await needs.payments.cancelPayment(row.id));
  return 'closed' as const;
}

async function isWanted(db: PaymentNeeds['database']['db'], row: PaymentRow): Promise<boolean> {
  const order = await findOrderToPay(db, row.orderId);
  return order?.status === 'due' && order.cancelledAt === null;
}
