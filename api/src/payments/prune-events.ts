import type { PaymentServices } from './payment-services.ts';
import { deleteEventsBefore } from './store.ts';

/**
 * Stripe sends an event again for three days and shows it for thirty. An older one cannot come again, and if it
 * did, it would be looked at once more and change nothing.
 */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** Removes events that have been dealt with long ago, the shop's notes of them and the sandbox's own. Harmless to repeat. */
export async function pruneEvents({ database, payments, clock }: PaymentServices): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await deleteEventsBefore(database.db, before);
  await payments.pruneEvents?.(before);
}
