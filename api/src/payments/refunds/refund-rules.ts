import type { RefundState } from '@parts-forge/contract/orders/order-states';
import type { OrderMoney } from '#src/orders/order-money.ts';
import type { OrderRow } from '#src/orders/store.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from '#src/payments/provider/provider.ts';
import type { RefundRow } from './refund-store.ts';

export interface Claims {
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}

/** `elsewhereCents`: refunded at the provider before the request. */
export type ShopRefund = Pick<
  RefundRow,
  'id' | 'orderId' | 'amountCents' | 'elsewhereCents' | 'state' | 'providerId'
>;

/** In cents. The shop did not issue external refunds; they may come from the provider's dashboard. */
export interface RefundSplit {
  /** Includes pending refunds and lost disputes. */
  refundedCents: number;
  arrivedCents: number;
  lostCents: number;
  externalCents: number;
  pendingExternalCents: number;
  unassignedCents: number;
  shopRefunds: ReadonlyMap<string, Coverage>;
}

/** The parts that the shop issued, that of these have arrived, and that external refunds cover. */
interface Coverage {
  issuedCents: number;
  arrivedCents: number;
  coveredCents: number;
  isCoverPending: boolean;
}

const sumBy = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);
export const sumAmounts = (items: readonly { amountCents: number }[]) =>
  sumBy(items, (item) => item.amountCents);
const isEffective = ({ state }: ProviderRefund): boolean => state !== 'failed';
const belongsToShop = ({ refundId }: ProviderRefund, shopRefunds: readonly ShopRefund[]): boolean =>
  shopRefunds.some(({ id }) => id === refundId);

export const countGone = (
  payment: Pick<ProviderPayment, 'refundedCents'>,
  { refunds, disputes }: Claims,
): number => countRefunded(payment, refunds) + sumAmounts(disputes.filter(({ state }) => state === 'lost'));

/** From the charge if no refund is listed. */
export function countRefunded(
  { refundedCents }: Pick<ProviderPayment, 'refundedCents'>,
  refunds: readonly ProviderRefund[],
): number {
  return refunds.length === 0 ? refundedCents : sumAmounts(refunds.filter(isEffective));
}

export function findOwnRefund(
  { id }: Pick<RefundRow, 'id'>,
  refunds: readonly ProviderRefund[],
): ProviderRefund | null {
  const attempts = refunds.filter(({ refundId }) => refundId === id);
  const findBy = (state: RefundState) => attempts.find((attempt) => attempt.state === state);
  return findBy('pending') ?? findBy('succeeded') ?? findBy('failed') ?? null;
}

/**
 * Each order gets its share back once. An external refund covers refunds that the shop still owes; the
 * surplus is unassigned. It covers a later request only if nothing else is left.
 *
 * Example: orders A (10) and B (20) were paid together. The shop's refund of A fails, and 15 are refunded
 * in the dashboard. 10 cover A's refund, and 5 are unassigned. A later refund of B is for the remaining 15,
 * and the shop issues all of it.
 * @param shopRefunds of all the payment's orders, read after the provider's list
 */
export function splitRefunds(
  payment: Pick<ProviderPayment, 'amountCents' | 'refundedCents'>,
  shopRefunds: readonly ShopRefund[],
  { refunds, disputes }: Claims,
): RefundSplit {
  const listed = refunds.filter(isEffective);
  const leftCents = payment.amountCents - sumAmounts(listed);
  const effective = [...listed, ...listUnlisted(shopRefunds, refunds, leftCents)];
  const pending = effective.filter(({ state }) => state === 'pending');
  const lostCents = sumAmounts(disputes.filter(({ state }) => state === 'lost'));
  const chargedBackCents = refunds.length === 0 ? payment.refundedCents : 0;
  const refundedCents = Math.max(sumAmounts(effective), chargedBackCents) + lostCents;

  const issued = shopRefunds.map((row) => {
    const attempts = effective.filter(({ refundId }) => refundId === row.id);
    const count = (items: typeof attempts) => Math.min(row.amountCents, sumAmounts(items));
    const arrivedCents = count(attempts.filter(({ state }) => state === 'succeeded'));
    return { ...row, issuedCents: count(attempts), arrivedCents };
  });
  const externalCents = refundedCents - sumBy(issued, (row) => row.issuedCents);
  const pendingExternalCents = sumAmounts(pending.filter((refund) => !belongsToShop(refund, shopRefunds)));
  const unassignedCents = countUnassigned(payment.amountCents, issued, externalCents);
  return {
    refundedCents,
    arrivedCents: refundedCents - sumAmounts(pending),
    lostCents,
    externalCents,
    pendingExternalCents,
    unassignedCents,
    shopRefunds: cover(issued, externalCents - unassignedCents, externalCents - pendingExternalCents),
  };
}

