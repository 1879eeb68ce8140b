import { PROVIDER, requestContext } from '#src/platform/core/request-context.ts';
import type { PaymentServices } from '../payment-services.ts';
import type { PaymentEvent } from '../provider/provider.ts';
import { followRefund } from '../refunds/follow-refund.ts';
import { findPaymentRefunds } from '../refunds/refund-store.ts';
import { settleOrRefund } from '../settle-or-refund.ts';
import { DECLINED, findEventOutcome, writeEvent } from '../store.ts';
import { pauseAfterDeclines } from './pause-after-declines.ts';

export const relevantTypes = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.processing',
  DECLINED,
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;

const isRelevant = (type: string) => (relevantTypes as readonly string[]).includes(type);

/**
 * Reads the payment from the provider, so replayed, reordered or false events change nothing. Recorded
 * after the work; after a failure the provider retries.
 * @throws Problem `bad-signature`, `bad-request`; ProviderError
 */
export async function receiveEvent(
  services: PaymentServices,
  rawBody: Buffer,
  signature: string | undefined,
): Promise<void> {
  const event = await services.payments.readEvent(rawBody, signature);
  requestContext.setActor(PROVIDER);
  await takeEvent(services, event);
}

/** False for a known event. @throws ProviderError */
export async function takeEvent(services: PaymentServices, event: PaymentEvent): Promise<boolean> {
  const { database, clock, log } = services;
  const { id, type, paymentId } = event;
  if ((await findEventOutcome(database.db, id)) !== null) return false;
  const outcome =
    isRelevant(type) && paymentId !== null ? await settleEvent(services, type, paymentId) : 'ignored';
  await writeEvent(database.db, { id, type, paymentId, outcome, receivedAt: clock.now() });
  if (type === DECLINED && paymentId !== null) await pauseAfterDeclines(services, paymentId);
  log.info({ event: id, type, payment: paymentId, outcome }, 'payment event');
  return true;
}

async function settleEvent(services: PaymentServices, type: string, paymentId: string): Promise<string> {
  const payment = await services.payments.findPayment(paymentId);
  if (!payment) return 'unknown';
  const outcome = await settleOrRefund(services, payment, {
    asksForDisputes: type.startsWith('charge.dispute.'),
  });
  if (outcome === 'refunded') await followOwnRefunds(services, paymentId);
  return outcome;
}

/** For a payment that paid no order; other refunds are read with their order. */
async function followOwnRefunds(services: PaymentServices, paymentId: string): Promise<void> {
  const refunds = await findPaymentRefunds(services.database.db, paymentId);
  for (const refund of refunds) if (refund.state === 'pending') await followRefund(services, refund);
}
