import { setImmediate } from 'node:timers/promises';
import { toAmount } from '@parts-forge/contract/money/money';
import { PROOF_SOURCES, type Proof, type ProofSource } from '@parts-forge/contract/orders/overview';
import { beginDay, readDay } from '@parts-forge/contract/text/days';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import { awaitMonth, listDays, sumDays, sumParts } from '#src/invoices/movements.ts';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import { type ListedPayment, sumBack } from '#src/payments/provider/provider.ts';
import { isLeftFromSandbox } from '#src/payments/provider/sandbox-payments.ts';
import { findShares } from '#src/payments/store.ts';
import { findMonthFacts, type OrderFacts } from './find-month-facts.ts';

/** In cents or pieces. */
export type Difference = Proof['differences'][number] & { payment?: string };

const MAX_DIFFERENCES = 100;
/** Between two turns of the event loop, as most need no further look. */
const PAYMENTS_AT_ONCE = 500;

type ProofServices = Pick<PaymentServices, 'clock' | 'config' | 'database' | 'payments' | 'instanceId'>;

/**
 * Compares, for each order with a movement in the month, the papers with orders, payments, provider and
 * ledger. Changes none of them.
 * @throws ProviderError
 */
export async function proveMonth(services: ProofServices, month: string): Promise<Proof> {
  const { db } = services.database;
  const days = listDays(month);
  const { differences, isListed } = await findDifferences(services, month);
  const [byDay, byPart] = [await sumDays(db, days), await sumParts(db, days)];
  const papers = {
    received: byDay.reduce((sum, { receivedCents }) => sum + receivedCents, 0),
    refunded: byDay.reduce((sum, { refundedCents, lostCents }) => sum + refundedCents + lostCents, 0),
    pieces: byPart.reduce((sum, part) => sum + part.pieces, 0),
  };
  const wrong = differences.filter(({ month }) => month === undefined);
  const dated = differences.filter(({ month }) => month !== undefined);
  const sumOf = (source: ProofSource, what: keyof typeof papers) =>
    wrong
      .filter((difference) => difference.source === source && difference.what === what)
      .reduce((sum, { is, wanted }) => sum + is - wanted, papers[what]);
  return {
    agree: wrong.length === 0,
    sums: PROOF_SOURCES.filter((source) => source !== 'provider' || isListed).map((source) => ({
      source,
      received: toAmount(sumOf(source, 'received')),
      refunded: toAmount(sumOf(source, 'refunded')),
      pieces: sumOf(source, 'pieces'),
    })),
    differences: [...wrong, ...dated]
      .slice(0, MAX_DIFFERENCES)
      .map(({ payment: _, is, wanted, ...difference }) => {
        const write = difference.what === 'pieces' ? (count: number) => count : toAmount;
        return { ...difference, is: write(is), wanted: write(wanted) };
      }),
  };
}

/** `isListed`: the provider has lists by date. */
export async function findDifferences(
  services: ProofServices,
  month: string,
): Promise<{ differences: Difference[]; isListed: boolean }> {
  const { database, config, payments } = services;
  const { db } = database;
  const days = await awaitMonth(services, month);
  const [from, until] = [beginDay(days.from, config.timeZone), beginDay(days.until, config.timeZone)];
  const listed = await payments.listPayments(from, until);
  const known = new Map((listed ?? []).map((payment) => [payment.id, payment]));
  const all = await findMonthFacts(db, days, from, until, [...known.keys()]);
  const byPayment = Map.groupBy(all, ({ transactionId }) => transactionId);
  const facts = all.filter(({ isBeforePapers }) => !isBeforePapers);
  const differences = facts.flatMap(compareOrder);
  differences.push(...(await compareStock(services, all)));
  if (!listed) return { differences, isListed: false };
  for (const [index, orders] of [...byPayment.values()].entries()) {
    if (index % PAYMENTS_AT_ONCE === 0) await setImmediate();
    if (orders.some(({ isBeforePapers }) => isBeforePapers)) continue;
    differences.push(...(await comparePayment(services, month, orders, known)));
  }
  for (const payment of listed.filter(({ id }) => !byPayment.has(id))) {
    differences.push(...(await compareUnapplied(services, payment)));
  }
  return { differences, isListed: true };
}

type Sums = Readonly<Record<string, readonly [is: number, wanted: number]>>;

const compare = (source: ProofSource, { id, number }: OrderFacts, sums: Sums): Difference[] =>
  (['received', 'refunded', 'pieces'] as const).flatMap((what) => {
    const [is, wanted] = sums[what] ?? [0, 0];
    return is === wanted ? [] : [{ order: id, number, source, what, is, wanted }];
  });

function compareOrder(facts: OrderFacts): Difference[] {
  const { papersReceived, papersRefunded, orderedPieces, returnedPieces, refundedPieces } = facts;
  const isPaid = facts.ordersReceived > 0 || papersReceived > 0;
  return [
    ...compare('orders', facts, {
      received: [facts.ordersReceived, papersReceived],
      refunded: [facts.ordersRefunded, papersRefunded],
      ...(isPaid && { pieces: [facts.soldPieces, facts.papersPieces ?? facts.soldPieces] as const }),
    }),
    ...compare('payments', facts, {
      received: [facts.paymentsReceived, papersReceived],
      refunded: [facts.paymentsRefunded, papersRefunded],
    }),
    // Fewer may return than were refunded.
    ...compare('stock', facts, {
      pieces: [orderedPieces - returnedPieces, orderedPieces - Math.max(refundedPieces, returnedPieces)],
    }).filter(() => returnedPieces > refundedPieces),
  ];
}

