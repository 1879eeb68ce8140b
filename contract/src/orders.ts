import * as z from 'zod/mini';
import { MAX_ADDRESS, MAX_PHONE, MAX_REFERENCE, MIN_PHONE } from './bounds.ts';
import { defineCall } from './call.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { messages } from './messages.ts';
import { toAmount, toCents } from './money.ts';
import { findRefundMove, ORDER_CLOSINGS, ORDER_STATUSES, REFUND_STATES } from './order-states.ts';
import { pagingFields, searchField } from './paging.ts';
import { toPhoneText } from './phone.ts';
import { policies } from './policies.ts';
import { emailField, emailQueryField, idParam, idPattern, instant, momentField, text } from './text.ts';

export const orderSchema = z.object({
  _id: z.string(),
  productId: z.string(),
  productName: z.string(),
  partNumber: z.string(),
  image: z.string(),
  name: z.string(),
  email: z.string(),
  address: z.string(),
  phone: z.string(),
  number: z.int(),
  quantity: z.int(),
  price: z.number(),
  totalPrice: z.number(),
  status: z.enum(ORDER_STATUSES),
  batch: z.optional(z.string()),
  reference: z.optional(z.string()),
  transactionId: z.optional(z.string()),
  heldUntil: z.optional(instant),
  refund: z.optional(
    z.object({
      amount: z.number(),
      state: z.enum(REFUND_STATES),
      unassigned: z.optional(z.number()),
    }),
  ),
  disputed: z.optional(z.literal(true)),
  closed: z.optional(z.enum(ORDER_CLOSINGS)),
  createdAt: instant,
  updatedAt: instant,
});
/**
 * `price` (of a piece) and `totalPrice` are in dollars, `quantity` in pieces; `number` is for people.
 * - `partNumber`: current, even if the part is no longer sold.
 * - `batch`: shared by orders placed together.
 * - `reference`: the customer's own.
 * - `heldUntil`: expiry while unpaid; absent: never.
 * - `refund`: dollars refunded or pending. `unassigned` belongs to no single order: a refund of a shared
 *   payment without a named order (repeated in each, so `amount` may exceed the total), or one begun at the
 *   provider that failed.
 * - `disputed`: by the customer's bank.
 * - `closed`: when it ended.
 */
export type Order = z.infer<typeof orderSchema>;

/** Dollars. Unassigned refunds do not count as the order's own. */
export function countRefundable({
  status,
  refund,
  totalPrice,
}: Pick<Order, 'status' | 'refund' | 'totalPrice'>): number {
  if (findRefundMove(status) === null) return 0;
  if (refund === undefined) return totalPrice;
  const ownCents = toCents(refund.amount) - toCents(refund.unassigned ?? 0);
  return toAmount(Math.max(0, toCents(totalPrice) - ownCents));
}

/** The bank decides about a disputed order. */
export const canRefund = (
  order: Pick<Order, 'status' | 'closed' | 'disputed' | 'refund' | 'totalPrice'>,
): boolean => order.closed === undefined && !order.disputed && countRefundable(order) > 0;

/** Three digits are the shortest numbers dialled anywhere, such as 112. */
const phonePattern = new RegExp(
  `^(?=[ +\\-()]*[0-9][ +\\-()]*[0-9][ +\\-()]*[0-9])[0-9 +\\-()]{${MIN_PHONE},${MAX_PHONE}}$`,
);

/** The specification's field is a number, so numbers are accepted too. */
export const phoneField = z
  .pipe(
    z.union([z.string(), z.number()], messages.phoneRequired),
    z.pipe(
      z.transform((value: string | number) => toPhoneText(String(value))),
      z
        .string()
        .check(
          z.minLength(1, { error: messages.phoneRequired, abort: true }),
          z.regex(phonePattern, `Must be ${MIN_PHONE} to ${MAX_PHONE} digits`),
        ),
    ),
  )
  .register(z.globalRegistry, {
    description: `${MIN_PHONE} to ${MAX_PHONE} of digits, space, \`+ - ( )\`, at least three of them digits`,
  });

export const addressField = text({
  min: 1,
  max: MAX_ADDRESS,
  required: messages.addressRequired,
  lines: true,
});

/** The part decides the orderable range (`quantityRefusals`). */
export const quantityField = z.int({
  error: ({ input }) => (typeof input === 'number' ? messages.quantityNotWhole : messages.quantityRequired),
});

/**
 * Dollars that the customer saw: quantity times unit price (contract, "Fields of a part and of an order
 * beyond the specification").
 */
export const totalPriceField = z.number('totalPrice is Required').check(z.gte(0, 'Must be at least 0'));

/** Such as a purchase order number; empty: none. */
export const referenceField = text({ max: MAX_REFERENCE });

/**
 * `name`, `productName`, `image` and `status` accept any text: the server uses its own (contract, `POST
 * /order`).
 */
