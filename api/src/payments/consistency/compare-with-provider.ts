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

const LIMITS = { changed: 200, sampled: 50, suspected: 50 };
/** For the first round; the sample covers older payments. */
const FIRST_LOOK_MS = 24 * 3_600_000;
const OVERLAP_MS = 60_000;

const NAME = 'consistency_provider';
const progressSchema = z.object({
  changedUntil: z.iso.datetime(),
  changedUntilId: z.optional(z.string()),
  /** The sample's last id; empty to start over. */
  sampledUntil: z.string(),
  /** Payments that differed last time. */
  suspects: z.array(z.string()),
});
type Progress = z.output<typeof progressSchema>;

/**
 * Recent mistakes show within the hour, until resolved.
 * @throws ProviderError; the next round starts at the same place
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

const findStart = ({ changedUntil, changedUntilId }: Progress): ChangedUntil =>
  changedUntilId === undefined
    ? { at: new Date(Date.parse(changedUntil) - OVERLAP_MS), id: '' }
    : { at: new Date(changedUntil), id: changedUntilId };

/** Refreshes an order's money before the second look, as an outdated order is no difference. */
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

/** Reads the shop last, as it may lag but never lead. */
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

/** Skipped if neither side has any. */
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