/** The parts of the month's orders, whose stock and ledger must agree now. */
async function compareStock(
  { database: { db } }: ProofServices,
  facts: readonly OrderFacts[],
): Promise<Difference[]> {
  const parts = [...new Set(facts.map(({ productId }) => productId))];
  const differences = await findStockDifferences(db, MAX_DIFFERENCES, parts);
  const about = { order: null, number: null, source: 'stock', what: 'pieces' } as const;
  return differences.map(({ productId: part, stock: is, ledger: wanted }) => ({
    ...about,
    part,
    is,
    wanted,
  }));
}

/** @param orders all that one payment paid */
async function comparePayment(
  services: ProofServices,
  month: string,
  orders: readonly OrderFacts[],
  listed: ReadonlyMap<string, ListedPayment>,
): Promise<Difference[]> {
  const [first] = orders;
  if (!first || first.transactionId === null) return [];
  const { transactionId: id } = first;
  const sumOf = (key: 'papersReceived' | 'papersRefunded') =>
    orders.reduce((sum, order) => sum + order[key], 0);
  const wanted = { received: sumOf('papersReceived'), refunded: sumOf('papersRefunded') };
  const payment = listed.get(id) ?? (await look(services, id));
  if (!payment && (await isLeftFromSandbox(services, id))) return [];
  const hasOtherShares = payment && payment.receivedCents !== wanted.received;
  if (hasOtherShares) {
    // Shares that their orders could not take, and that went back.
    for (const { state, amountCents } of await findShares(services.database.db, id)) {
      if (state === 'refund_due' || state === 'refunded') wanted.received += amountCents;
      if (state === 'refunded') wanted.refunded += amountCents;
    }
  }
  const received = payment?.receivedCents ?? 0;
  const refunded = payment ? await countRefunded(services, payment, wanted.refunded) : 0;
  const differences: Difference[] = compare('provider', first, {
    received: [received, wanted.received],
    refunded: [refunded, wanted.refunded],
  }).map((difference) => ({ ...difference, payment: id }));
  if (!payment || received !== wanted.received) return differences;
  const readMonth = (at: Date) => readDay(at, services.config.timeZone).slice(0, 7);
  const name = (sums: Sums, there: string) =>
    compare('provider', first, sums).map((each) => ({ ...each, month: there }));
  const there = readMonth(payment.at);
  if (there !== first.month && [there, first.month].includes(month)) {
    differences.push(...name({ received: there === month ? [received, 0] : [0, received] }, there));
  }
  const notes = orders.flatMap((order) => order.notes);
  const hasAll = payment.backCents === sumIn(notes, month);
  if (hasAll || refunded !== wanted.refunded || hasOtherShares) return differences;
  const moves = await listMoves(services, id);
  if (moves.some(({ state }) => state === 'open')) return differences;
  const back = moves.flatMap((move): Dated[] => (move.at ? [[readMonth(move.at), sumBack([move])]] : []));
  const elsewhere = listElsewhere(month, back, notes).flatMap(([there, cents]) =>
    name({ refunded: there === month ? [cents, 0] : [0, cents] }, there),
  );
  return [...differences, ...elsewhere];
}

type Dated = OrderFacts['notes'][number];

const sumIn = (dated: readonly Dated[], month: string): number =>
  dated.reduce((sum, [each, cents]) => (each === month ? sum + cents : sum), 0);

/**
 * Money of the provider that the notes date in another month, in one of which the month is. A debit note has no
 * date there.
 */
function listElsewhere(month: string, back: readonly Dated[], notes: readonly Dated[]): Dated[] {
  const count = (there: string) => sumIn(back, there) - Math.max(0, sumIn(notes, there));
  const here = count(month);
  if (here > 0) return [[month, here]];
  let missing = -here;
  // The nearest before it first: refunds begin before their notes.
  const others = [...new Set(back.map(([there]) => there))].toSorted(
    (a, b) => Number(a > month) - Number(b > month) || b.localeCompare(a),
  );
  return others.flatMap((there) => {
    const cents = Math.min(missing, Math.max(0, count(there)));
    missing -= cents;
    return cents > 0 ? [[there, cents]] : [];
  });
}

async function look(services: ProofServices, id: string): Promise<ListedPayment | null> {
  const payment = await services.payments.findPayment(id);
  return payment?.chargedAt ? { ...payment, at: payment.chargedAt, backCents: 0 } : null;
}

const listMoves = async ({ payments }: ProofServices, id: string) =>
  (await Promise.all([payments.listRefunds(id), payments.listDisputes(id)])).flat();

/** Asks for refunds and disputes only where the charge alone does not agree. Undecided money counts as wanted. */
async function countRefunded(
  services: ProofServices,
  { id, refundedCents, disputed }: ListedPayment,
  wantedCents: number,
): Promise<number> {
  if (refundedCents === wantedCents && !disputed) return refundedCents;
  const moves = await listMoves(services, id);
  if (moves.some(({ state }) => state === 'open')) return wantedCents;
  const hasRefunds = moves.some((move) => 'refundId' in move);
  return sumBack(moves) + (hasRefunds ? 0 : refundedCents);
}

/** A payment that no order has must have been refunded, unless the shop is about to. */
async function compareUnapplied(services: ProofServices, payment: ListedPayment): Promise<Difference[]> {
  const { id, receivedCents } = payment;
  const shares = await findShares(services.database.db, id);
  const isOfOthers = shares.length === 0 && payment.shop !== services.instanceId;
  const isUnfinished = shares.some(({ state }) => !['refunded', 'canceled'].includes(state));
  if (isOfOthers || isUnfinished) return [];
  const is = receivedCents - (await countRefunded(services, payment, receivedCents));
  if (is <= 0) return [];
  const order = shares[0]?.orderId ?? null;
  return [{ order, number: null, source: 'provider', what: 'received', is, wanted: 0, payment: id }];
}
