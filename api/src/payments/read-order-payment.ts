import { toAmount } from '@parts-forge/contract/money/money';
import type { readOrderPayment as readOrderPaymentCall } from '@parts-forge/contract/money/payments';
import type * as z from 'zod/mini';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { PaymentServices } from './payment-services.ts';
import { countGone, findHold } from './refunds/refund-rules.ts';
import { findRefunds } from './refunds/refund-store.ts';
import { findLastPayment, findShares } from './store.ts';

/** @throws Problem as the call lists; ProviderError */
export async function readOrderPayment(
  { database, payments, clock }: PaymentServices,
  orderId: string,
): Promise<z.output<typeof readOrderPaymentCall.answer>> {
  const order = await findOrderEvenClosed(database.db, orderId);
  const id = order && (order.transactionId ?? (await findLastPayment(database.db, order.id))?.id);
  if (!id) throw new Problem('not-found');
  const shares = await findShares(database.db, id);
  const askedAt = clock.now();
  const [payment, refunds, disputes, asked] = await Promise.all([
    payments.findPayment(id),
    payments.listRefunds(id),
    payments.listDisputes(id),
    findRefunds(database.db, order.id, id),
  ]);
  const reason = asked.findLast((refund) => refund.reason !== null)?.reason;
  const answerBy = findFirst(disputes.flatMap((dispute) => dispute.answerBy ?? []));
  if (!payment) throw new Problem('unknown-payment');
  return {
    transactionId: id,
    state: payment.status,
    orders: shares.map((share) => share.orderId),
    share: toAmount(shares.find((share) => share.orderId === order.id)?.amountCents ?? 0),
    amount: toAmount(payment.amountCents),
    received: toAmount(payment.receivedCents),
    refunded: toAmount(Math.min(payment.amountCents, countGone(payment, { refunds, disputes }))),
    ...(reason && { refundReason: reason }),
    ...findHold(payment, { disputes }),
    ...(answerBy && { answerBy: answerBy.toISOString() }),
    ...(payment.card && { card: payment.card }),
    askedAt: askedAt.toISOString(),
  };
}

const findFirst = (moments: readonly Date[]): Date | undefined =>
  moments.toSorted((a, b) => a.getTime() - b.getTime())[0];
