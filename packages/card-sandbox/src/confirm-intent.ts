import type Stripe from 'stripe';
import { invalidRequest, SandboxRefusal } from './api-error.ts';
import { findObject, putObject } from './object-store.ts';
import { emit, isPayable, lockIntent, type Step, save, unexpectedState } from './request-context.ts';
import { newCharge, newId } from './stripe-objects.ts';
import { type TestCard, testCards } from './test-cards.ts';

/** Charges the card, or has the bank ask first. @throws SandboxRefusal a declined card among others */
export async function confirmIntent(step: Step, id: string, token: string): Promise<Stripe.PaymentIntent> {
  const intent = await lockIntent(step, id);
  if (!isPayable(intent)) throw unexpectedState(intent, 'confirmed');
  const card = testCards[token];
  if (!card)
    throw invalidRequest(`No such PaymentMethod: '${token}'`, {
      code: 'resource_missing',
      param: 'payment_method',
    });
  const method = { id: newId('pm'), token };
  await putObject(step.tx, 'payment_method', method, step.now);
  const withMethod = { ...intent, payment_method: method.id, last_payment_error: null, next_action: null };
  return card.challenge ? askTheBank(step, withMethod) : charge(step, withMethod, card);
}

/** The customer's answer to the bank. A repeated or late answer changes nothing. */
export async function answerChallenge(
  step: Step,
  challengeId: string,
  authorized: boolean,
): Promise<Stripe.PaymentIntent | null> {
  const challenge = await findObject(step.tx, 'challenge', challengeId);
  if (!challenge) return null;
  const intent = await lockIntent(step, challenge.intentId);
  if (intent.status !== 'requires_action' || challengeOf(intent) !== challengeId) return intent;
  const settled = { ...intent, next_action: null };
  try {
    return authorized
      ? await charge(step, settled, await cardOf(step, intent))
      : await fail(step, settled, {
          code: 'payment_intent_authentication_failure',
          type: 'invalid_request_error',
          message:
            'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
        });
  } catch (error) {
    if (error instanceof SandboxRefusal && error.error.payment_intent) return error.error.payment_intent;
    throw error;
  }
}

/** Ends a payment that was left processing, as the card's bank would after a while. */
export async function finishProcessing(step: Step, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await lockIntent(step, id);
  if (intent.status !== 'processing') throw unexpectedState(intent, 'finished');
  return charge({ ...step, processing: false }, { ...intent, processing: null }, await cardOf(step, intent));
}

/** The id of the bank's question that an intent waits for; null when there is none. */
export function challengeOf(intent: Stripe.PaymentIntent): string | null {
  const url = intent.next_action?.redirect_to_url?.url;
  return url?.split('/').at(-1) ?? null;
}

async function askTheBank(step: Step, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const id = newId('src');
  await putObject(
    step.tx,
    'challenge',
    { id, intentId: intent.id, clientSecret: intent.client_secret ?? '' },
    step.now,
  );
  const waiting: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_action',
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: { url: `/sandbox/stripe/challenge/${id}`, return_url: null },
    },
  };
  await save(step, waiting, 'payment_intent.requires_action');
  return waiting;
}

async function charge(
  step: Step,
  intent: Stripe.PaymentIntent,
  card: TestCard,
): Promise<Stripe.PaymentIntent> {
  if (step.processing) {
    const processing: Stripe.PaymentIntent = { ...intent, status: 'processing' };
    await save(step, processing, 'payment_intent.processing');
    return processing;
  }
  const made = newCharge(intent, card, step.now);
  await putObject(step.tx, 'charge', made, step.now);
  if (card.charging.result === 'declined') {
    const { code, declineCode, message } = card.charging;
    const error = { code, decline_code: declineCode, message, charge: made.id, type: 'card_error' as const };
    return fail(step, { ...intent, latest_charge: made.id }, error);
  }
  const succeeded: Stripe.PaymentIntent = {
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: made.id,
  };
  await emit(step, 'charge.succeeded', made);
  await save(step, succeeded, 'payment_intent.succeeded');
  return succeeded;
}

interface Failing {
  type: 'card_error' | 'invalid_request_error';
  code: string;
  message: string;
  decline_code?: string;
  charge?: string;
}

/** The payment failed and may be tried again with another card. */
async function fail(step: Step, intent: Stripe.PaymentIntent, error: Failing): Promise<never> {
  const failed: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: error as Stripe.PaymentIntent.LastPaymentError,
  };
  await save(step, failed, 'payment_intent.payment_failed');
  throw new SandboxRefusal(402, { ...error, payment_intent: failed });
}

async function cardOf({ tx }: Step, intent: Stripe.PaymentIntent): Promise<TestCard> {
  const method = await findObject(tx, 'payment_method', String(intent.payment_method));
  const card = method && testCards[method.token];
  if (!card) throw invalidRequest(`The PaymentIntent ${intent.id} has no card.`);
  return card;
}
