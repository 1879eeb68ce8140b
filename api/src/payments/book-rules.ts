import type { OrderRow } from '#src/orders/store.ts';
import { type Claims, countRefunded } from './payment-rules.ts';
import type { ProviderPayment } from './provider.ts';
import type { PaymentRow } from './store.ts';

/**
 * How the shop's books and the provider disagree about a payment that the shop is done with; null when they agree.
 * @param claims its refunds and disputes; empty where neither side speaks of any
 */
export function findBookMistake(
  { state }: Pick<PaymentRow, 'state'>,
  order: Pick<OrderRow, 'id' | 'totalCents' | 'currency' | 'refundCents' | 'refundState'>,
  payment: ProviderPayment | null,
  claims: Claims,
): string | null {
  if (!payment) return 'the provider does not know the payment';
  if (payment.orderId !== order.id) return 'at the provider the payment is for another order';
  switch (state) {
    case 'canceled':
      return payment.status === 'succeeded' ? 'canceled here, paid at the provider' : null;
    case 'refunded':
      return countRefunded(payment, claims.refunds) < payment.receivedCents
        ? 'given back here, not at the provider'
        : null;
    case 'applied':
      return findReceiptMistake(order, payment) ?? findRefundMistake(order, payment, claims);
    default:
      // Not done with yet: the job that reconciles asks again until it is.
      return null;
  }
}

function findReceiptMistake(
  { totalCents, currency }: Pick<OrderRow, 'totalCents' | 'currency'>,
  payment: ProviderPayment,
): string | null {
  if (payment.status !== 'succeeded') return `paid here, ${payment.status} at the provider`;
  const isTotal = payment.receivedCents === totalCents && payment.currency === currency;
  return isTotal ? null : `${totalCents} cents are paid here, ${payment.receivedCents} at the provider`;
}

/** A refund that is under way or has failed is in the books from its order on, and at the provider only when it is made. */
function findRefundMistake(
  { totalCents, refundCents, refundState }: Pick<OrderRow, 'totalCents' | 'refundCents' | 'refundState'>,
  payment: ProviderPayment,
  { refunds, disputes }: Claims,
): string | null {
  const lost = disputes.filter(({ state }) => state === 'lost');
  const lostCents = lost.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const gone = Math.min(totalCents, countRefunded(payment, refunds) + lostCents);
  const isFinal = refundState === null || refundState === 'succeeded';
  const agrees = isFinal ? gone === refundCents : gone <= refundCents;
  return agrees ? null : `${refundCents} cents went back here, ${gone} at the provider`;
}
