import type { RefundState } from '@parts-forge/contract/order-states';
import type { OrderMoney } from '#src/orders/order-money.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from '#src/payments/provider/provider.ts';
import type { RefundRow } from './refund-store.ts';

/** Refunds and disputes of a payment, as the provider lists them. */
export interface Claims {
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}

/** One of the shop's own refunds. `elsewhereCents` had been refunded at the provider when it was requested. */
export type ShopRefund = Pick<
  RefundRow,
  'id' | 'orderId' | 'amountCents' | 'elsewhereCents' | 'state' | 'providerId'
>;

/**
 * The refunds of a payment, split by who issued them and what for; in cents. External refunds are those that the shop
 * did not issue, such as refunds made in the provider's dashboard.
 */
export interface RefundSplit {
  /** Arrived or on its way, lost disputes included. */
  refundedCents: number;
  arrivedCents: number;
  externalCents: number;
  pendingExternalCents: number;
  /** The part of `externalCents` that belongs to no order. */
  unassignedCents: number;
  shopRefunds: ReadonlyMap<string, Coverage>;
}

/** The parts of one of the shop's refunds that the shop issued, and that an external refund covers. */
interface Coverage {
  issuedCents: number;
  coveredCents: number;
}

const sumBy = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);
const sumAmounts = (items: readonly { amountCents: number }[]) => sumBy(items, (item) => item.amountCents);
const isEffective = ({ state }: ProviderRefund): boolean => state !== 'failed';
const belongsToShop = ({ refundId }: ProviderRefund, shopRefunds: readonly ShopRefund[]): boolean =>
  shopRefunds.some(({ id }) => id === refundId);

/** The refunded amount of a payment, in cents: of the listed refunds, or of the charge where none is listed. */
export function countRefunded(
  { refundedCents }: Pick<ProviderPayment, 'refundedCents'>,
  refunds: readonly ProviderRefund[],
): number {
  return refunds.length === 0 ? refundedCents : sumAmounts(refunds.filter(isEffective));
}

/** The attempt that decides how far one of the shop's refunds is; null when the provider has none. */
export function findOwnRefund(
  { id }: Pick<RefundRow, 'id'>,
  refunds: readonly ProviderRefund[],
): ProviderRefund | null {
  const attempts = refunds.filter(({ refundId }) => refundId === id);
  const findBy = (state: RefundState) => attempts.find((attempt) => attempt.state === state);
  return findBy('succeeded') ?? findBy('pending') ?? findBy('failed') ?? null;
}

/**
 * Splits the refunds of a payment. Each order gets its share back once. An external refund covers what the shop's
 * refunds still owe, and the surplus is unassigned. It does not cover refunds that were requested after it, unless
 * nothing else of the payment is left.
 *
 * Example: orders A (10) and B (20) were paid together. The shop's refund of A fails, and somebody refunds 15 in the
 * dashboard. 10 of these cover A's refund, so the shop issues none, and 5 are unassigned. A refund of B is then
 * requested with the 15 that are left. The shop issues all of it, as the 5 were there before.
 * @param shopRefunds of all the payment's orders, read after the provider's were listed
 */
export function splitRefunds(
  payment: Pick<ProviderPayment, 'amountCents' | 'refundedCents'>,
  shopRefunds: readonly ShopRefund[],
  { refunds, disputes }: Claims,
): RefundSplit {
  const effective = [...refunds, ...listUnlisted(shopRefunds, refunds)].filter(isEffective);
  const pending = effective.filter(({ state }) => state === 'pending');
  const lostCents = sumAmounts(disputes.filter(({ state }) => state === 'lost'));
  const chargedBackCents = refunds.length === 0 ? payment.refundedCents : 0;
  const refundedCents = Math.max(sumAmounts(effective), chargedBackCents) + lostCents;

  const issued = shopRefunds.map((row) => {
    const cents = sumAmounts(effective.filter(({ refundId }) => refundId === row.id));
    return { ...row, issuedCents: Math.min(row.amountCents, cents) };
  });
  const externalCents = refundedCents - sumBy(issued, (row) => row.issuedCents);
  const unassignedCents = countUnassigned(payment.amountCents, issued, externalCents);
  return {
    refundedCents,
    arrivedCents: refundedCents - sumAmounts(pending),
    externalCents,
    pendingExternalCents: sumAmounts(pending.filter((refund) => !belongsToShop(refund, shopRefunds))),
    unassignedCents,
    shopRefunds: cover(issued, externalCents - unassignedCents),
  };
}

