import { findMetadata, setMetadata } from '#src/platform/database/metadata.ts';
import type { PaymentServices } from '../payment-services.ts';
import { relevantTypes, takeEvent } from './receive-event.ts';

const FIRST_LOOK_MS = 24 * 3_600_000;
/** Events become visible late and out of order. */
const OVERLAP_MS = 10 * 60_000;

const SEEN_UNTIL = 'payment_events_seen_until';

export interface Fetched {
  taken: number;
  failed: number;
}

/** For events that no webhook delivered. Repeatable, also concurrently. */
export async function fetchEvents(services: PaymentServices): Promise<Fetched> {
  const { database, payments, clock, log } = services;
  const done: Fetched = { taken: 0, failed: 0 };
  const now = clock.now().getTime();
  const seenUntil = await findMetadata(database.db, SEEN_UNTIL);
  const last = seenUntil === null ? Number.POSITIVE_INFINITY : Date.parse(seenUntil) - OVERLAP_MS;
  const since = last > now ? now - FIRST_LOOK_MS : last;
  const events = await payments.listEvents(new Date(since), relevantTypes);
  for (const event of events ?? []) {
    try {
      if (await takeEvent(services, event)) done.taken += 1;
    } catch (error) {
      done.failed += 1;
      log.error(
        { err: error, event: event.id, payment: event.paymentId },
        'the event could not be dealt with',
      );
    }
  }
  // The next round reads failed events again.
  if (done.failed === 0) await setMetadata(database.db, SEEN_UNTIL, new Date(now).toISOString());
  return done;
}
