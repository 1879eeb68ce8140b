import { type PaymentNeeds, settle } from './settle.ts';
import { findEventOutcome, writeEvent } from './store.ts';

/** The events that may mean that an order has been paid, or will not be. All others are only noted. */
const telling = new Set([
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
 * @throws ProviderFailure
 */
export async function receiveEvent(
  needs: PaymentNeeds,
  rawBody: Buffer,
  signature: string | undefined,
): Promise<void> {
  const { database, payments, clock, log } = needs;
  const { id, type, paymentId } = await payments.readEvent(rawBody, signature);
  if ((await findEventOutcome(database.db, id)) !== null) return;
  const outcome = telling.has(type) && paymentId !== null ? await lookAt(needs, paymentId) : 'ignored';
  await writeEvent(database.db, { id, type, paymentId, outcome, receivedAt: clock.now() });
  log.info({ event: id, type, payment: paymentId, outcome }, 'payment event');
}

async function lookAt(needs: PaymentNeeds, paymentId: string): Promise<string> {
  const payment = await needs.payments.findPayment(paymentId);
  return payment ? settle(needs, payment) : 'unknown';
}