/** The provider confirmed these refunds of the shop, and a list that was requested earlier lacks them. */
function listUnlisted(
  shopRefunds: readonly ShopRefund[],
  refunds: readonly ProviderRefund[],
): ProviderRefund[] {
  return shopRefunds.flatMap(({ id, providerId, amountCents, state }) => {
    // A provider that lists none may still show by the charge how a pending refund ended.
    const isKnown = state === 'succeeded' || (state === 'pending' && refunds.length > 0);
    const isListed = refunds.some(({ refundId }) => refundId === id);
    return providerId !== null && isKnown && !isListed
      ? [{ id: providerId, amountCents, state, refundId: id }]
      : [];
  });
}

type IssuedRefund = ShopRefund & Pick<Coverage, 'issuedCents'>;

/** At least what was refunded before a request, at most what no refund of the shop has requested. */
function countUnassigned(paidCents: number, issued: readonly IssuedRefund[], externalCents: number): number {
  const requestedCents = sumAmounts(issued);
  const owedCents = requestedCents - sumBy(issued, (row) => row.issuedCents);
  const earlierCents = Math.min(externalCents, Math.max(0, ...issued.map((row) => row.elsewhereCents)));
  const surplusCents = Math.max(earlierCents, externalCents - owedCents);
  return Math.min(surplusCents, Math.max(0, paidCents - requestedCents));
}

/** Refunds that the shop will not request again come first, then the order is by id, in every process the same. */
function cover(issued: readonly IssuedRefund[], externalCents: number): ReadonlyMap<string, Coverage> {
  const isDone = ({ state, providerId, issuedCents }: IssuedRefund) =>
    issuedCents > 0 || (state === 'succeeded' && providerId === null);
  const inOrder = issued.toSorted((a, b) => Number(isDone(b)) - Number(isDone(a)) || (a.id < b.id ? -1 : 1));
  let leftCents = externalCents;
  return new Map(
    inOrder.map(({ id, amountCents, issuedCents }) => {
      const coveredCents = Math.min(leftCents, amountCents - issuedCents);
      leftCents -= coveredCents;
      return [id, { issuedCents, coveredCents }];
    }),
  );
}

const findCoverage = ({ id }: Pick<ShopRefund, 'id'>, { shopRefunds }: RefundSplit): Coverage =>
  shopRefunds.get(id) ?? { issuedCents: 0, coveredCents: 0 };

/** The part of one of the shop's refunds that nobody has refunded, in cents. */
function countMissing(refund: Pick<ShopRefund, 'id' | 'amountCents'>, split: RefundSplit): number {
  const { issuedCents, coveredCents } = findCoverage(refund, split);
  return refund.amountCents - issuedCents - coveredCents;
}

/**
 * The amount to request from the provider for one of the shop's refunds, in cents. It is 0 while an external refund that
 * covers a part is pending: if that one fails, the shop owes all of it.
 */
export function countOwed(
  refund: Pick<ShopRefund, 'id' | 'amountCents'>,
  { receivedCents }: Pick<ProviderPayment, 'receivedCents'>,
  split: RefundSplit,
): number {
  const isCovered = findCoverage(refund, split).coveredCents > 0;
  if (isCovered && split.pendingExternalCents > 0) return 0;
  return Math.max(0, Math.min(receivedCents - split.refundedCents, countMissing(refund, split)));
}

/** The end of a refund of the shop that external refunds cover. */
export const endExternally = (isPending: boolean) => ({
  state: isPending ? ('pending' as const) : ('succeeded' as const),
  providerId: null,
  note: 'given back at the provider',
});

/** How far one of the shop's refunds is; unchanged when the provider has no attempt. */
export function resolveRefund(
  row: ShopRefund & Pick<RefundRow, 'note'>,
  { refunds }: Claims,
  split: RefundSplit,
): Pick<RefundRow, 'state' | 'providerId' | 'note'> {
  const isCovered = findCoverage(row, split).coveredCents === row.amountCents;
  if (isCovered) return endExternally(split.pendingExternalCents > 0);
  const { note } = row;
  const attempt = findOwnRefund(row, refunds);
  return attempt
    ? { state: attempt.state, providerId: attempt.id, note }
    : { state: row.state, providerId: row.providerId, note };
}