/**
 * Confirmed refunds that an earlier list lacks. External ones in it came before them: where these covered a
 * part, the shop issued only the rest.
 * @param leftCents of the payment
 */
function listUnlisted(
  shopRefunds: readonly ShopRefund[],
  refunds: readonly ProviderRefund[],
  leftCents: number,
): ProviderRefund[] {
  const listed = refunds.filter(isEffective);
  const isListed = ({ id }: ShopRefund) => refunds.some(({ refundId }) => refundId === id);
  const isElsewhere = ({ state, providerId }: ShopRefund) => state === 'succeeded' && providerId === null;
  const done = shopRefunds.filter(
    (row) => isElsewhere(row) || listed.some((each) => each.refundId === row.id),
  );
  const ownCents = sumAmounts(listed.filter((refund) => belongsToShop(refund, done)));
  const external = listed.filter((refund) => !belongsToShop(refund, shopRefunds));
  let externalCents = sumAmounts(external) - (sumAmounts(done) - ownCents);
  let restCents = Math.max(0, leftCents);
  return shopRefunds.flatMap((row) => {
    const { id, providerId, amountCents, elsewhereCents, state } = row;
    // Without a list, the charge may still show how a pending refund ended.
    const isKnown = state === 'succeeded' || (state === 'pending' && refunds.length > 0);
    if (providerId === null || !isKnown || isListed(row)) return [];
    const covering = Math.max(0, externalCents - elsewhereCents);
    const coveredCents = covering < amountCents ? covering : 0;
    const issuedCents = Math.min(amountCents - coveredCents, restCents);
    externalCents -= coveredCents;
    restCents -= issuedCents;
    return [{ id: providerId, amountCents: issuedCents, state, refundId: id }];
  });
}

type IssuedRefund = ShopRefund & Pick<Coverage, 'issuedCents' | 'arrivedCents'>;

/** At least the refunds before a request, at most the part that no shop refund requested. */
function countUnassigned(paidCents: number, issued: readonly IssuedRefund[], externalCents: number): number {
  const requestedCents = sumAmounts(issued);
  const owedCents = requestedCents - sumBy(issued, (row) => row.issuedCents);
  const earlierCents = Math.min(externalCents, Math.max(0, ...issued.map((row) => row.elsewhereCents)));
  const surplusCents = Math.max(earlierCents, externalCents - owedCents);
  return Math.min(surplusCents, Math.max(0, paidCents - requestedCents));
}

/**
 * Finished refunds first, then by id, so that all processes agree.
 * @param arrivedExternalCents cover first; what waits is at most the rest
 */
function cover(
  issued: readonly IssuedRefund[],
  externalCents: number,
  arrivedExternalCents: number,
): ReadonlyMap<string, Coverage> {
  const isDone = ({ state, providerId, issuedCents }: IssuedRefund) =>
    issuedCents > 0 || (state === 'succeeded' && providerId === null);
  const inOrder = issued.toSorted((a, b) => Number(isDone(b)) - Number(isDone(a)) || (a.id < b.id ? -1 : 1));
  let coveredBefore = 0;
  return new Map(
    inOrder.map(({ id, amountCents, issuedCents, arrivedCents }) => {
      const coveredCents = Math.min(externalCents - coveredBefore, amountCents - issuedCents);
      coveredBefore += coveredCents;
      const isCoverPending = coveredBefore > arrivedExternalCents;
      return [id, { issuedCents, arrivedCents, coveredCents, isCoverPending }];
    }),
  );
}

