import type Stripe from 'stripe';
import { invalidRequest, parameterMissing, unexpectedState } from './api-error.ts';
import { emitEvent } from './emit-event.ts';
import {
  type Form,
  readString,
  readStringList,
  readStringMap,
  rejectUnknownParameters,
} from './form-encoding.ts';
import { findObject, putObject, retrieveObject } from './object-store.ts';
import type { Money, RequestContext } from './request-context.ts';
import { buildPaymentIntent, type EventType, toUnixSeconds } from './stripe-objects.ts';

/** Stripe's limits for dollars, euros and yen, in the smallest unit; those of other currencies are near. */
const MIN_AMOUNT = 50;
const MAX_AMOUNT = 99_999_999;

const createParameters = [
  'amount',
  'currency',
  'allowed_payment_method_types',
  'description',
  'metadata',
  'expand',
];

/** @throws ApiError */
export async function createIntent(
  context: RequestContext,
  form: Form,
  money: Money,
): Promise<Stripe.PaymentIntent> {
  rejectUnknownParameters(form, createParameters);
  if (readStringList(form, 'allowed_payment_method_types').some((type) => type !== 'card')) {
    throw invalidRequest('The sandbox takes cards only.', { param: 'allowed_payment_method_types' });
  }
  const currency = readString(form, 'currency');
  if (currency === undefined) throw parameterMissing('currency');
  if (currency !== money.currency)
    throw invalidRequest(`Invalid currency: ${currency}.`, { param: 'currency' });
  const intent = buildPaymentIntent({
    amount: readAmount(form, money),
    currency,
    description: readString(form, 'description') ?? null,
    metadata: readStringMap(form, 'metadata'),
    now: context.now,
  });
  await saveIntent(context, intent, 'payment_intent.created');
  return intent;
}

/** @throws ApiError for an unknown, paid or canceled intent */
export async function cancelIntent(context: RequestContext, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await lockIntent(context, id);
  if (!isPayable(intent) && intent.status !== 'processing') throw unexpectedState(intent, 'canceled');
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    status: 'canceled',
    canceled_at: toUnixSeconds(context.now),
    next_action: null,
    processing: null,
  };
  await saveIntent(context, canceled, 'payment_intent.canceled');
  return canceled;
}

/** @throws ApiError */
export async function retrieveIntent(
  { tx }: RequestContext,
  id: string,
  expand: readonly string[] = [],
): Promise<Stripe.PaymentIntent> {
  const intent = await retrieveObject(tx, 'payment_intent', id);
  if (!expand.includes('latest_charge') || typeof intent.latest_charge !== 'string') return intent;
  return { ...intent, latest_charge: await findObject(tx, 'charge', intent.latest_charge) };
}

/** Serialises the intent's requests until the transaction ends. @throws ApiError */
export const lockIntent = ({ tx }: RequestContext, id: string): Promise<Stripe.PaymentIntent> =>
  retrieveObject(tx, 'payment_intent', id, { lock: true });

/** Locks the intent. @throws ApiError for an unpaid payment, which has nothing of what is `needed` */
export async function lockPaidCharge(
  context: RequestContext,
  id: string,
  needed: 'successful charge to refund' | 'charge to dispute',
): Promise<Stripe.Charge> {
  const { status, latest_charge: chargeId } = await lockIntent(context, id);
  const charge = typeof chargeId === 'string' && (await findObject(context.tx, 'charge', chargeId));
  if (status === 'succeeded' && charge) return charge;
  throw invalidRequest(`This PaymentIntent (${id}) does not have a ${needed}.`);
}

export async function saveIntent(
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  event: EventType,
): Promise<void> {
  await putObject(context.tx, 'payment_intent', intent, context.now);
  await emitEvent(context, event, intent);
}

export const isPayable = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action';

function readAmount(form: Form, { currency, format }: Money): number {
  const text = readString(form, 'amount');
  if (text === undefined) throw parameterMissing('amount');
  const refusal = (message: string, code: string) => invalidRequest(message, { code, param: 'amount' });
  if (!/^\d+$/.test(text)) throw refusal(`Invalid integer: ${text}`, 'parameter_invalid_integer');
  const amount = Number(text);
  if (amount < MIN_AMOUNT)
    throw refusal(`Amount must be at least ${format(MIN_AMOUNT)} ${currency}`, 'amount_too_small');
  if (amount > MAX_AMOUNT)
    throw refusal(`Amount must be no more than ${format(MAX_AMOUNT)}`, 'amount_too_large');
  return amount;
}
