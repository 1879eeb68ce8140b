import type Stripe from 'stripe';
import { ApiError, type ErrorDetails, invalidRequest, unexpectedState } from './api-error.ts';
import { emitEvent } from './emit-event.ts';
import { findObject, putObject } from './object-store.ts';
import { isPayable, lockIntent, saveIntent } from './payment-intents.ts';
import type { RequestContext } from './request-context.ts';
import { buildCharge, generateId } from './stripe-objects.ts';
import { findTestCard, type TestCard } from './test-cards.ts';

/**
 * @param token `pm_card_visa`
 * @throws ApiError 402 for a declined card; others for an unknown card or an unpayable intent
 */
export async function confirmIntent(
  context: RequestContext,
  id: string,
  token: string,
): Promise<Stripe.PaymentIntent> {
  const intent = await lockIntent(context, id);
  if (!isPayable(intent)) throw unexpectedState(intent, 'confirmed');
  const card = findTestCard(token);
  if (!card) {
    throw invalidRequest(`No such PaymentMethod: '${token}'`, {
      code: 'resource_missing',
      param: 'payment_method',
    });
  }
  const method = { id: generateId('pm'), token };
  await putObject(context.tx, 'payment_method', method, context.now);
  const withMethod = { ...intent, payment_method: method.id, last_payment_error: null, next_action: null };
  return card.requiresChallenge ? startChallenge(context, withMethod) : chargeCard(context, withMethod, card);
}

/** A repeated or late answer changes nothing. Null for an unknown challenge. */
export async function answerChallenge(
  context: RequestContext,
  challengeId: string,
  isAuthorized: boolean,
): Promise<Stripe.PaymentIntent | null> {
  const challenge = await findObject(context.tx, 'challenge', challengeId);
  if (!challenge) return null;
  const intent = await lockIntent(context, challenge.intentId);
  if (intent.status !== 'requires_action' || findChallengeId(intent) !== challengeId) return intent;
  const answered = { ...intent, next_action: null };
  const card = await findCard(context, intent);
  return recoverFailedIntent(
    isAuthorized
      ? chargeCard(context, answered, card)
      : failPayment(context, answered, authenticationFailure),
  );
}

/** @throws ApiError for an intent that is not processing */
export async function finishProcessing(context: RequestContext, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await lockIntent(context, id);
  if (intent.status !== 'processing') throw unexpectedState(intent, 'finished');
  const card = await findCard(context, intent);
  return recoverFailedIntent(
    chargeCard({ ...context, leaveProcessing: false }, { ...intent, processing: null }, card),
  );
}

export function findChallengeId(intent: Stripe.PaymentIntent): string | null {
  const url = intent.next_action?.redirect_to_url?.url;
  return url?.split('/').at(-1) ?? null;
}

const authenticationFailure: ErrorDetails = {
  code: 'payment_intent_authentication_failure',
  type: 'invalid_request_error',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

async function startChallenge(
  context: RequestContext,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent> {
  const id = generateId('src');
  const challenge = { id, intentId: intent.id, clientSecret: intent.client_secret ?? '' };
  await putObject(context.tx, 'challenge', challenge, context.now);
  const challenged: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_action',
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: { url: `/sandbox/stripe/challenge/${id}`, return_url: null },
    },
  };
  await saveIntent(context, challenged, 'payment_intent.requires_action');
  return challenged;
}

/** @throws ApiError 402 for a declined card */
async function chargeCard(
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  card: TestCard,
): Promise<Stripe.PaymentIntent> {
  if (context.leaveProcessing) {
    const processing: Stripe.PaymentIntent = { ...intent, status: 'processing' };
    await saveIntent(context, processing, 'payment_intent.processing');
    return processing;
  }
  const { outcome } = card;
  const charge = buildCharge(intent, card, context.now);
  await putObject(context.tx, 'charge', charge, context.now);
  const charged = { ...intent, latest_charge: charge.id };
  if (outcome.result === 'declined') {
    const { code, declineCode, message } = outcome;
    return failPayment(context, charged, {
      type: 'card_error',
      code,
      decline_code: declineCode,
      message,
      charge: charge.id,
    });
  }
  const succeeded: Stripe.PaymentIntent = {
    ...charged,
    status: 'succeeded',
    amount_received: intent.amount,
  };
  await emitEvent(context, 'charge.succeeded', charge);
  await saveIntent(context, succeeded, 'payment_intent.succeeded');
  return succeeded;
}

/** Another card may be tried. @throws ApiError 402, always */
async function failPayment(
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  details: ErrorDetails,
): Promise<never> {
  const failed: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: details as Stripe.PaymentIntent.LastPaymentError,
  };
  await saveIntent(context, failed, 'payment_intent.payment_failed');
  throw new ApiError(402, { ...details, payment_intent: failed });
}

async function recoverFailedIntent(payment: Promise<Stripe.PaymentIntent>): Promise<Stripe.PaymentIntent> {
  try {
    return await payment;
  } catch (error) {
    if (error instanceof ApiError && error.details.payment_intent) return error.details.payment_intent;
    throw error;
  }
}

async function findCard({ tx }: RequestContext, intent: Stripe.PaymentIntent): Promise<TestCard> {
  const method = await findObject(tx, 'payment_method', String(intent.payment_method));
  const card = method && findTestCard(method.token);
  if (!card) throw invalidRequest(`The PaymentIntent ${intent.id} has no card.`);
  return card;
}