const findCoverage = ({ id }: Pick<ShopRefund, 'id'>, { shopRefunds }: RefundSplit): Coverage =>
  shopRefunds.get(id) ?? { issuedCents: 0, arrivedCents: 0, coveredCents: 0, isCoverPending: false };

function countMissing(refund: Pick<ShopRefund, 'id' | 'amountCents'>, split: RefundSplit): number {
  const { issuedCents, coveredCents } = findCoverage(refund, split);
  return refund.amountCents - issuedCents - coveredCents;
}

/** 0 while a covering external refund is pending: if it fails, the shop owes everything. */
export function countOwed(
  refund: Pick<ShopRefund, 'id' | 'amountCents'>,
  { receivedCents }: Pick<ProviderPayment, 'receivedCents'>,
  split: RefundSplit,
): number {
  const isCovered = findCoverage(refund, split).coveredCents > 0;
  if (isCovered && split.pendingExternalCents > 0) return 0;
  return Math.max(0, Math.min(receivedCents - split.refundedCents, countMissing(refund, split)));
}

/**
 * The state stays when the provider has no attempt. A refund that is owed again, as what covered it came
 * back, has failed.
 */
export function resolveRefund(
  row: ShopRefund & Pick<RefundRow, 'note'>,
  payment: Pick<ProviderPayment, 'receivedCents'>,
  { refunds, disputes }: Claims,
  split: RefundSplit,
): Pick<RefundRow, 'state' | 'providerId' | 'note'> {
  const { coveredCents, isCoverPending } = findCoverage(row, split);
  if (coveredCents === row.amountCents) {
    const state = isCoverPending ? 'pending' : 'succeeded';
    return { state, providerId: null, note: 'refunded at the provider' };
  }
  const { note } = row;
  const attempt = findOwnRefund(row, refunds);
  const { state, providerId } = attempt ? { state: attempt.state, providerId: attempt.id } : row;
  const isOpen = disputes.some((dispute) => dispute.state === 'open');
  const isOwed = !isOpen && state === 'succeeded' && countOwed(row, payment, split) > 0;
  return isOwed
    ? { state: 'failed', providerId, note: 'the refund at the provider came back' }
    : { state, providerId, note };
}

interface OrderRefunds {
  totalCents: number;
  paidCents: number;
  requested: readonly ShopRefund[];
  split: RefundSplit;
  failedExternalCents: number;
  given: ReadonlyMap<string, number>;
}

const isAllRefunded = ({ paidCents, split }: OrderRefunds) => split.arrivedCents >= paidCents;
const isOnlyOrder = ({ paidCents, totalCents }: OrderRefunds) => paidCents === totalCents;
const hasNoRefund = ({ requested, split }: OrderRefunds) =>
  sumAmounts(requested) === 0 && split.externalCents === 0;

type ClosableOrder = Pick<OrderRow, 'id' | 'totalCents' | 'closed'>;

/**
 * An order that is alone, or closed as refunded, gets unassigned money up to its total, by id. What a closed
 * one then lacks has come back.
 */
function giveUnassigned(
  orders: readonly ClosableOrder[],
  { amountCents }: Pick<ProviderPayment, 'amountCents'>,
  shopRefunds: readonly ShopRefund[],
  { unassignedCents }: RefundSplit,
): ReadonlyMap<string, number> {
  const takers = orders.filter(
    ({ closed, totalCents }) => closed === 'refunded' || totalCents === amountCents,
  );
  let leftCents = unassignedCents;
  return new Map(
    sortById(takers).map(({ id, totalCents }) => {
      const requested = shopRefunds.filter(({ orderId }) => orderId === id);
      const givenCents = Math.min(leftCents, Math.max(0, totalCents - sumAmounts(requested)));
      leftCents -= givenCents;
      return [id, givenCents];
    }),
  );
}