export const orderRequestSchema = z.object({
  email: emailField,
  address: addressField,
  phone: phoneField,
  productId: z.string('productId is Required'),
  quantity: quantityField,
  totalPrice: totalPriceField,
  reference: z.optional(referenceField),
  name: z.optional(z.unknown()),
  productName: z.optional(z.unknown()),
  image: z.optional(z.unknown()),
  status: z.optional(z.unknown()),
});

/** A validated order request. */
export type CheckedOrderRequest = z.output<typeof orderRequestSchema>;

export const orderHeaders = {
  'Idempotency-Key': idempotencyKey(
    'The same key from the same customer returns the first answer and places nothing twice; with another body it is refused.',
  ),
};

export const placeOrder = defineCall({
  method: 'POST',
  path: '/order',
  tag: 'Orders',
  policy: policies.placeOrder,
  summary: 'Place an order',
  description:
    "Takes the stock and writes the order in one step, or does neither. Price, product name and image come from the product, the customer's name from the account; an order starts `due`. `totalPrice` is the quantity times its price; a client that knows no price breaks may send the quantity times the part's own price, and the lower total is written and charged.",
  body: orderRequestSchema,
  headers: orderHeaders,
  answer: z.object({ insertedId: z.string() }),
  problems: [
    'not-yours',
    'email-not-verified',
    'not-found',
    'price-changed',
    'below-minimum',
    'wrong-step',
    'above-stock',
    'amount-too-large',
    'too-many-unpaid',
    'key-reused',
  ],
});

/** `true` means any closing; default: open orders only. */
const closedField = z.optional(
  z.enum([...ORDER_CLOSINGS, 'true'], `Must be one of ${[...ORDER_CLOSINGS, 'true'].join(', ')}`),
);
export type ClosedFilter = z.infer<typeof closedField>;

export const orderQuerySchema = z.object({
  ...pagingFields,
  email: z.optional(emailQueryField),
  /** An address may have belonged to an earlier account. */
  user: z.optional(z.string().check(z.regex(idPattern, 'Must be the id of a user'))),
  status: z.optional(z.enum(ORDER_STATUSES, `Must be one of ${ORDER_STATUSES.join(', ')}`)),
  q: searchField,
  closed: closedField,
  acceptedSince: z.optional(momentField),
  batch: z.optional(z.string().check(z.regex(idPattern, 'Must be the id of a batch'))),
});

export const listOrders = defineCall({
  method: 'GET',
  path: '/order',
  tag: 'Orders',
  policy: policies.listOrders,
  summary: 'List orders',
  description:
    'Newest first. Without `email` all orders, for administrators; with it the orders of that customer, which for administrators are all that were placed under that address; `user` is the id of an account, for administrators. Orders that were cancelled, refunded or have expired are listed with `closed` alone. `batch` lists what was placed together, `acceptedSince` what was accepted at that moment or later: a date, which is its beginning in UTC, or a moment in UTC.',
  query: orderQuerySchema,
  answer: z.object({ data: z.array(orderSchema) }),
  paged: 'data',
  problems: ['admin-needed', 'not-yours'],
});

export const readOrder = defineCall({
  method: 'GET',
  path: '/order/:id',
  tag: 'Orders',
  policy: policies.readOrder,
  summary: 'Read one order',
  description: 'One that was cancelled, refunded or has expired is found with `closed` alone.',
  params: z.object({ id: idParam }),
  query: z.object({ closed: closedField }),
  answer: orderSchema,
  problems: ['not-found'],
});

export const cancelOrder = defineCall({
  method: 'DELETE',
  path: '/order/:id',
  tag: 'Orders',
  policy: policies.cancelOrder,
  summary: 'Cancel an unpaid order',
  description: 'The stock goes back in the same step; an open payment is cancelled first.',
  params: z.object({ id: idParam }),
  answer: z.object({ deletedCount: z.int() }),
  problems: [
    'not-found',
    'not-due',
    'payment-processing',
    'already-paid',
    'payment-refused',
    'unavailable',
    'provider-broken',
  ],
});

export const acceptPayment = defineCall({
  method: 'PUT',
  path: '/order/accept/:id',
  tag: 'Orders',
  policy: policies.acceptPayment,
  summary: 'Accept the payment of a pending order',
  description:
    'The provider is asked once more. Money that was given back in part or is disputed is in the way; `despite` accepts what was given back in part.',
  params: z.object({ id: idParam }),
  body: z.object({
    status: z.literal('paid', 'Must be paid'),
    despite: z.optional(z.literal('partly-refunded', 'Must be partly-refunded')),
  }),
  answer: z.object({ acknowledged: z.boolean() }),
  problems: [
    'not-found',
    'not-pending',
    'payment-refunded',
    'partly-refunded',
    'disputed',
    'unknown-payment',
    'payment-refused',
    'unavailable',
    'provider-broken',
  ],
});
