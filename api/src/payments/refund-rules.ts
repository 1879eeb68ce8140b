import type { RefundState } from '@parts-forge/contract/order-states';
import type { OrderMoney } from '#src/orders/order-money.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from './provider.ts';
import type { RefundRow } from './refund-store.ts';

/** Refunds and disputes of a payment as the provider has them. */
export interface Claims {
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}

/** One of the shop's own refunds, as far as the rules need it. */
export type OwnRefund = Pick<
  RefundRow,
  'id' | 'orderId' | 'amountCents' | 'elsewhereCents' | 'state' | 'providerId'
>;

const sumAmounts = (amounts: readonly { amountCents: number }[]): number =>
  amounts.reduce((sum, { amountCents }) => sum + amountCents, 0);
const isMade = ({ state }: Pick<ProviderRefund, 'state'>): boolean => state !== 'failed';

/** What went back of a payment or is on its way back, in cents. Where no refund is listed the charge's word counts. */
export function countRefunded(
  { refundedCents }: Pick<ProviderPayment, 'refundedCents'>,
  refunds: readonly ProviderRefund[],
): number {
  return refunds.length === 0 ? refundedCents : sumAmounts(refunds.filter(isMade));
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
  const byState = (state: RefundState) => own.find((refund) => refund.state === state);
  return byState('succeeded') ?? byState('pending') ?? byState('failed') ?? null;
}

/** What went back of a payment, or is on its way back, divided by whose it is; in cents. */
export interface GivenBack {
  /** All of it, with what lost disputes took. */
  totalCents: number;
  /** What of it has arrived. */
  arrivedCents: number;
  /** What of it was made by somebody else than the shop, and what of that is on its way. */
  elsewhereCents: number;
  pendingElsewhereCents: number;
  /** What of that nobody has said of which order it is. */
  unassignedCents: number;
  /** Of each of the shop's refunds: what the shop made itself, and what was made by somebody else in its place. */
  refunds: ReadonlyMap<string, { madeCents: number; coveredCents: number }>;
}

/**
 * Divides what went back of a payment. Each order has a claim on its share; once a refund of it was asked for, that
 * refund has, whoever makes it. So what somebody gives back at the provider is taken for what the shop's refunds still
 * owe, and only what is more than that is nobody's. A share goes back once, and the shop leaves in the payment what the
 * orders without a refund can claim.
 *
 * What had gone back already when a refund was asked for does not count for it: whoever asked had seen it.
 * @param own the shop's refunds of the payment, of all its orders, read after the provider's were listed
 */
export function divideGivenBack(
  payment: Pick<ProviderPayment, 'amountCents' | 'refundedCents'>,
  own: readonly OwnRefund[],
  { refunds, disputes }: Claims,
): GivenBack {
  const known = [...refunds, ...listUnlisted(own, refunds)].filter(isMade);
  const lostCents = sumAmounts(disputes.filter(({ state }) => state === 'lost'));
  const pending = known.filter(({ state }) => state === 'pending');
  const isOwn = ({ refundId }: ProviderRefund) => own.some(({ id }) => id === refundId);
  const totalCents =
    Math.max(sumAmounts(known), refunds.length === 0 ? payment.refundedCents : 0) + lostCents;

  const made = own.map((row) => {
    const cents = sumAmounts(known.filter(({ refundId }) => refundId === row.id));
    return { ...row, madeCents: Math.min(row.amountCents, cents) };
  });
  const madeCents = made.reduce((sum, row) => sum + row.madeCents, 0);
  const elsewhereCents = totalCents - madeCents;
  const askedCents = sumAmounts(own);
  const seenCents = Math.min(elsewhereCents, Math.max(0, ...own.map((row) => row.elsewhereCents)));
  const unassignedCents = Math.min(
    Math.max(seenCents, elsewhereCents - (askedCents - madeCents)),
    Math.max(0, payment.amountCents - askedCents),
  );
  return {
    totalCents,
    arrivedCents: totalCents - sumAmounts(pending),
    elsewhereCents,
    pendingElsewhereCents: sumAmounts(pending.filter((refund) => !isOwn(refund))),
    unassignedCents,
    refunds: cover(made, elsewhereCents - unassignedCents),
  };
}

/** Refunds of which the shop has the provider's word, and which a list that was asked for earlier does not have. */
function listUnlisted(own: readonly OwnRefund[], refunds: readonly ProviderRefund[]): ProviderRefund[] {
  return own.flatMap(({ id, providerId, amountCents, state }) => {
    // A provider that lists none may still tell by the charge what has become of one that was on its way.
    const isKnown = state === 'succeeded' || (state === 'pending' && refunds.length > 0);
    const isListed = refunds.some(({ refundId }) => refundId === id);
    return providerId !== null && isKnown && !isListed
      ? [{ id: providerId, amountCents, state, refundId: id }]
      : [];
  });
}

/** Those first that the shop does not ask for again, then in the order of their ids, whoever looks. */
function cover(made: readonly (OwnRefund & { madeCents: number })[], cents: number): GivenBack['refunds'] {
  const isDone = ({ state, providerId, madeCents }: (typeof made)[number]) =>
    madeCents > 0 || (state === 'succeeded' && providerId === null);
  const inTurn = made.toSorted((a, b) => Number(isDone(b)) - Number(isDone(a)) || (a.id < b.id ? -1 : 1));
  let leftCents = cents;
  return new Map(
    inTurn.map(({ id, amountCents, madeCents }) => {
      const coveredCents = Math.min(leftCents, amountCents - madeCents);
      leftCents -= coveredCents;
      return [id, { madeCents, coveredCents }];
    }),
  );
}

