import * as z from 'zod/mini';
import { findOrdersEvenClosed } from '#src/orders/store.ts';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import { ProviderError, type ProviderPayment } from '#src/payments/provider/provider.ts';
import { isLeftFromSandbox } from '#src/payments/provider/sandbox-payments.ts';
import { refreshMoney } from '#src/payments/refunds/refresh-money.ts';
import type { Claims } from '#src/payments/refunds/refund-rules.ts';
import { findPaymentRefunds } from '#src/payments/refunds/refund-store.ts';
import {
  type ChangedUntil,
  findFinishedPaymentsAfter,
  findPaymentsChangedSince,
  findShares,
} from '#src/payments/store.ts';
import { findMetadata, setMetadata } from '#src/platform/database/metadata.ts';
import { type BookedPayment, findBookMistake } from './consistency-rules.ts';
import type { PaymentDifference } from './find-payment-differences.ts';

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
  /** The last payment at that moment, where a round ended before it had seen all that had changed. */
  changedUntilId: z.optional(z.string()),
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
  const changed = await findPaymentsChangedSince(db, findStart(progress), LIMITS.changed);
  const sample = await findFinishedPaymentsAfter(db, progress.sampledUntil, LIMITS.sampled);

  const ids = new Set([...progress.suspects, ...changed.map(({ id }) => id), ...sample]);
  const differences: PaymentDifference[] = [];
  for (const id of ids) differences.push(...(await compare(services, id)));
  const last = changed.length < LIMITS.changed ? undefined : changed.at(-1);
  await setMetadata(
    db,
    NAME,
    JSON.stringify({
      changedUntil: (last?.at ?? now).toISOString(),
      ...(last && { changedUntilId: last.id }),
      sampledUntil: sample.length < LIMITS.sampled ? '' : (sample.at(-1) ?? ''),
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
 * Where the changes of this round begin: right after the last one that was seen, however many changed at its moment, or
 * a little before the last round when that had seen all.
 */
const findStart = ({ changedUntil, changedUntilId }: Progress): ChangedUntil =>
  changedUntilId === undefined
    ? { at: new Date(Date.parse(changedUntil) - OVERLAP_MS), id: '' }
    : { at: new Date(changedUntil), id: changedUntilId };

/**
 * How the two disagree, under the first of the payment's orders; nothing when they agree. What the shop has only not
 * heard of yet is no mistake: before one is reported the order's money is refreshed, as any event would do it.
 */
async function compare(services: PaymentServices, id: string): Promise<PaymentDifference[]> {
  const [share] = await findShares(services.database.db, id);
  if (!share) return [];
  const reason = await findMistake(services, id);
  return reason === null ? [] : [{ order: share.orderId, payment: id, reason }];
}

async function findMistake(services: PaymentServices, id: string): Promise<string | null> {
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
