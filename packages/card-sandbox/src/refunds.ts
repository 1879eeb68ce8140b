import type Stripe from 'stripe';
import { invalidRequest, parameterMissing } from './api-error.ts';
import { emitEvent } from './emit-event.ts';
import { type Form, readString, readStringMap, rejectUnknownParameters } from './form-encoding.ts';
import { listObjects, putObject, retrieveObject } from './object-store.ts';
import { lockPaidCharge } from './payment-intents.ts';
import type { RequestContext } from './request-context.ts';
import { buildRefund, isWithdrawn } from './stripe-objects.ts';

const parameters = ['payment_intent', 'amount', 'reason', 'metadata', 'expand'];

/** @throws ApiError for an unpaid payment or an amount above the rest */
export async function createRefund(context: RequestContext, form: Form): Promise<Stripe.Refund> {
  rejectUnknownParameters(form, parameters);
  const intentId = readString(form, 'payment_intent');
  if (intentId === undefined) throw parameterMissing('payment_intent');
  const charge = await lockPaidCharge(context, intentId, 'successful charge to refund');
  const [dispute] = await listObjects(context.tx, 'dispute', { paymentIntent: intentId });
  if (dispute && isWithdrawn(dispute)) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  const refund = buildRefund(charge, {
    amount: readRefundAmount(form, charge),
    status: context.newRefunds === undefined || context.newRefunds === 'succeeded' ? 'succeeded' : 'pending',
    metadata: readStringMap(form, 'metadata'),
    now: context.now,
  });
  const refundedCharge = addToRefunded(charge, refund.amount);
  await putObject(context.tx, 'refund', refund, context.now);
  await putObject(context.tx, 'charge', refundedCharge, context.now);
  await emitEvent(context, 'refund.created', refund);
  await emitEvent(context, 'charge.refunded', refundedCharge);
  // Like a closed card: accepted first, then sent back by the bank.
  if (context.newRefunds === 'failed') await finishRefund(context, refund.id, 'failed');
  return refund;
}

/** @throws ApiError for an unknown or failed refund, or an unchanged status */
export async function finishRefund(
  context: RequestContext,
  id: string,
  status: 'succeeded' | 'failed',
): Promise<Stripe.Refund> {
  const refund = await retrieveObject(context.tx, 'refund', id, { lock: true });
  if (refund.status === status || refund.status === 'failed') {
    throw invalidRequest(`The refund ${id} has the status ${refund.status}.`);
  }
  const finished: Stripe.Refund = {
    ...refund,
    status,
    ...(status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
  };
  await putObject(context.tx, 'refund', finished, context.now);
  await emitEvent(context, 'refund.updated', finished);
  if (status === 'failed') {
    const charge = await retrieveObject(context.tx, 'charge', String(refund.charge), { lock: true });
    await putObject(context.tx, 'charge', addToRefunded(charge, -refund.amount), context.now);
    await emitEvent(context, 'refund.failed', finished);
  }
  return finished;
}

function addToRefunded(charge: Stripe.Charge, amount: number): Stripe.Charge {
  const refundedAmount = charge.amount_refunded + amount;
  return { ...charge, amount_refunded: refundedAmount, refunded: refundedAmount === charge.amount };
}

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
