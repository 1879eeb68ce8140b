import type Stripe from 'stripe';
import type { Executor } from '#src/db/connection.ts';
import { entriesOf, type Form, refuseUnknown, textOf } from './form-encoding.ts';
import {
  type EventType,
  newCharge,
  newEvent,
  newId,
  newIntent,
  newRefund,
  type SandboxEvent,
  secondsOf,
} from './objects.ts';
import { invalidRequest, missing, SandboxRefusal } from './refusal.ts';
import { findObject, listObjects, putObject } from './store.ts';
import { type TestCard, testCards } from './test-cards.ts';

/** One step of the sandbox: the transaction that it runs in, and the moment. */
export interface Step {
  tx: Executor;
  now: Date;
  /** The control endpoint wants the next charge to stay in the air. */
  processing?: boolean;
}

/** Stripe's bounds for US dollars, in cents. */
const MIN_AMOUNT = 50;
const MAX_AMOUNT = 99_999_999;

const createParameters = [
  'amount',
  'currency',
  'allowed_payment_method_types',
  'description',
  'receipt_email',
  'metadata',
  'expand',
];

export async function createIntent(step: Step, form: Form): Promise<Stripe.PaymentIntent> {
  if ('payment_method_types' in form) {
    throw invalidRequest('payment_method_types is no longer supported; use allowed_payment_method_types.', {
      code: 'payment_method_types_no_longer_supported',
      param: 'payment_method_types',
    });
  }
  refuseUnknown(form, createParameters);
  const allowed = Object.values(entriesOf(form, 'allowed_payment_method_types'));
  if (allowed.some((type) => type !== 'card')) {
    throw invalidRequest('The sandbox takes cards only.', { param: 'allowed_payment_method_types' });
  }
  const currency = textOf(form, 'currency');
  if (currency === undefined) throw parameterMissing('currency');
  if (currency !== 'usd') throw invalidRequest(`Invalid currency: ${currency}.`, { param: 'currency' });
  const intent = newIntent({
    amount: amountOf(form),
    currency,
    description: textOf(form, 'description') ?? null,
    receiptEmail: textOf(form, 'receipt_email') ?? null,
    metadata: entriesOf(form, 'metadata'),
    now: step.now,
  });
  await save(step, intent, 'payment_intent.created');
  return intent;
}

export async function updateIntent(step: Step, id: string, form: Form): Promise<Stripe.PaymentIntent> {
  refuseUnknown(form, ['amount', 'metadata', 'description', 'receipt_email', 'expand']);
  const intent = await lockIntent(step, id);
  const metadata = { ...intent.metadata, ...entriesOf(form, 'metadata') };
  if ('amount' in form && !isPayable(intent)) throw unexpectedState(intent, 'updated');
  const changed: Stripe.PaymentIntent = {
    ...intent,
    metadata,
    ...('amount' in form && { amount: amountOf(form) }),
    description: textOf(form, 'description') ?? intent.description,
    receipt_email: textOf(form, 'receipt_email') ?? intent.receipt_email,
  };
  await putObject(step.tx, 'payment_intent', changed, step.now);
  return changed;
}

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

export async function cancelIntent(step: Step, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await lockIntent(step, id);
  if (!isPayable(intent) && intent.status !== 'processing') throw unexpectedState(intent, 'canceled');
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    status: 'canceled',
    canceled_at: secondsOf(step.now),
    next_action: null,
    processing: null,
  };
  await save(step, canceled, 'payment_intent.canceled');
  return canceled;
}

/** Ends a payment that was left processing, as the card's bank would after a while. */
export async function finishProcessing(step: Step, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await lockIntent(step, id);
  if (intent.status !== 'processing') throw unexpectedState(intent, 'finished');
  return charge({ ...step, processing: false }, { ...intent, processing: null }, await cardOf(step, intent));
}

