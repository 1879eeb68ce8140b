import type { PaymentServices } from '../payment-services.ts';
import { deleteEventsBefore } from '../store.ts';

/** Stripe lists events for thirty days. Processing an older one again has no effect. */
const RETENTION_MS = 30 * 24 * 3_600_000;

export async function pruneEvents({ database, payments, clock }: PaymentServices): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await deleteEventsBefore(database.db, before);
  await payments.pruneEvents?.(before);
}
