import type { Services } from '#src/services.ts';
import { deleteEventsBefore } from './store.ts';

/**
 * Stripe sends an event again for three days and shows it for thirty. An older one cannot come again, and if it
 * did, it would be looked at once more and change nothing.
 */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Removes events that have been dealt with long ago, the shop's notes of them and the sandbox's own. Harmless to repeat. */
export async function forgetEvents({
  database,
  payments,
  clock,
}: Pick<Services, 'database' | 'payments' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await deleteEventsBefore(database.db, before);
  await payments.forgetEvents?.(before);
}
