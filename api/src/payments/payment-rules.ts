import { canMove, type OrderStatus } from '@parts-forge/contract/order-states';
import type { OrderMoney } from '#src/orders/order-money.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from './provider.ts';
import type { RefundRow } from './refund-store.ts';

/** What an order must be for a payment of it to count. */
interface PaidOrder {
  totalCents: number;
  currency: string;
  status: OrderStatus;
  closedAt: Date | null;
}

/** The payment was made for all of its orders' totals, in their currency. */
export const isForTotal = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency'>,
  orders: readonly Pick<PaidOrder, 'totalCents' | 'currency'>[],
): boolean =>
  payment.amountCents === orders.reduce((sum, { totalCents }) => sum + totalCents, 0) &&
  orders.every(({ currency }) => currency === payment.currency);

/** Everything that was received went back, or is on its way back. */
export const isGivenBack = ({
  receivedCents,
  refundedCents,
}: Pick<ProviderPayment, 'receivedCents' | 'refundedCents'>): boolean =>
  receivedCents > 0 && refundedCents >= receivedCents;

/**
 * The payment makes the order pending: it was received as a whole, the order still waits for it, and it did not all go
 * back. One that went back in part pays the order all the same; what is missing is shown and stops its acceptance.
 * @param orders all that the payment is for
 */
export const canSettle = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency' | 'receivedCents' | 'refundedCents'>,
  order: PaidOrder,
  orders: readonly PaidOrder[],
): boolean =>
  isPayable(order) &&
  isForTotal(payment, orders) &&
  payment.receivedCents === payment.amountCents &&
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
 * What has become of an order's money, and whether all of it is gone for good. What went back at the provider is the
 * order's when the payment is for it alone, or when nothing is left of the payment; of several orders it is nobody's.
 * @param own the shop's refunds of the payment, as they are after the same look at the provider
 */
export function summarizeMoney(
  { id: orderId, totalCents }: { id: string; totalCents: number },
  payment: Pick<ProviderPayment, 'amountCents' | 'refundedCents' | 'disputed'>,
  own: readonly Pick<RefundRow, 'id' | 'orderId' | 'amountCents' | 'state'>[],
  claims: Claims,
): OrderMoney & { isGone: boolean } {
  const elsewhere = summarizeElsewhere(payment, own, claims);
  const ofOrder = own.filter((refund) => refund.orderId === orderId);
  const sumSucceeded = (refunds: typeof own) =>
    sumAmounts(refunds.filter(({ state }) => state === 'succeeded'));
  const isAllGone = elsewhere.goneCents + sumSucceeded(own) >= payment.amountCents;
  const isAssigned = isAllGone || payment.amountCents === totalCents;

  const given = sumAmounts(ofOrder) + elsewhere.givenCents;
  const shownElsewhere = elsewhere.givenCents > 0 ? elsewhere.givenCents : elsewhere.failedCents;
  const refundCents = isAssigned
    ? Math.min(totalCents, given > 0 ? given : elsewhere.failedCents)
    : Math.min(totalCents, sumAmounts(ofOrder));
  const unassignedCents = isAssigned ? 0 : shownElsewhere;
  const hasOwn = (state: RefundRow['state']) => ofOrder.some((refund) => refund.state === state);
  const isFailed = hasOwn('failed') || given === 0;
  const isPending = hasOwn('pending') || elsewhere.pendingCents > 0;
  return {
    refundCents,
    unassignedCents,
    refundState:
      refundCents + unassignedCents === 0 ? null : isFailed ? 'failed' : isPending ? 'pending' : 'succeeded',
    disputed:
      claims.disputes.length === 0 ? payment.disputed : claims.disputes.some(({ state }) => state === 'open'),
    isGone: isAllGone || sumSucceeded(ofOrder) >= totalCents,
  };
}

/** What went back of a payment and is no refund of the shop's own: at the provider, or to the bank by a lost dispute. */
function summarizeElsewhere(
  { refundedCents }: Pick<ProviderPayment, 'refundedCents'>,
  own: readonly Pick<RefundRow, 'id' | 'amountCents'>[],
  { refunds, disputes }: Claims,
) {
  const others = refunds.filter(({ refundId }) => !own.some(({ id }) => id === refundId));
  const sumIn = (state: ProviderRefund['state']) =>
    sumAmounts(others.filter((refund) => refund.state === state));
  const unlisted = refunds.length === 0 ? Math.max(0, refundedCents - sumAmounts(own)) : 0;
  const lost = sumAmounts(disputes.filter(({ state }) => state === 'lost'));
  const goneCents = sumIn('succeeded') + unlisted + lost;
  const pendingCents = sumIn('pending');
  return { goneCents, pendingCents, givenCents: goneCents + pendingCents, failedCents: sumIn('failed') };
}