/** So that all processes agree. */
const sortById = <T extends Pick<ClosableOrder, 'id'>>(orders: readonly T[]): T[] =>
  orders.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/**
 * Each order's part; what it is a part of is counted once. `isGone`: all of its money is refunded for good. As
 * long as the provider has the money of an undecided dispute, no sum falls.
 *
 * | the payment | `refundCents` | `unassignedCents` |
 * |---|---|---|
 * | is refunded completely | the order's total | 0 |
 * | has no refund for the order, no external one | 0 | external refunds that failed |
 * | else | requested + given | unassigned - given to any |
 * @param shopRefunds of all the payment's orders, resolved against the same claims
 * @param orders those that it paid
 */
export function summarizeMoney(
  payment: Pick<ProviderPayment, 'amountCents' | 'refundedCents' | 'disputed'>,
  shopRefunds: readonly ShopRefund[],
  claims: Claims,
  orders: readonly PaidOrder[],
): (order: ClosableOrder & OrderMoney) => OrderMoney & { isGone: boolean } {
  const failedExternal = claims.refunds.filter(
    (refund) => !isEffective(refund) && !belongsToShop(refund, shopRefunds),
  );
  const split = splitRefunds(payment, shopRefunds, claims);
  const ofPayment = {
    paidCents: payment.amountCents,
    split,
    failedExternalCents: sumAmounts(failedExternal),
    given: giveUnassigned(orders, payment, shopRefunds, split),
  };
  const hold = findHold(payment, claims);
  const isAway = hold.disputed && !hold.inquiry;
  const settleOrder = settle(orders, shopRefunds, ofPayment, isAway);
  return ({ id, totalCents, closed, ...former }) => {
    const requested = shopRefunds.filter(({ orderId }) => orderId === id);
    const order: OrderRefunds = { ...ofPayment, totalCents, requested };
    const assigned = assign(id, order);
    const settled = settleOrder(id, requested);
    if (isAway && former.refundState === 'succeeded' && sumUp(assigned) < sumUp(former)) {
      return { ...pickSums(former), ...settled, ...hold, isGone: false };
    }
    const succeededCents = sumAmounts(requested.filter(({ state }) => state === 'succeeded'));
    const money = {
      ...assigned,
      refundState: findRefundState(order, assigned),
      failedCents: isAllRefunded(order) ? 0 : Math.min(assigned.refundCents, countFailed(order)),
      ...settled,
      ...hold,
      isGone: isAllRefunded(order) || succeededCents >= totalCents,
    };
    // Its failed refund at the provider has come back.
    const isReturned = closed === 'refunded' && !isAway && hasNoRefund(order);
    return isReturned ? { ...money, unassignedCents: 0, refundState: null } : money;
  };
}

type PaidOrder = ClosableOrder & Pick<OrderMoney, 'lostCents'>;

/**
 * Each cent that has left the payment is on one order: the shop's refunds on theirs; external refunds, then lost
 * disputes, on the refunds that they cover, and else by id up to the order's rest. The last order takes
 * everything beyond: a dispute may take the whole charge after a refund.
 */
function settle(
  orders: readonly PaidOrder[],
  shopRefunds: readonly ShopRefund[],
  { split, given }: Pick<OrderRefunds, 'split' | 'given'>,
  isAway: boolean,
): (id: string, requested: readonly ShopRefund[]) => Pick<OrderMoney, 'settledCents' | 'lostCents'> {
  const inOrder = sortById(orders);
  const wanted = [
    ...[...split.shopRefunds].map(([refundId, { coveredCents: cents }]) => {
      return { id: shopRefunds.find((row) => row.id === refundId)?.orderId, cents };
    }),
    ...[...given].map(([id, cents]) => ({ id, cents })),
    ...inOrder.map(({ id, totalCents }) => {
      const requestedCents = sumAmounts(shopRefunds.filter(({ orderId }) => orderId === id));
      return { id, cents: Math.max(0, totalCents - requestedCents - (given.get(id) ?? 0)) };
    }),
    { id: inOrder.at(-1)?.id, cents: Number.POSITIVE_INFINITY },
  ];
  const take = (cents: number): ReadonlyMap<string | undefined, number> => {
    let leftCents = cents;
    const taken = new Map<string | undefined, number>();
    for (const want of wanted) {
      const takenCents = Math.min(leftCents, want.cents);
      leftCents -= takenCents;
      want.cents -= takenCents;
      taken.set(want.id, (taken.get(want.id) ?? 0) + takenCents);
    }
    return taken;
  };
  const ownArrived = sumBy([...split.shopRefunds.values()], (refund) => refund.arrivedCents);
  const external = take(split.arrivedCents - ownArrived - split.lostCents);
  const lost = take(split.lostCents);
  // An appeal may win them back: until then they stay lost.
  const isKept = isAway && sumBy(orders, (order) => order.lostCents) > split.lostCents;
  const kept = isKept ? new Map(orders.map(({ id, lostCents }) => [id, lostCents])) : lost;
  return (id, requested) => {
    const lostCents = kept.get(id) ?? 0;
    const arrivedCents = sumBy(requested, (refund) => findCoverage(refund, split).arrivedCents);
    return { settledCents: arrivedCents + (external.get(id) ?? 0) + lostCents, lostCents };
  };
}

