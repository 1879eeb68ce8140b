import { DECLINE_PAUSE_MINUTES, MAX_DECLINES } from '@parts-forge/contract/calls/bounds';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { writeEntries } from '#src/trail/write-entry.ts';
import { closeOpenPayment } from '../close-open-payment.ts';
import type { PaymentServices } from '../payment-services.ts';
import { findNewestDeclines, findSharesOfCustomer } from '../store.ts';

const PAUSE_MS = DECLINE_PAUSE_MINUTES * 60_000;

/** @throws Problem `cards-declined` */
export async function requireNoPause(db: Executor, userId: string, now: Date): Promise<void> {
  const end = await findPauseEnd(db, userId, now);
  if (end === null) return;
  const retryAfterSeconds = Math.ceil((end.getTime() - now.getTime()) / 1000);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  throw new Problem('cards-declined', {
    detail: `${MAX_DECLINES} tries to pay were declined. Try another card in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. Nothing was charged.`,
    retryAfterSeconds,
  });
}

/**
 * Who tries stolen cards would go on with the payments that are open, so these end. Repeatable.
 * @throws ProviderError; the next decline ends the rest
 */
export async function pauseAfterDeclines(services: PaymentServices, paymentId: string): Promise<void> {
  const { database, clock, ids } = services;
  const { db } = database;
  const [declined] = await findSharesOfCustomer(db, { paymentId });
  if (!declined || (await findPauseEnd(db, declined.userId, clock.now())) === null) return;
  const open = await findSharesOfCustomer(db, { openOf: declined.userId });
  for (const [id, shares] of Map.groupBy(open, (share) => share.id)) {
    if ((await endUnlessOnItsWay(services, id)) !== 'canceled') continue;
    const now = clock.now();
    const about = { event: 'cards-declined', userId: declined.userId, paymentId: id, now } as const;
    await writeEntries(
      db,
      shares.map(({ orderId }) => ({ ...about, id: ids.next(), orderId })),
    );
  }
}

/** All of a customer's orders count, as cards could be tried at one after the other. */
async function findPauseEnd(db: Executor, userId: string, now: Date): Promise<Date | null> {
  const newest = await findNewestDeclines(db, userId, new Date(now.getTime() - PAUSE_MS), MAX_DECLINES);
  const last = newest[MAX_DECLINES - 1];
  return last ? new Date(last.getTime() + PAUSE_MS) : null;
}

async function endUnlessOnItsWay(services: PaymentServices, id: string) {
  try {
    return await closeOpenPayment(services, id);
  } catch (error) {
    if (error instanceof Problem && error.code === 'payment-processing') return null;
    throw error;
  }
}
