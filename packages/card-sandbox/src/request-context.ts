import type Stripe from 'stripe';
import { invalidRequest, missing } from './api-error.ts';
import type { Executor } from './database.ts';
import { findObject, putObject } from './object-store.ts';
import { type EventType, newEvent, newId, type SandboxEvent } from './stripe-objects.ts';

/** One step of the sandbox: the transaction that it runs in, and the moment. */
export interface Step {
  tx: Executor;
  now: Date;
  /** The control endpoint wants the next charge to stay in the air. */
  processing?: boolean;
}

export async function lockIntent({ tx }: Step, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await findObject(tx, 'payment_intent', id, { lock: true });
  if (!intent) throw missing('payment_intent', id);
  return intent;
}

export const isPayable = ({ status }: Stripe.PaymentIntent) =>
  status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action';

export async function save(step: Step, intent: Stripe.PaymentIntent, event: EventType): Promise<void> {
  await putObject(step.tx, 'payment_intent', intent, step.now);
  await emit(step, event, intent);
}

/** The event and its delivery are part of the step: an event exists exactly when what it tells has happened. */
export async function emit(
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

export const parameterMissing = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

export function unexpectedState(intent: Stripe.PaymentIntent, verb: string) {
  return invalidRequest(
    `This PaymentIntent could not be ${verb} because it has a status of ${intent.status}.`,
    { code: 'payment_intent_unexpected_state', payment_intent: intent },
  );
}
