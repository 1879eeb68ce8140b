import type { PaymentServices } from './payment-services.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { findEventOutcome, writeEvent } from './store.ts';

/** The events that may mean that an order has been paid, or will not be. All others are only noted. */
const relevantTypes = new Set([
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.processing',
  'charge.refunded',
]);

/**
 * Takes an event of the provider as a hint to look. What it says is never believed: the payment is asked for
 * and settled as it is now, so replays, disorder and lies change nothing. The event counts as seen only when
 * the work is done; any failure before makes the provider send it again.
 * @throws Problem `bad-signature`
 * @throws ProviderError
 */
export async function receiveEvent(
  services: PaymentServices,
  rawBody: Buffer,
  signature: string | undefined,
): Promise<void> {
  const { database, payments, clock, log } = services;
  const { id, type, paymentId } = await payments.readEvent(rawBody, signature);
  if ((await findEventOutcome(database.db, id)) !== null) return;
  const outcome =
    relevantTypes.has(type) && paymentId !== null ? await settleEvent(services, paymentId) : 'ignored';
  await writeEvent(database.db, { id, type, paymentId, outcome, receivedAt: clock.now() });
  log.info({ event: id, type, payment: paymentId, outcome }, 'payment event');
}

async function settleEvent(services: PaymentServices, paymentId: string): Promise<string> {
  const payment = await services.payments.findPayment(paymentId);
  return payment ? settleOrRefund(services, payment) : 'unknown';
}
