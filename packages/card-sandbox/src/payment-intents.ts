import type Stripe from 'stripe';
import { invalidRequest, missing } from './api-error.ts';
import { entriesOf, type Form, refuseUnknown, textOf } from './form-encoding.ts';
import { findObject, putObject } from './object-store.ts';
import {
  isPayable,
  lockIntent,
  parameterMissing,
  type Step,
  save,
  unexpectedState,
} from './request-context.ts';
import { newIntent, secondsOf } from './stripe-objects.ts';

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
