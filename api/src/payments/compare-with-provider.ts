import * as z from 'zod/mini';
import { findOrdersEvenClosed } from '#src/orders/store.ts';
import { findMetadata, setMetadata } from '#src/platform/database/metadata.ts';
import { type BookedPayment, findBookMistake } from './book-rules.ts';
import type { PaymentDifference } from './find-payment-differences.ts';
import type { PaymentServices } from './payment-services.ts';
import { ProviderError, type ProviderPayment } from './provider.ts';
import { refreshMoney } from './refresh-money.ts';
import type { Claims } from './refund-rules.ts';
import { findPaymentRefunds } from './refund-store.ts';
import { isLeftFromSandbox } from './sandbox-payments.ts';
import { findFinishedPaymentsAfter, findPaymentsChangedSince, findShares, type PaymentRow } from './store.ts';

/** Of each kind in one round, which an hour has time for even when the provider is slow. */
const LIMITS = { changed: 200, sampled: 50, suspected: 50 };
/** The first round looks back so far; what is older comes with the sample. */
const FIRST_LOOK_MS = 24 * 3_600_000;
/** A change is written with the time before its commit. */
const OVERLAP_MS = 60_000;

const NAME = 'books_provider';
/** How far the rounds have come. */
const progressSchema = z.object({
  changedUntil: z.iso.datetime(),
  /** The last payment of the sample, in the order of ids; empty to begin anew. */
  sampledUntil: z.string(),
  /** Payments that differed in the last round: they are looked at again until they do not. */
  suspects: z.array(z.string()),
});
type Progress = z.output<typeof progressSchema>;

/**
 * Compares payments that the shop is done with with what the provider has: all that changed since the last round, the
 * next fifty of all others, in turn, and those that differed last time; 300 at most. So what is wrong now is found
 * within the hour, what goes wrong without a change here in the end, and what was found is said until it is mended.
 * @throws ProviderError when the provider does not answer; the next round begins where this one did
 */
export async function compareWithProvider(services: PaymentServices): Promise<PaymentDifference[]> {
  const { db } = services.database;
  const now = services.clock.now();
  const progress = await readProgress(services, now);
  const since = new Date(Date.parse(progress.changedUntil) - OVERLAP_MS);
  const changed = await findPaymentsChangedSince(db, since, LIMITS.changed);
  const sample = await findFinishedPaymentsAfter(db, progress.sampledUntil, LIMITS.sampled);
  const suspects = (await Promise.all(progress.suspects.map((id) => findShares(db, id)))).flat();

  // One of several orders has a row for each of them, and is looked at once.
  const rows = new Map<string, PaymentRow>();
  for (const row of [...suspects, ...changed.map(({ payment }) => payment), ...sample]) rows.set(row.id, row);
  const differences: PaymentDifference[] = [];
  for (const row of rows.values()) {
    const reason = await compare(services, row.id);
    if (reason !== null) differences.push({ order: row.orderId, payment: row.id, reason });
  }
  const isAll = changed.length < LIMITS.changed;
  const changedUntil = isAll ? now : (changed.at(-1)?.changedAt ?? now);
  await setMetadata(
    db,
    NAME,
    JSON.stringify({
      changedUntil: changedUntil.toISOString(),
      sampledUntil: sample.length < LIMITS.sampled ? '' : (sample.at(-1)?.id ?? ''),
      suspects: differences.slice(0, LIMITS.suspected).map(({ payment }) => String(payment)),
    } satisfies Progress),
  );
  return differences;
}

async function readProgress({ database }: PaymentServices, now: Date): Promise<Progress> {
  const text = await findMetadata(database.db, NAME);
  if (text !== null) return progressSchema.parse(JSON.parse(text));
  const changedUntil = new Date(now.getTime() - FIRST_LOOK_MS).toISOString();
  return { changedUntil, sampledUntil: '', suspects: [] };
}

/**
 * How the two disagree; null when they agree. What the shop has only not heard of yet is no mistake: before one is
 * reported the order's money is refreshed, as any event would do it.
 */
async function compare(services: PaymentServices, id: string): Promise<string | null> {
  try {
    const first = await look(services, id);
    if (first.mistake === null || (await isLeftFromSandbox(services, id))) return null;
    if (first.payment && first.booked.shares.some(({ state }) => state === 'applied')) {
      await refreshMoney(services, first.payment, { asksForDisputes: true });
    }
    return (await look(services, id)).mistake;
  } catch (error) {
    if (error instanceof ProviderError && error.kind !== 'unreachable') {
      return 'the provider gives no usable answer';
    }
    throw error;
  }
}

/** Both sides at this moment. The shop's is read after the provider's, which is never behind it. */
async function look(services: PaymentServices, id: string) {
  const payment = await services.payments.findPayment(id);
  const claims = payment ? await findClaims(services, payment) : { refunds: [], disputes: [] };
  const booked = await readBooked(services, id);
  return { payment, booked, mistake: findBookMistake(booked, payment, claims) };
}

async function readBooked({ database: { db } }: PaymentServices, id: string): Promise<BookedPayment> {
  const shares = await findShares(db, id);
  const [orders, refunds] = await Promise.all([
    findOrdersEvenClosed(
      db,
      shares.map(({ orderId }) => orderId),
    ),
    findPaymentRefunds(db, id),
  ]);
  return { shares, orders, refunds };
}

/** Asked for only where either side speaks of any, as most payments have none. */
async function findClaims(
  services: PaymentServices,
  { id, refundedCents, disputed }: ProviderPayment,
): Promise<Claims> {
  const { orders, refunds: own } = await readBooked(services, id);
  const hasNoted = own.length > 0 || orders.some(({ refundState }) => refundState !== null);
  const hasRefunds = refundedCents > 0 || hasNoted;
  const [refunds, disputes] = await Promise.all([
    hasRefunds ? services.payments.listRefunds(id) : [],
    hasRefunds || disputed ? services.payments.listDisputes(id) : [],
  ]);
  return { refunds, disputes };
}