const pickSums = ({ refundCents, unassignedCents, refundState, failedCents }: OrderMoney) => ({
  refundCents,
  unassignedCents,
  refundState,
  failedCents,
});

type Assigned = Pick<OrderMoney, 'refundCents' | 'unassignedCents'>;
const sumUp = ({ refundCents, unassignedCents }: Assigned): number => refundCents + unassignedCents;

function assign(id: string, order: OrderRefunds): Assigned {
  const { totalCents, requested, split, failedExternalCents, given } = order;
  if (isAllRefunded(order)) return { refundCents: totalCents, unassignedCents: 0 };
  if (hasNoRefund(order)) return { refundCents: 0, unassignedCents: failedExternalCents };
  return {
    refundCents: Math.min(totalCents, sumAmounts(requested) + (given.get(id) ?? 0)),
    unassignedCents: split.unassignedCents - sumBy([...given.values()], (cents) => cents),
  };
}

/**
 * A refund of the order's rest, as `summarizeMoney` counted it: at most what the payment still has. An
 * external refund may have been for any of the orders; one that failed left the money with the shop.
 * @param orders those that the payment paid
 */
export function planRefund(
  { id, totalCents }: Pick<OrderRow, 'id' | 'totalCents'>,
  orders: readonly (Assigned & Pick<OrderRow, 'id' | 'refundState'>)[],
  shopRefunds: readonly Pick<ShopRefund, 'orderId' | 'amountCents'>[],
  paidCents: number,
): Assigned & { amountCents: number; elsewhereCents: number } {
  const none = { refundCents: 0, unassignedCents: 0 };
  const sums = orders.map((order) => {
    const ownCents = sumAmounts(shopRefunds.filter(({ orderId }) => orderId === order.id));
    const { refundCents, unassignedCents } = order.refundState === 'failed' && ownCents === 0 ? none : order;
    return { id: order.id, refundCents, unassignedCents, givenCents: Math.max(0, refundCents - ownCents) };
  });
  const { refundCents, unassignedCents } = sums.find((order) => order.id === id) ?? none;
  const givenCents = sumBy(sums, (order) => order.givenCents);
  const elsewhereCents = givenCents + Math.max(...sums.map((order) => order.unassignedCents));
  const leftCents = paidCents - elsewhereCents - sumAmounts(shopRefunds);
  const amountCents = Math.min(totalCents - refundCents, leftCents);
  return { refundCents, unassignedCents, amountCents, elsewhereCents };
}

/** Pending external refunds count only for an order that is alone, covered or has unassigned money. */
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

/** A charge stays marked as disputed for ever, so listed disputes take precedence. */
export function findHold(
  { disputed }: Pick<ProviderPayment, 'disputed'>,
  { disputes }: Pick<Claims, 'disputes'>,
): Pick<OrderMoney, 'disputed' | 'inquiry'> {
  const isOpen = disputes.length === 0 ? disputed : disputes.some(({ state }) => state === 'open');
  const isAsked = disputes.some(({ state }) => state === 'inquiry');
  return { disputed: isOpen || isAsked, inquiry: isAsked && !isOpen };
}
