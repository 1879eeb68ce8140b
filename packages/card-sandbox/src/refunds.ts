import type Stripe from 'stripe';
import { invalidRequest, missing } from './api-error.ts';
import { type Form, refuseUnknown, textOf } from './form-encoding.ts';
import { findObject, putObject } from './object-store.ts';
import { emit, lockIntent, parameterMissing, type Step } from './request-context.ts';
import { newRefund } from './stripe-objects.ts';

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

async function intentToRefund({ tx }: Step, form: Form): Promise<string> {
  const intentId = textOf(form, 'payment_intent');
  if (intentId !== undefined) return intentId;
  const chargeId = textOf(form, 'charge');
  if (chargeId === undefined) throw parameterMissing('payment_intent');
  const paid = await findObject(tx, 'charge', chargeId);
  if (typeof paid?.payment_intent !== 'string') throw missing('charge', chargeId);
  return paid.payment_intent;
}
