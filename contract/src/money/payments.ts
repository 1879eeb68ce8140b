import * as z from 'zod/mini';
import {
  DECLINE_PAUSE_MINUTES,
  MAX_DECLINES,
  MAX_PAID_TOGETHER,
  MAX_REFUND_REASON,
} from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { idempotencyKey } from '../calls/idempotency-key.ts';
import { policies } from '../calls/policies.ts';
import { explainPieces, explainPrice, explainUnread, readPieces, readPrice } from '../files/number-text.ts';
import { ORDER_STATUSES, REFUND_STATES } from '../orders/order-states.ts';
import { idParam, instant, text } from '../text/text.ts';
import { explainDecimals, formatCents, formatPieces, hasWholeCents } from './money.ts';

/** Every call that asks the payment provider may be refused so. */
export const ofProvider = ['payment-refused', 'unavailable', 'provider-broken'] as const;

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
  description: `\`price\` only proves that the customer saw the total; the order's own amount is charged. Repeated, it returns the same open intent. \`price\` alone means the caller's one unpaid order of that total. With \`orders\`, all due and the caller's, \`price\` is their sum and each total is a share. The same orders get the same payment; others cancel each open payment of theirs first. An order whose payment was refunded can be paid again at once. After ${MAX_DECLINES} declined tries within ${DECLINE_PAUSE_MINUTES} minutes the customer's open payments end, and a new one has to wait.`,
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
    'cards-declined',
    ...ofProvider,
  ],
});

export const recordPayment = defineCall({
  method: 'PUT',
  path: '/order/:id',
  tag: 'Orders',
  policy: policies.recordPayment,
  summary: 'Record the payment of an order',
  description:
    'The shop asks the provider: the payment must have succeeded, for this order, its full amount and currency, and no other order. Naming any order of a shared payment records it for all. Of `order`, which may be the whole order, only the id is read. Repeatable.',
  params: z.object({ id: idParam }),
  body: z.object({
    order: z.optional(
      z.union([z.string(), z.looseObject({ _id: z.string() })], 'Must be an order or the id of one'),
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
    ...ofProvider,
  ],
});

/** Fields of the dialog too, which sends texts that it could not read. */
export const refundFields = {
  quantity: z
    .int({
      error: ({ input }) => explainUnread(input, readPieces, explainPieces) ?? 'Must be a whole number',
    })
    .check(z.gte(1, 'Must be at least 1'), z.describe("Pieces, at the order's price")),
  amount: z
    .number({ error: ({ input }) => explainUnread(input, readPrice, explainPrice) ?? 'Must be a number' })
    .check(
      z.gt(0, 'Must be above 0'),
      z.refine(hasWholeCents, { error: explainDecimals }),
      z.describe("With no more decimals than the shop's currency has"),
    ),
};

export function explainLeft({
  piecesLeft,
  leftCents,
  priceCents,
}: Readonly<Record<'piecesLeft' | 'leftCents' | 'priceCents', number>>): string {
  const most = Math.min(piecesLeft, Math.floor((leftCents + 0.5) / priceCents));
  const [pieces, are] = most === 1 ? ['piece', 'is'] : ['pieces', 'are'];
  return `At most ${formatPieces(most)} ${pieces} (${formatCents(leftCents)}) ${are} left.`;
}

export const refundOrder = defineCall({
  method: 'POST',
  path: '/order/:id/refund',
  tag: 'Orders',
  policy: policies.refundOrder,
  summary: 'Give money of an order back',
  description:
    "Refunds `quantity` pieces or an `amount`; without both what is left of the order's money; of a shared payment, of this order's share; of an order closed as refunded, of what came back since. More than is left is 422 and says how much is. The refund is reserved in one step, which closes a `pending` order once nothing is left; a `paid` order stays, with `refund`. `returnStock` returns the pieces of the refund, each once; an `amount` below the rest has none, so it must be false. An inquiry of the bank (`inquiry`) may be settled so. A failed refund is retried.",
  params: z.object({ id: idParam }),
  headers: {
    'Idempotency-Key': idempotencyKey(
      'The same key from the same administrator returns the first refund; with another one it is refused.',
    ),
  },
  body: z
    .object({
      quantity: z.optional(refundFields.quantity),
      amount: z.optional(refundFields.amount),
      reason: z.optional(text({ max: MAX_REFUND_REASON })),
      returnStock: z.boolean('returnStock is Required'),
    })
    .check(
      z.refine(({ quantity, amount }) => quantity === undefined || amount === undefined, {
        path: ['amount'],
        error: 'Must not be given with quantity',
      }),
    ),
  answer: z.object({
    acknowledged: z.boolean(),
    refund: z.object({ amount: z.number(), state: z.enum(REFUND_STATES) }),
  }),
  problems: ['not-found', 'not-refundable', 'already-refunded', 'key-reused', 'disputed', ...ofProvider],
});

export const readOrderPayment = defineCall({
  method: 'GET',
  path: '/order/:id/payment',
  tag: 'Orders',
  policy: policies.readOrderPayment,
  summary: 'The payment of an order as the provider has it now',
  description:
    "The order's last payment, in the shop's currency, also of closed orders; 404 before anybody began to pay. Amounts are the whole payment's, `share` this order's; `orders` are all it is for. `card`: once charged. `refundReason`: an administrator's. `answerBy`: until when the bank waits for an answer to its dispute; `inquiry`: it took no money.",
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
    inquiry: z.boolean(),
    answerBy: z.optional(instant),
    card: z.optional(z.object({ kind: z.string(), last4: z.string() })),
    askedAt: instant,
  }),
  problems: ['not-found', 'unknown-payment', ...ofProvider],
});

export const receivePaymentEvent = defineCall({
  method: 'POST',
  path: '/webhooks/stripe',
  tag: 'Payments',
  policy: policies.receivePaymentEvent,
  summary: 'Events of the payment provider',
  description:
    'Completes an order whose browser left, and reports refunds and disputes. The event is a hint: the shop asks the provider. Replays and disorder are harmless. Its own limit replaces that of the address.',
  body: z.looseObject({}),
  answer: z.object({ received: z.boolean() }),
  // Few addresses send many events; above any storm of deliveries.
  rateLimit: { requests: 12_000, seconds: 60 },
  problems: ['bad-signature', 'bad-request', 'too-large', 'wrong-kind', ...ofProvider],
});
