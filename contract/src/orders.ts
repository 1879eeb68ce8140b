import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { aboveStock, belowMinimum, messages } from './messages.ts';
import { totalCents } from './money.ts';
import { pagingFields, searchField } from './paging.ts';
import type { Product } from './products.ts';
import { emailField, instant, text } from './text.ts';

/** The card provider's limit for one payment, in cents: $999,999.99 (contract, "Fields and their bounds"). */
export const MAX_TOTAL_CENTS = 99_999_999;

export const ORDER_STATUSES = ['due', 'pending', 'paid'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The only moves there are, never back (specification §4): paying makes pending, accepting makes paid. */
export const nextStatus: Record<OrderStatus, OrderStatus | null> = {
  due: 'pending',
  pending: 'paid',
  paid: null,
};

/** A due order can be cancelled; pending and paid ones cannot (specification §4). */
export const canCancel = (status: OrderStatus): boolean => status === 'due';
/** Accepting a payment is for pending orders only (specification §4). */
export const canAccept = (status: OrderStatus): boolean => nextStatus[status] === 'paid';
/** What people read: a due order is 'unpaid' (specification §4). */
export const statusLabel = (status: OrderStatus): string => (status === 'due' ? 'unpaid' : status);

export const orderSchema = z.object({
  _id: z.string(),
  productId: z.string(),
  productName: z.string(),
  image: z.string(),
  name: z.string(),
  email: z.string(),
  address: z.string(),
  phone: z.string(),
  quantity: z.int(),
  totalPrice: z.number(),
  status: z.enum(ORDER_STATUSES),
  transactionId: z.optional(z.string()),
  createdAt: instant,
  updatedAt: instant,
});
/** An order as the wire shows it: `totalPrice` in dollars, `quantity` in pieces; `transactionId` once it is paid for. */
export type Order = z.infer<typeof orderSchema>;

/**
 * What is wrong with a quantity, in the customer's words; null when it can be ordered (specification §5).
 * The form disables Purchase with it, the server refuses with it.
 * @param quantity pieces; null for an empty field
 */
export function quantityProblem(
  quantity: number | null,
  product: Pick<Product, 'quantity' | 'minimumOrder' | 'price'>,
): string | null {
  if (quantity === null || Number.isNaN(quantity)) return messages.quantityRequired;
  if (!Number.isInteger(quantity)) return messages.quantityNotWhole;
  if (quantity < product.minimumOrder) return belowMinimum(product.minimumOrder);
  if (quantity > product.quantity) return aboveStock(product.quantity);
  if (totalCents(quantity, Math.round(product.price * 100)) > MAX_TOTAL_CENTS) return messages.amountTooLarge;
  return null;
}

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
          z.regex(/^[0-9 +\-()]{5,20}$/, 'Must be 5 to 20 digits'),
        ),
    ),
  )
  .register(z.globalRegistry, { description: '5 to 20 of digits, space, `+ - ( )`' });

export const addressField = text({ min: 1, max: 500, required: messages.addressRequired, lines: true });

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

/** What the wire carries of an order request once it was checked. */
export type OrderRequest = z.output<typeof orderRequestSchema>;

/** Printable ASCII without spaces. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

export const placeOrder = defineCall({
  method: 'POST',
  path: '/order',
  caller: 'user',
  summary: 'Place an order',
  description:
    "Takes the stock and writes the order in one step, or does neither. Price, product name and image come from the product, the customer's name from the account; an order starts `due`.",
  body: orderRequestSchema,
  headers: {
    'Idempotency-Key': {
      description:
        'The same key from the same customer returns the first answer and places nothing twice; with another body it is refused.',
      pattern: idempotencyKeyPattern,
    },
  },
  answer: z.object({ insertedId: z.string() }),
  problems: [
    'not-yours',
    'not-found',
    'price-changed',
    'below-minimum',
    'above-stock',
    'amount-too-large',
    'key-reused',
  ],
});

export const orderQuerySchema = z.object({
  ...pagingFields,
  email: z.optional(emailField),
  status: z.optional(z.enum(ORDER_STATUSES, `Must be one of ${ORDER_STATUSES.join(', ')}`)),
  q: searchField,
});
export type OrderQuery = z.infer<typeof orderQuerySchema>;

export const listOrders = defineCall({
  method: 'GET',
  path: '/order',
  caller: 'signed-in',
  summary: 'List orders',
  description:
    'Newest first. Without `email` all orders, for administrators; with it the orders of that customer.',
  query: orderQuerySchema,
  answer: z.object({ data: z.array(orderSchema) }),
  problems: ['admin-needed', 'not-yours'],
});

export const readOrder = defineCall({
  method: 'GET',
  path: '/order/:id',
  caller: 'signed-in',
  summary: 'Read one order',
  answer: orderSchema,
  problems: ['not-found'],
});

export const cancelOrder = defineCall({
  method: 'DELETE',
  path: '/order/:id',
  caller: 'signed-in',
  summary: 'Cancel an unpaid order',
  description: 'The stock goes back in the same step; an open payment is cancelled first.',
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
  caller: 'admin',
  summary: 'Accept the payment of a pending order',
  body: z.object({ status: z.literal('paid', 'Must be paid') }),
  answer: z.object({ acknowledged: z.boolean() }),
  problems: [
    'not-found',
    'not-pending',
    'payment-refunded',
    'unknown-payment',
    'payment-refused',
    'unavailable',
    'provider-broken',
  ],
});
