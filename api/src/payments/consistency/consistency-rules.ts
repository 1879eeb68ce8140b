import type { OrderRow } from '#src/orders/store.ts';
import type { ProviderPayment } from '#src/payments/provider/provider.ts';
import { type Claims, countGone } from '#src/payments/refunds/refund-rules.ts';
import type { RefundRow } from '#src/payments/refunds/refund-store.ts';
import type { PaymentRow } from '#src/payments/store.ts';

export interface BookedPayment {
  shares: readonly Pick<PaymentRow, 'orderId' | 'state' | 'amountCents'>[];
  orders: readonly Pick<
    OrderRow,
    'id' | 'totalCents' | 'currency' | 'refundCents' | 'unassignedCents' | 'refundState'
  >[];
  refunds: readonly Pick<RefundRow, 'orderId' | 'state' | 'amountCents'>[];
}

export function findBookMistake(
  booked: BookedPayment,
  payment: ProviderPayment | null,
  claims: Claims,
): string | null {
  if (!payment) return 'the provider does not know the payment';
  const ids = booked.shares.map(({ orderId }) => orderId);
  if (ids.toSorted().join() !== payment.orderIds.toSorted().join()) {
    return 'at the provider the payment is for another order';
  }
  const isAny = (state: PaymentRow['state']) => booked.shares.some((share) => share.state === state);
  if (isAny('applied'))
    return findReceiptMistake(booked, payment) ?? findRefundMistake(booked, payment, claims);
  if (isAny('canceled')) {
    return payment.status === 'succeeded' ? 'canceled here, paid at the provider' : null;
  }
  // Other states are unfinished.
  const isReturned = booked.shares.every(({ state }) => state === 'refunded');
  return isReturned && countGone(payment, claims) < payment.receivedCents
    ? 'refunded here, not at the provider'
    : null;
}

const sumTotals = (orders: BookedPayment['orders']): number =>
  orders.reduce((sum, { totalCents }) => sum + totalCents, 0);

function findReceiptMistake({ orders }: BookedPayment, payment: ProviderPayment): string | null {
  if (payment.status !== 'succeeded') return `paid here, ${payment.status} at the provider`;
  const totalCents = sumTotals(orders);
  const isTotal =
    payment.receivedCents === totalCents && orders.every(({ currency }) => currency === payment.currency);
  return isTotal ? null : `${totalCents} cents are paid here, ${payment.receivedCents} at the provider`;
}

/** The shop stores an unfinished refund before the provider has it. */
function findRefundMistake(booked: BookedPayment, payment: ProviderPayment, claims: Claims): string | null {
  const { shares, orders } = booked;
  const totalCents = sumTotals(orders);
  const gone = Math.min(totalCents, countGone(payment, claims));
  const unassigned = Math.max(...orders.map(({ unassignedCents }) => unassignedCents));
  const assigned = shares.reduce((sum, share) => sum + countShareRefund(share, booked), 0);
  const recordedCents = Math.min(totalCents, assigned + unassigned);
  const states = [
    ...orders.map(({ refundState }) => refundState),
    ...booked.refunds.map(({ state }) => state),
  ];
  // No sum falls while a dispute is undecided.
  const isDecided = claims.disputes.every(({ state }) => state === 'won' || state === 'lost');
  const isFinal = isDecided && states.every((state) => state === null || state === 'succeeded');
  const agrees = isFinal ? gone === recordedCents : gone <= recordedCents;
  return agrees ? null : `${recordedCents} cents went back here, ${gone} at the provider`;
}

function countShareRefund(
  { orderId, state, amountCents }: BookedPayment['shares'][number],
  { orders, refunds }: BookedPayment,
): number {
  if (state === 'applied') return orders.find(({ id }) => id === orderId)?.refundCents ?? 0;
  return refunds.find((refund) => refund.orderId === orderId)?.amountCents ?? amountCents;
}