export async function refundIntent(step: Step, form: Form): Promise<Stripe.Refund> {
  refuseUnknown(form, ['payment_intent', 'charge', 'amount', 'reason', 'metadata', 'expand']);
  const intent = await lockIntent(step, await intentToRefund(step, form));
  const paid =
    typeof intent.latest_charge === 'string'
      ? await findObject(step.tx, 'charge', intent.latest_charge)
      : null;
  if (intent.status !== 'succeeded' || !paid) {
    throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  }
  const left = paid.amount - paid.amount_refunded;
  if (left === 0) {
    throw invalidRequest(`Charge ${paid.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  const amount = 'amount' in form ? Number(textOf(form, 'amount')) : left;
  if (!Number.isInteger(amount) || amount < 1 || amount > left) {
    throw invalidRequest('Refund amount is greater than unrefunded amount on charge.', { param: 'amount' });
  }
  const refund = newRefund(paid, amount, step.now);
  const refunded = paid.amount_refunded + amount;
  const charged: Stripe.Charge = { ...paid, amount_refunded: refunded, refunded: refunded === paid.amount };
  await putObject(step.tx, 'refund', refund, step.now);
  await putObject(step.tx, 'charge', charged, step.now);
  await emit(step, 'refund.created', refund);
  await emit(step, 'charge.refunded', charged);
  return refund;
}

/** The intent, with its latest charge as an object where that was asked for. */
export async function readIntent(
  step: Step,
  id: string,
  expand: readonly string[] = [],
): Promise<Stripe.PaymentIntent> {
  const intent = await findObject(step.tx, 'payment_intent', id);
  if (!intent) throw missing('payment_intent', id);
  return expandCharge(step, intent, expand);
}

export async function expandCharge(step: Step, intent: Stripe.PaymentIntent, expand: readonly string[]) {
  if (!expand.includes('latest_charge') || typeof intent.latest_charge !== 'string') return intent;
  return { ...intent, latest_charge: await findObject(step.tx, 'charge', intent.latest_charge) };
}

export const listRefunds = ({ tx }: Step) => listObjects(tx, 'refund');
export const listEvents = ({ tx }: Step) => listObjects(tx, 'event');

/** The id of the bank's question that an intent waits for; null when there is none. */
export function challengeOf(intent: Stripe.PaymentIntent): string | null {
  const url = intent.next_action?.redirect_to_url?.url;
  return url?.split('/').at(-1) ?? null;
}

async function lockIntent({ tx }: Step, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await findObject(tx, 'payment_intent', id, { lock: true });
  if (!intent) throw missing('payment_intent', id);
  return intent;
}

const isPayable = ({ status }: Stripe.PaymentIntent) =>
  status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action';

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

async function intentToRefund({ tx }: Step, form: Form): Promise<string> {
  const intentId = textOf(form, 'payment_intent');
  if (intentId !== undefined) return intentId;
  const chargeId = textOf(form, 'charge');
  if (chargeId === undefined) throw parameterMissing('payment_intent');
  const paid = await findObject(tx, 'charge', chargeId);
  if (typeof paid?.payment_intent !== 'string') throw missing('charge', chargeId);
  return paid.payment_intent;
}

async function save(step: Step, intent: Stripe.PaymentIntent, event: EventType): Promise<void> {
  await putObject(step.tx, 'payment_intent', intent, step.now);
  await emit(step, event, intent);
}

/** The event and its delivery are part of the step: an event exists exactly when what it tells has happened. */
async function emit(
  { tx, now }: Step,
  type: EventType,
  object: SandboxEvent['data']['object'],
): Promise<void> {
  const event = newEvent(type, object, now);
  await putObject(tx, 'event', event, now);
  await putObject(
    tx,
    'delivery',
    { id: newId('del'), eventId: event.id, tries: 0, nextAt: now.toISOString() },
    now,
  );
}

function amountOf(form: Form): number {
  const text = textOf(form, 'amount');
  if (text === undefined) throw parameterMissing('amount');
  const amount = Number(text);
  if (!/^\d+$/.test(text))
    throw invalidRequest(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: 'amount' });
  if (amount < MIN_AMOUNT) {
    throw invalidRequest('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' });
  }
  if (amount > MAX_AMOUNT) {
    throw invalidRequest('Amount must be no more than $999,999.99', {
      code: 'amount_too_large',
      param: 'amount',
    });
  }
  return amount;
}

const parameterMissing = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

function unexpectedState(intent: Stripe.PaymentIntent, verb: string) {
  return invalidRequest(
    `This PaymentIntent could not be ${verb} because it has a status of ${intent.status}.`,
    { code: 'payment_intent_unexpected_state', payment_intent: intent },
  );
}
