import { canMove, type OrderStatus } from '@parts-forge/contract/order-states';
import type { OrderMoney } from '#src/orders/store.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from './provider.ts';
import type { RefundRow } from './refund-store.ts';

/** What an order must be for a payment of it to count. */
interface PaidOrder {
  totalCents: number;
  currency: string;
  status: OrderStatus;
  closedAt: Date | null;
}

/** The payment was made for the order's whole total, in its currency. */
export const isForTotal = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency'>,
  order: Pick<PaidOrder, 'totalCents' | 'currency'>,
): boolean => payment.amountCents === order.totalCents && payment.currency === order.currency;

/** Everything that was received went back, or is on its way back. */
export const isGivenBack = ({
  receivedCents,
  refundedCents,
}: Pick<ProviderPayment, 'receivedCents' | 'refundedCents'>): boolean =>
  receivedCents > 0 && refundedCents >= receivedCents;

/**
 * The payment makes the order pending: it was received as a whole, the order still waits for it, and it did not all go
 * back. One that went back in part pays the order all the same; what is missing is shown and stops its acceptance.
 */
export const canSettle = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency' | 'receivedCents' | 'refundedCents'>,
  order: PaidOrder,
): boolean =>
  isPayable(order) &&
  isForTotal(payment, order) &&
  payment.receivedCents === order.totalCents &&
  !isGivenBack(payment);

/** The order waits for a payment. */
export const isPayable = (order: Pick<PaidOrder, 'status' | 'closedAt'>): boolean =>
  order.closedAt === null && canMove(order.status, 'pay');

const sumAmounts = (amounts: readonly { amountCents: number }[]): number =>
  amounts.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** What went back of a payment or is on its way back, in cents. Where no refund is listed the charge's word counts. */
export function countRefunded(
  { refundedCents }: Pick<ProviderPayment, 'refundedCents'>,
  refunds: readonly ProviderRefund[],
): number {
  return refunds.length === 0 ? refundedCents : sumAmounts(refunds.filter(({ state }) => state !== 'failed'));
}

/** Refunds and disputes of a payment as the provider has them. */
export interface Claims {
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}

/**
 * What the provider has made of one of the shop's own refunds, of several attempts the one that counts; null where it
 * has made nothing yet.
 */
export function findOwnRefund(
  { id }: Pick<RefundRow, 'id'>,
  refunds: readonly ProviderRefund[],
): ProviderRefund | null {
  const own = refunds.filter(({ refundId }) => refundId === id);
  const byState = (state: ProviderRefund['state']) => own.find((refund) => refund.state === state);
  return byState('succeeded') ?? byState('pending') ?? byState('failed') ?? null;
}

/**
 * What has become of an order's money, and whether all of it is gone for good.
 * @param own the shop's refunds of the order, as they are after the same look at the provider
 */
export function summarizeMoney(
  { totalCents }: { totalCents: number },
  payment: Pick<ProviderPayment, 'refundedCents' | 'disputed'>,
  own: readonly Pick<RefundRow, 'id' | 'amountCents' | 'state'>[],
  { refunds, disputes }: Claims,
): OrderMoney & { isGone: boolean } {
  const ownCents = sumAmounts(own);
  const others = refunds.filter(({ refundId }) => !own.some(({ id }) => id === refundId));
  const othersIn = (state: ProviderRefund['state']) =>
    sumAmounts(others.filter((refund) => refund.state === state));
  const unlisted = refunds.length === 0 ? Math.max(0, payment.refundedCents - ownCents) : 0;
  const lost = sumAmounts(disputes.filter(({ state }) => state === 'lost'));
  const gone = othersIn('succeeded') + unlisted + lost;
  const given = gone + othersIn('pending') + ownCents;
  const refundCents = Math.min(totalCents, given > 0 ? given : othersIn('failed'));
  const hasOwn = (state: RefundRow['state']) => own.some((refund) => refund.state === state);
  const isFailed = hasOwn('failed') || given === 0;
  const isPending = hasOwn('pending') || othersIn('pending') > 0;
  const ownGone = sumAmounts(own.filter(({ state }) => state === 'succeeded'));
  return {
    refundCents,
    refundState: refundCents === 0 ? null : isFailed ? 'failed' : isPending ? 'pending' : 'succeeded',
    disputed: disputes.length === 0 ? payment.disputed : disputes.some(({ state }) => state === 'open'),
    isGone: gone + ownGone >= totalCents,
  };
}
