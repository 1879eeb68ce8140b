import * as z from 'zod/mini';
import { MAX_ADDRESS, MAX_IDEMPOTENCY_KEY, MAX_PHONE, MAX_TOTAL_CENTS, MIN_PHONE } from './bounds.ts';
import { defineCall } from './call.ts';
import { aboveStock, belowMinimum, messages } from './messages.ts';
import { toCents } from './money.ts';
import { findRefundMove, ORDER_CLOSINGS, ORDER_STATUSES, REFUND_STATES } from './order-states.ts';
import { pagingFields, searchField } from './paging.ts';
import { policies } from './policies.ts';
import { totalCents } from './pricing.ts';
import type { ProblemCode } from './problems.ts';
import type { Product } from './products.ts';
import { emailField, idParam, instant, text } from './text.ts';

export const orderSchema = z.object({
  _id: z.string(),
  productId: z.string(),
  productName: z.string(),
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
 * An order as the wire shows it: `price` of a piece and `totalPrice` in dollars, `quantity` in pieces; `number` is the
 * one for people, `transactionId` is there once it is paid for. `batch` is what was placed together, `reference` the
 * customer's own.
 * `heldUntil` is when an unpaid one expires (absent: never), `refund` what was given back or is being given back in
 * dollars, `unassigned` in it what went back of a payment of several orders without anybody having said of which,
 * `disputed` is there while the customer's bank questions the payment, `closed` when the order ended.
 */
export type Order = z.infer<typeof orderSchema>;

/** Why a quantity cannot be ordered: the refusal, and the customer's words for it. */
export interface QuantityRefusal {
  code: Extract<ProblemCode, 'invalid' | 'below-minimum' | 'above-stock' | 'amount-too-large'>;
  message: string;
}

type Orderable = Pick<Product, 'quantity' | 'minimumOrder' | 'price'>;

/**
 * Everything that keeps a quantity of a product from being ordered, in the specification's order (§5); nothing when it
 * can be ordered.
 * @param quantity pieces; null for an empty field
 */
export function quantityRefusals(quantity: number | null, product: Orderable): QuantityRefusal[] {
  if (quantity === null || Number.isNaN(quantity)) {
    return [{ code: 'invalid', message: messages.quantityRequired }];
  }
  if (!Number.isInteger(quantity)) return [{ code: 'invalid', message: messages.quantityNotWhole }];
  const refusals: QuantityRefusal[] = [];
  if (quantity < product.minimumOrder) {
    refusals.push({ code: 'below-minimum', message: belowMinimum(product.minimumOrder) });
  }
  if (quantity > product.quantity) {
    refusals.push({ code: 'above-stock', message: aboveStock(product.quantity) });
  }
  if (totalCents(quantity, toCents(product.price)) > MAX_TOTAL_CENTS) {
    refusals.push({ code: 'amount-too-large', message: messages.amountTooLarge });
  }
  return refusals;
}

/** The first of these, which the form shows and disables Purchase with; null when the quantity can be ordered. */
export const refuseQuantity = (quantity: number | null, product: Orderable): QuantityRefusal | null =>
  quantityRefusals(quantity, product)[0] ?? null;

/** Whether money of an order is left that can be given back; a disputed one waits for the bank. */
export const canRefund = ({
  status,
  closed,
  disputed,
  refund,
  totalPrice,
}: Pick<Order, 'status' | 'closed' | 'disputed' | 'refund' | 'totalPrice'>): boolean =>
  closed === undefined &&
  !disputed &&
  findRefundMove(status) !== null &&
  (refund === undefined || refund.amount - (refund.unassigned ?? 0) < totalPrice);

const phonePattern = new RegExp(`^[0-9 +\\-()]{${MIN_PHONE},${MAX_PHONE}}$`);

/** A phone number: 5 to 20 of digits, space and `+ - ( )`; the specification's field is a number, so both are taken. */
export const phoneField = z
  .pipe(
    z.union([z.string(), z.number()], messages.phoneRequired),
    z.pipe(
      z.transform((value: string | number) => String(value).trim()),
      z
        .string()
        .check(
          z.minLength(1, { error: messages.phoneRequired, abort: true }),
          z.regex(phonePattern, `Must be ${MIN_PHONE} to ${MAX_PHONE} digits`),
        ),
    ),
  )
  .register(z.globalRegistry, { description: `${MIN_PHONE} to ${MAX_PHONE} of digits, space, \`+ - ( )\`` });

export const addressField = text({
  min: 1,
  max: MAX_ADDRESS,
  required: messages.addressRequired,
  lines: true,
});

/**
 * What a customer sends. `name`, `productName`, `image` and `status` are read and ignored, as the server has
 * its own (contract, `POST /order`), so any text is taken there.
 */
export const orderRequestSchema = z.object({
  email: emailField,
  address: addressField,
  phone: phoneField,
  productId: z.string('productId is Required'),
  quantity: z.int({
    error: ({ input }) => (typeof input === 'number' ? messages.quantityNotWhole : messages.quantityRequired),
  }),
  totalPrice: z.number('totalPrice is Required').check(z.gte(0, 'Must be at least 0')),
  name: z.optional(z.unknown()),
  productName: z.optional(z.unknown()),
  image: z.optional(z.unknown()),
  status: z.optional(z.unknown()),
});

/** An order request as the server has checked it. */
export type CheckedOrderRequest = z.output<typeof orderRequestSchema>;

export const placeOrder = defineCall({
  method: 'POST',
  path: '/order',
  tag: 'Orders',
  policy: policies.placeOrder,
  summary: 'Place an order',
  description:
    "Takes the stock and writes the order in one step, or does neither. Price, product name and image come from the product, the customer's name from the account; an order starts `due`.",
  body: orderRequestSchema,
  headers: {
    'Idempotency-Key': {
      description:
        'The same key from the same customer returns the first answer and places nothing twice; with another body it is refused.',
      pattern: new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY}}$`),
      message: `Must be 1 to ${MAX_IDEMPOTENCY_KEY} printable characters without spaces`,
    },
  },
  answer: z.object({ insertedId: z.string() }),
  problems: [
    'not-yours',
    'email-not-verified',
    'not-found',
    'price-changed',
    'below-minimum',
    'above-stock',
    'amount-too-large',
    'too-many-unpaid',
    'key-reused',
  ],
});

/** `?closed=`: orders that ended this way, `true` for every way. Without it none of them is there. */
const closedField = z.optional(
  z.enum([...ORDER_CLOSINGS, 'true'], `Must be one of ${[...ORDER_CLOSINGS, 'true'].join(', ')}`),
);
export type ClosedFilter = z.infer<typeof closedField>;

export const orderQuerySchema = z.object({
  ...pagingFields,
  email: z.optional(emailField),
  status: z.optional(z.enum(ORDER_STATUSES, `Must be one of ${ORDER_STATUSES.join(', ')}`)),
  q: searchField,
  closed: closedField,
});

export const listOrders = defineCall({
  method: 'GET',
  path: '/order',
  tag: 'Orders',
  policy: policies.listOrders,
  summary: 'List orders',
  description:
    'Newest first. Without `email` all orders, for administrators; with it the orders of that customer. Orders that were cancelled, refunded or have expired are listed with `closed` alone.',
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
