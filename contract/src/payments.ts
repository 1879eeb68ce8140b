import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { ORDER_STATUSES } from './order-states.ts';
import { policies } from './policies.ts';
import { idParam } from './text.ts';

/** What the provider calls its payments: Stripe's `pi_…`. */
export const transactionIdField = z
  .string('transactionId is Required')
  .check(z.regex(/^pi_[\w-]{6,120}$/, 'Must be the id of a payment'));

export const openPayment = defineCall({
  method: 'POST',
  path: '/create-payment-intent',
  tag: 'Payments',
  policy: policies.openPayment,
  summary: 'Open the payment of an order',
  description:
    "`price` only proves that the customer saw the right total; the amount charged is the order's. Asked again it returns the same open intent. With `price` alone it means the caller's one unpaid order of that total.",
  body: z.object({
    price: z.number('price is Required').check(z.gte(0, 'Must be at least 0')),
    order: z.optional(z.string('Must be the id of an order')),
  }),
  answer: z.object({ clientSecret: z.string() }),
  rateLimit: { requests: 120, seconds: 60 },
  problems: [
    'not-found',
    'price-mismatch',
    'already-paid',
    'payment-processing',
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
    'The server asks the payment provider: the intent must have succeeded, be for this order, its full amount and currency. Saying it twice is harmless.',
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
    'unknown-payment',
    'payment-refused',
    'unavailable',
    'provider-broken',
  ],
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
