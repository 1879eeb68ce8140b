import * as z from 'zod/mini';
import { MAX_PAID_TOGETHER, MAX_REFUND_REASON } from './bounds.ts';
import { defineCall } from './call.ts';
import { ORDER_STATUSES, REFUND_STATES } from './order-states.ts';
import { policies } from './policies.ts';
import { idParam, instant, text } from './text.ts';

/** Stripe's `pi_…`. */
export const transactionIdField = z
  .string('transactionId is Required')
  .check(z.regex(/^pi_[\w-]{6,120}$/, 'Must be the id of a payment'));

const paidOrders = `Must be 1 to ${MAX_PAID_TOGETHER} ids of orders, each once`;

const paidOrdersField = z.array(z.string(paidOrders), paidOrders).check(
  z.minLength(1, paidOrders),
  z.maxLength(MAX_PAID_TOGETHER, paidOrders),
  z.refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, paidOrders),
);

export const openPayment = defineCall({
  method: 'POST',
  path: '/create-payment-intent',
  tag: 'Payments',
  policy: policies.openPayment,
  summary: 'Open the payment of an order, or of several',
  description:
    "`price` only proves that the customer saw the right total; the amount charged is the order's. Asked again it returns the same open intent. With `price` alone it means the caller's one unpaid order of that total. With `orders` it opens one payment for all of them, `price` being their sum; one that is open for any of them is cancelled first.",
  body: z.object({
    price: z.number('price is Required').check(z.gte(0, 'Must be at least 0')),
    order: z.optional(z.string('Must be the id of an order')),
    orders: z.optional(paidOrdersField),
  }),
  answer: z.object({ clientSecret: z.string() }),
  rateLimit: { requests: 120, seconds: 60 },
  problems: [
    'not-found',
    'price-mismatch',
    'already-paid',
    'payment-processing',
    'expired',
    'order-ambiguous',
    'amount-too-large',
    'payment-refused',
    'unavailable',
    'provider-broken',
  ],
});

export const recordPayment = defineCall({
  method: 'PUT',
  path: '/order/:id',
  tag: 'Orders',
  policy: policies.recordPayment,
  summary: 'Record the payment of an order',
  description:
    'The server asks the payment provider: the intent must have succeeded, be for this order, its full amount and currency. Saying it twice is harmless. A payment of several orders is recorded for all of them by naming any.',
  params: z.object({ id: idParam }),
  body: z.object({
    order: z.optional(
      z.union([z.string(), z.object({ _id: z.string() })], 'Must be an order or the id of one'),
    ),
    transactionId: transactionIdField,
  }),
  answer: z.object({ acknowledged: z.boolean(), status: z.enum(ORDER_STATUSES), transactionId: z.string() }),
  problems: [
    'not-found',
    'payment-not-completed',
    'payment-of-other-order',
    'already-paid',
    'order-cancelled',
    'expired',
    'payment-refunded',
    'unknown-payment',
    'payment-refused',
    'unavailable',
    'provider-broken',
  ],
});

export const refundOrder = defineCall({
  method: 'POST',
  path: '/order/:id/refund',
  tag: 'Orders',
  policy: policies.refundOrder,
  summary: 'Give the money of an order back',
  description:
    'All of it that was not given back before; of a payment of several orders, this one’s share. A pending order is closed by this; a paid one stays, with `refund`. The refund is followed until the customer has the money; one that fails is tried again.',
  params: z.object({ id: idParam }),
  body: z.object({
    reason: z.optional(text({ max: MAX_REFUND_REASON })),
    returnStock: z.boolean('returnStock is Required'),
  }),
  answer: z.object({
    acknowledged: z.boolean(),
    refund: z.object({ amount: z.number(), state: z.enum(REFUND_STATES) }),
  }),
  problems: [
    'not-found',
    'not-refundable',
    'already-refunded',
    'disputed',
    'payment-refused',
    'unavailable',
    'provider-broken',
  ],
});

export const readOrderPayment = defineCall({
  method: 'GET',
  path: '/order/:id/payment',
  tag: 'Orders',
  policy: policies.readOrderPayment,
  summary: 'The payment of an order as the provider has it now',
  description:
    'Amounts in dollars. The last payment that was opened for the order; of closed orders, too. `orders` are all that it is for and `share` is what this one has in it. `card` is there once one was charged, `refundReason` where an administrator gave one, `answerBy` while a dispute waits for what the shop says to it.',
  params: z.object({ id: idParam }),
  answer: z.object({
    transactionId: z.string(),
    state: z.string(),
    orders: z.array(z.string()),
    share: z.number(),
    amount: z.number(),
    received: z.number(),
    refunded: z.number(),
    refundReason: z.optional(z.string()),
    disputed: z.boolean(),
    answerBy: z.optional(instant),
    card: z.optional(z.object({ kind: z.string(), last4: z.string() })),
    askedAt: instant,
  }),
  problems: ['not-found', 'unknown-payment', 'payment-refused', 'unavailable', 'provider-broken'],
});

export const receivePaymentEvent = defineCall({
  method: 'POST',
  path: '/webhooks/stripe',
  tag: 'Payments',
  policy: policies.receivePaymentEvent,
  summary: 'Events of the payment provider',
  description: 'Signed. The event is a hint: the provider is asked for the truth.',
  body: z.looseObject({}),
  answer: z.object({ received: z.boolean() }),
  // Few addresses send many events; above any storm of deliveries.
  rateLimit: { requests: 12_000, seconds: 60 },
  problems: [
    'bad-signature',
    'bad-request',
    'too-large',
    'wrong-kind',
    'payment-refused',
    'unavailable',
    'provider-broken',
  ],
});