/** One order of a payment, with the refunds that the shop requested for it. */
interface OrderRefunds {
  totalCents: number;
  paidCents: number;
  requested: readonly ShopRefund[];
  split: RefundSplit;
  failedExternalCents: number;
}

const isAllRefunded = ({ paidCents, split }: OrderRefunds) => split.arrivedCents >= paidCents;
const isOnlyOrder = ({ paidCents, totalCents }: OrderRefunds) => paidCents === totalCents;
const hasNoRefund = ({ requested, split }: OrderRefunds) =>
  sumAmounts(requested) === 0 && split.externalCents === 0;

/**
 * The money of one order of a payment, and whether all of it is gone for good.
 *
 * | the payment | `refundCents` | `unassignedCents` |
 * |---|---|---|
 * | arrived back completely | the order's total | 0 |
 * | has no refund for the order, no external one | 0 | external refunds that failed |
 * | is for this order alone | requested + unassigned | 0 |
 * | is for several orders | requested | unassigned |
 * @param shopRefunds of all the payment's orders, resolved against the same claims
 */
export function summarizeMoney(
  { id, totalCents }: { id: string; totalCents: number },
  payment: Pick<ProviderPayment, 'amountCents' | 'refundedCents' | 'disputed'>,
  shopRefunds: readonly ShopRefund[],
  claims: Claims,
): OrderMoney & { isGone: boolean } {
  const requested = shopRefunds.filter(({ orderId }) => orderId === id);
  const failedExternal = claims.refunds.filter(
    (refund) => !isEffective(refund) && !belongsToShop(refund, shopRefunds),
  );
  const order: OrderRefunds = {
    totalCents,
    paidCents: payment.amountCents,
    requested,
    split: splitRefunds(payment, shopRefunds, claims),
    failedExternalCents: sumAmounts(failedExternal),
  };
  const assigned = assign(order);
  const succeededCents = sumAmounts(requested.filter(({ state }) => state === 'succeeded'));
  return {
    ...assigned,
    refundState: findRefundState(order, assigned),
    failedCents: isAllRefunded(order) ? 0 : Math.min(assigned.refundCents, countFailed(order)),
    disputed: isDisputed(payment, claims),
    isGone: isAllRefunded(order) || succeededCents >= totalCents,
  };
}

type Assigned = Pick<OrderMoney, 'refundCents' | 'unassignedCents'>;

/** The table of `summarizeMoney`. */
function assign(order: OrderRefunds): Assigned {
  const { totalCents, requested, split, failedExternalCents } = order;
  if (isAllRefunded(order)) return { refundCents: totalCents, unassignedCents: 0 };
  if (hasNoRefund(order)) return { refundCents: 0, unassignedCents: failedExternalCents };
  const requestedCents = sumAmounts(requested);
  const { unassignedCents } = split;
  return isOnlyOrder(order)
    ? { refundCents: Math.min(totalCents, requestedCents + unassignedCents), unassignedCents: 0 }
    : { refundCents: Math.min(totalCents, requestedCents), unassignedCents };
}

/** The order waits for pending external refunds only if they concern it: alone, covered or with unassigned money. */
function findRefundState(
  order: OrderRefunds,
  { refundCents, unassignedCents }: Assigned,
): RefundState | null {
  const { requested, split } = order;
  if (refundCents + unassignedCents === 0) return null;
  const states = requested.map(({ state }) => state);
  if (states.includes('failed') || hasNoRefund(order)) return 'failed';
  const isCovered = requested.some((refund) => findCoverage(refund, split).coveredCents > 0);
  const isConcerned = isOnlyOrder(order) || isCovered || unassignedCents > 0;
  const waitsForExternal = isConcerned && split.pendingExternalCents > 0;
  return states.includes('pending') || waitsForExternal ? 'pending' : 'succeeded';
}

const countFailed = ({ requested, split }: OrderRefunds): number =>
  sumBy(
    requested.filter(({ state }) => state === 'failed'),
    (refund) => countMissing(refund, split),
  );

/** A charge stays marked as disputed for ever, so listed disputes count in its place. */
const isDisputed = ({ disputed }: Pick<ProviderPayment, 'disputed'>, { disputes }: Claims): boolean =>
  disputes.length === 0 ? disputed : disputes.some(({ state }) => state === 'open');
