import type { RefundState } from '@parts-forge/contract/orders/order-states';
import { writeOrderMoney } from '#src/orders/order-money.ts';
import { lockOrder } from '#src/orders/store.ts';
import { mayRefund } from '#src/payments/former-payments.ts';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import { ProviderError, type ProviderPayment, type ProviderRefund } from '#src/payments/provider/provider.ts';
import { isLeftFromSandbox } from '#src/payments/provider/sandbox-payments.ts';
import { issueNotes } from './issue-notes.ts';
import { applyClaims } from './refresh-money.ts';
import { type Claims, countOwed, findOwnRefund, splitRefunds, sumAmounts } from './refund-rules.ts';
import {
  changeRefund,
  findNextLook,
  findPaymentRefunds,
  findRefunds,
  type RefundRow,
  writeRefund,
} from './refund-store.ts';

/**
 * Retries a failed refund under a new key. Repeatable, also concurrently: each attempt has one key.
 * @returns the state; a restored copy that has not taken over only reads
 * @throws ProviderError; the job retries
 */
export async function followRefund(services: PaymentServices, row: RefundRow): Promise<RefundState> {
  const { database, payments, clock } = services;
  // A failure's event leads here, and would loop.
  const isDue = row.attempt === 1 || row.nextLookAt <= clock.now();
  // First, so that a failing refund does not block the queue.
  const nextLookAt = findNextLook(row.attempt, clock.now());
  if (isDue) await writeRefund(database.db, row.id, { nextLookAt }, clock.now());
  const payment = await payments.findPayment(row.paymentId);
  if (!payment) return endWithoutProvider(services, row);
  const [refunds, disputes] = await Promise.all([
    payments.listRefunds(row.paymentId),
    payments.listDisputes(row.paymentId),
  ]);
  const latest = findOwnRefund(row, refunds);
  // Store a new failure first: the old key would return it again.
  const isWanted = latest === null || (latest.state !== 'pending' && row.state === 'failed');
  const isAllowed = isWanted && isDue && mayRefund(payment, services);
  const created = isAllowed ? await issueRefund(services, row, payment, { refunds, disputes }) : null;
  // An external refund may have come before it.
  const current = isAllowed && !created ? await payments.listRefunds(row.paymentId) : refunds;
  const isListed = current.some(({ id }) => id === created?.id);
  await applyClaims(services, payment, {
    refunds: created && !isListed ? [created, ...current] : current,
    disputes,
  });
  const rows = await findRefunds(database.db, row.orderId, row.paymentId);
  return rows.find(({ id }) => id === row.id)?.state ?? row.state;
}

/** Null when external refunds cover everything. */
async function issueRefund(
  services: PaymentServices,
  row: RefundRow,
  payment: ProviderPayment,
  claims: Claims,
): Promise<ProviderRefund | null> {
  const { database, payments, instanceId: shop } = services;
  const { id: refundId, paymentId, attempt } = row;
  // After the list, to recognize all the shop's refunds in it.
  const shopRefunds = await findPaymentRefunds(database.db, paymentId);
  const amountCents = countOwed(row, payment, splitRefunds(payment, shopRefunds, claims));
  if (amountCents === 0) return null;
  try {
    return await payments.createRefund({ paymentId, amountCents, refundId, shop, attempt });
  } catch (error) {
    // The same key repeats a definite failure; after an unclear one it finds the refund.
    if (error instanceof ProviderError && error.kind !== 'unreachable') {
      await markFailed(services, row, amountCents, String(error.cause ?? error.message));
    }
    throw error;
  }
}

/** The job repeats it even if the provider fails now. */
export async function tryRefund(services: PaymentServices, row: RefundRow): Promise<RefundState> {
  try {
    return await followRefund(services, row);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    services.log.warn({ err: error, order: row.orderId }, 'the refund is tried again by the job');
    return error.kind === 'unreachable' ? 'pending' : 'failed';
  }
}

async function endWithoutProvider(services: PaymentServices, row: RefundRow): Promise<RefundState> {
  if (await isLeftFromSandbox(services, row.paymentId)) {
    const note = 'paid in the card sandbox, which moved no money';
    await writeOutcome(services, row, { state: 'succeeded', note }, 0);
    return 'succeeded';
  }
  await markFailed(services, row, row.amountCents, 'unknown to the provider');
  return 'failed';
}

async function markFailed(
  services: PaymentServices,
  row: RefundRow,
  failedCents: number,
  note: string,
): Promise<void> {
  const attempt = row.attempt + 1;
  const nextLookAt = findNextLook(attempt, services.clock.now());
  await writeOutcome(services, row, { state: 'failed', note, attempt, nextLookAt }, failedCents);
}

async function writeOutcome(
  services: PaymentServices,
  row: RefundRow,
  change: Parameters<typeof changeRefund>[3],
  failedCents: number,
): Promise<void> {
  const { database, clock } = services;
  await database.db.transaction(async (tx) => {
    const now = clock.now();
    const order = await lockOrder(tx, row.orderId);
    await changeRefund(tx, services, row, change, now);
    if (order?.transactionId !== row.paymentId) return;
    // From the shop's refunds alone; the next look at the provider corrects it.
    const rows = await findRefunds(tx, order.id, row.paymentId);
    const sum = (state: RefundState) => sumAmounts(rows.filter((each) => each.state === state));
    const allFailedCents = sum('failed') - (change.state === 'failed' ? row.amountCents - failedCents : 0);
    const unfailedState: RefundState = sum('pending') > 0 ? 'pending' : 'succeeded';
    const money = {
      refundState: allFailedCents > 0 ? ('failed' as const) : unfailedState,
      failedCents: Math.min(order.refundCents, allFailedCents),
      settledCents: Math.max(order.settledCents, sum('succeeded')),
    };
    await writeOrderMoney(tx, order.id, money, now);
    await issueNotes(tx, services, [{ ...order, ...money }]);
  });
}