/**
 * What the provider is to be asked for, for one of the shop's refunds, in cents; nothing when it was made, here or
 * elsewhere. Nothing either while what somebody else makes in its place is on its way: should that fail, all of it is owed.
 */
export function countOwed(
  refund: Pick<OwnRefund, 'id' | 'amountCents'>,
  { receivedCents }: Pick<ProviderPayment, 'receivedCents'>,
  givenBack: GivenBack,
): number {
  const { coveredCents = 0 } = givenBack.refunds.get(refund.id) ?? {};
  if (coveredCents > 0 && givenBack.pendingElsewhereCents > 0) return 0;
  return Math.max(0, Math.min(receivedCents - givenBack.totalCents, countMissing(refund, givenBack)));
}

/** What of one of the shop's refunds nobody has given back, in cents. */
function countMissing(
  { id, amountCents }: Pick<OwnRefund, 'id' | 'amountCents'>,
  { refunds }: Pick<GivenBack, 'refunds'>,
): number {
  const { madeCents = 0, coveredCents = 0 } = refunds.get(id) ?? {};
  return amountCents - madeCents - coveredCents;
}

/** Why a refund has come to its end that the shop did not make. */
const GIVEN_BACK_ELSEWHERE = 'given back at the provider';

/** A refund that somebody else has made: the customer has the money, or gets it. */
export const endElsewhere = (isPending: boolean) => ({
  state: isPending ? ('pending' as const) : ('succeeded' as const),
  providerId: null,
  note: GIVEN_BACK_ELSEWHERE,
});

/** How far one of the shop's refunds is; as it was, where the provider says nothing of it. */
export function resolveRefund(
  { id, amountCents, state, providerId, note }: OwnRefund & Pick<RefundRow, 'note'>,
  { refunds }: Claims,
  givenBack: GivenBack,
): Pick<RefundRow, 'state' | 'providerId' | 'note'> {
  const refund = findOwnRefund({ id }, refunds);
  const isCovered = givenBack.refunds.get(id)?.coveredCents === amountCents;
  if (isCovered) return endElsewhere(givenBack.pendingElsewhereCents > 0);
  return refund ? { state: refund.state, providerId: refund.id, note } : { state, providerId, note };
}

/**
 * What has become of an order's money, and whether all of it is gone for good. What is nobody's is the order's when the
 * payment is for it alone, but for what could not be given back; when nothing is left of the payment each order has its
 * total back.
 * @param own the shop's refunds of the payment, as they are after the same look at the provider
 */
export function summarizeMoney(
  { id: orderId, totalCents }: { id: string; totalCents: number },
  payment: Pick<ProviderPayment, 'amountCents' | 'refundedCents' | 'disputed'>,
  own: readonly OwnRefund[],
  claims: Claims,
): OrderMoney & { isGone: boolean } {
  const givenBack = divideGivenBack(payment, own, claims);
  const { arrivedCents, elsewhereCents, pendingElsewhereCents } = givenBack;
  const ofOrder = own.filter((refund) => refund.orderId === orderId);
  const ownCents = sumAmounts(ofOrder);
  const isAllGone = arrivedCents >= payment.amountCents;
  const isAlone = payment.amountCents === totalCents;

  const hasNone = ownCents === 0 && elsewhereCents === 0;
  // What could not be given back at the provider is shown as long as there is nothing else to be shown. It is not the
  // order's either: all of its money is there, and can be given back.
  const elseCents = hasNone ? countFailedElsewhere(own, claims) : givenBack.unassignedCents;
  const isItsOwn = isAlone && !hasNone;
  const refundCents = isAllGone ? totalCents : Math.min(totalCents, ownCents + (isItsOwn ? elseCents : 0));
  const unassignedCents = isAllGone || isItsOwn ? 0 : elseCents;
  const hasOwn = (state: RefundState) => ofOrder.some((refund) => refund.state === state);
  const isCovered = ofOrder.some(({ id }) => (givenBack.refunds.get(id)?.coveredCents ?? 0) > 0);
  const concernsOrder = isAlone || isCovered || unassignedCents > 0;
  const isFailed = hasOwn('failed') || hasNone;
  const isPending = hasOwn('pending') || (concernsOrder && pendingElsewhereCents > 0);
  const failed = ofOrder.filter(({ state }) => state === 'failed');
  const missingCents = failed.reduce((sum, row) => sum + countMissing(row, givenBack), 0);
  const succeeded = ofOrder.filter(({ state }) => state === 'succeeded');
  return {
    refundCents,
    unassignedCents,
    refundState:
      refundCents + unassignedCents === 0 ? null : isFailed ? 'failed' : isPending ? 'pending' : 'succeeded',
    failedCents: isAllGone ? 0 : Math.min(refundCents, missingCents),
    disputed:
      claims.disputes.length === 0 ? payment.disputed : claims.disputes.some(({ state }) => state === 'open'),
    isGone: isAllGone || sumAmounts(succeeded) >= totalCents,
  };
}

const countFailedElsewhere = (own: readonly OwnRefund[], { refunds }: Claims): number =>
  sumAmounts(refunds.filter((refund) => !isMade(refund) && !own.some(({ id }) => id === refund.refundId)));
