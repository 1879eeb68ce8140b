import type Stripe from 'stripe';
import { invalidRequest, parameterMissing, resourceMissing } from './api-error.ts';
import { emitEvent } from './emit-event.ts';
import { type Form, readString, rejectUnknownParameters } from './form-encoding.ts';
import { findObject, putObject } from './object-store.ts';
import { lockIntent } from './payment-intents.ts';
import type { RequestContext } from './request-context.ts';
import { buildRefund } from './stripe-objects.ts';

const parameters = ['payment_intent', 'charge', 'amount', 'reason', 'metadata', 'expand'];

/** Gives back what is named, or everything that is left. @throws ApiError when that was not paid or is more than is left */
export async function createRefund(context: RequestContext, form: Form): Promise<Stripe.Refund> {
  rejectUnknownParameters(form, parameters);
  const intent = await lockIntent(context, await findIntentId(context, form));
  const charge =
    typeof intent.latest_charge === 'string'
      ? await findObject(context.tx, 'charge', intent.latest_charge)
      : null;
  if (intent.status !== 'succeeded' || !charge) {
    throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  }
  const refund = buildRefund(charge, readRefundAmount(form, charge), context.now);
  const refundedAmount = charge.amount_refunded + refund.amount;
  const refundedCharge: Stripe.Charge = {
    ...charge,
    amount_refunded: refundedAmount,
    refunded: refundedAmount === charge.amount,
  };
  await putObject(context.tx, 'refund', refund, context.now);
  await putObject(context.tx, 'charge', refundedCharge, context.now);
  await emitEvent(context, 'refund.created', refund);
  await emitEvent(context, 'charge.refunded', refundedCharge);
  return refund;
}

/** @returns cents */
function readRefundAmount(form: Form, charge: Stripe.Charge): number {
  const remaining = charge.amount - charge.amount_refunded;
  if (remaining === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  }
  const amount = 'amount' in form ? Number(readString(form, 'amount')) : remaining;
  if (!Number.isInteger(amount) || amount < 1 || amount > remaining) {
    throw invalidRequest('Refund amount is greater than unrefunded amount on charge.', { param: 'amount' });
  }
  return amount;
}

/** A refund names an intent or one of its charges. */
async function findIntentId({ tx }: RequestContext, form: Form): Promise<string> {
  const intentId = readString(form, 'payment_intent');
  if (intentId !== undefined) return intentId;
  const chargeId = readString(form, 'charge');
  if (chargeId === undefined) throw parameterMissing('payment_intent');
  const charge = await findObject(tx, 'charge', chargeId);
  if (typeof charge?.payment_intent !== 'string') throw resourceMissing('charge', chargeId);
  return charge.payment_intent;
}
