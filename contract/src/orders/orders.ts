import * as z from 'zod/mini';
import { MAX_ADDRESS, MAX_PHONE, MAX_REFERENCE, MAX_SORTED_ORDERS, MIN_PHONE } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { idempotencyKey } from '../calls/idempotency-key.ts';
import { messages } from '../calls/messages.ts';
import { pagingFields, searchField } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { toAmount, toCents } from '../money/money.ts';
import { SERIES } from '../money/papers.ts';
import { toPhoneText } from '../text/phone.ts';
import { emailField, emailQueryField, idField, idParam, instant, momentField, text } from '../text/text.ts';
import {
  findRefundMove,
  ORDER_CLOSINGS,
  ORDER_STATUSES,
  type OrderClosing,
  type OrderStatus,
  orderMoves,
  REFUND_STATES,
} from './order-states.ts';
import { shipmentSchema } from './shipments.ts';

/** A purchase as one row of a list. */
const purchaseRowSchema = z
  .object({
    matching: z.int().check(z.describe('How many of its orders match')),
    pieces: z.int().check(z.describe('Without cancelled and expired orders')),
    states: z
      .partialRecord(z.enum([...ORDER_STATUSES, ...ORDER_CLOSINGS]), z.int())
      .check(z.describe('How many of its orders are so: open ones by status, ended ones by how they ended')),
    unpaid: z.number().check(z.describe('Total of its unpaid orders')),
    toSend: z.int().check(z.describe('How many of its orders have pieces to be sent')),
    names: z.array(z.string()).check(z.describe('Of the parts of its first two orders')),
    payments: z
      .array(z.object({ transactionId: z.string(), order: z.string() }))
      .check(z.describe('Each with the first of its orders, which has its papers')),
    parcels: z.int(),
  })
  .check(z.describe('With `rows=purchases`'));

export const orderSchema = z.object({
  _id: z.string(),
  productId: z.string(),
  productName: z.string(),
  partNumber: z.string().check(z.describe('Of the part now, also when no longer sold')),
  image: z.string(),
  name: z.string(),
  company: z.optional(z.string().check(z.describe("The customer's, when it was placed"))),
  email: z.string(),
  address: z.string(),
  phone: z.string(),
  number: z.int().check(z.describe('For people; rises from 10001')),
  quantity: z.int(),
  price: z
    .number()
    .check(z.describe('Of one piece when it was placed; `withoutTax` with up to ten decimals')),
  totalPrice: z.number(),
  status: z.enum(ORDER_STATUSES),
  withoutTax: z.optional(z.literal(true).check(z.describe('The customer pays no tax, so prices have none'))),
  batch: z.optional(z.string().check(z.describe('Shared by orders placed together'))),
  purchase: z.optional(
    z
      .object({
        number: z.int().check(z.describe('The lowest of its orders, cancelled ones included')),
        part: z.int().check(z.describe('Place of the order among them, by number, from 1')),
        orders: z.int().check(z.describe('How many, cancelled ones included')),
        total: z.number().check(z.describe('Without cancelled and expired orders')),
        row: z.optional(purchaseRowSchema),
      })
      .check(z.describe('What was placed together; absent for a single order')),
  ),
  reference: z.optional(z.string().check(z.describe("The customer's own"))),
  transactionId: z.optional(z.string()),
  heldUntil: z.optional(instant.check(z.describe('While due: when it expires; absent: never'))),
  refund: z.optional(
    z.object({
      amount: z.number(),
      state: z.enum(REFUND_STATES),
      unassigned: z.optional(
        z
          .number()
          .check(
            z.describe(
              "Part of `amount` that is not this order's alone: refunded of a shared payment without naming an order (the same in all of them, so `amount` may exceed the total), or a refund at the provider that failed",
            ),
          ),
      ),
      quantity: z.optional(
        z.int().check(z.describe('While more is left: pieces of it; no later refund has them')),
      ),
      back: z.optional(
        z
          .int()
          .check(
            z.describe('Of `quantity`: refunded before any was sent, or back in stock; they are not sent'),
          ),
      ),
      unsure: z.optional(
        z.int().check(z.describe('Of `quantity`: refunded after some were sent; they may be of those')),
      ),
      failed: z.optional(
        z.number().check(z.describe('If not all of it failed: the part that did; the shop retries it')),
      ),
      settled: z.optional(z.number().check(z.describe('What credit notes say, less debit notes'))),
      lost: z.optional(
        z
          .number()
          .check(
            z.describe(
              'Part of `amount` that lost disputes took; after a refund `amount` may exceed the total',
            ),
          ),
      ),
    }),
  ),
  disputed: z.optional(z.literal(true)),
  inquiry: z.optional(
    z.literal(true).check(z.describe('`disputed`, but the bank only asks: it took no money')),
  ),
  returned: z.optional(
    z.number().check(z.describe('Came back after the order had closed as refunded; can be refunded again')),
  ),
  sent: z.optional(
    z.int().check(z.describe('Pieces in parcels, at most `quantity`; a parcel that names none has all')),
  ),
  shipments: z.optional(z.array(shipmentSchema).check(z.describe('Its parcels; absent without'))),
  papers: z.optional(
    z
      .array(
        z.object({
          number: z.string(),
          kind: z.enum(SERIES),
          day: z.string(),
          total: z.number(),
          net: z.number(),
          tax: z.number(),
        }),
      )
      .check(z.describe('Oldest first; a debit note takes a credit note back. Absent without')),
  ),
  closed: z.optional(z.enum(ORDER_CLOSINGS).check(z.describe('How it ended; absent while open'))),
  createdAt: instant,
  updatedAt: instant,
});
export type Order = z.infer<typeof orderSchema>;
/** What a list says of a purchase in the first of its orders that match, which stands for all of them. */
export type PurchaseRow = NonNullable<NonNullable<Order['purchase']>['row']>;

/** In the shop's currency. Unassigned refunds do not count as the order's own; of a closed order, what came back. */
export function countRefundable({
  status,
  closed,
  returned = 0,
  refund,
  totalPrice,
}: Pick<Order, 'status' | 'closed' | 'returned' | 'refund' | 'totalPrice'>): number {
  if (closed !== undefined) return returned;
  if (findRefundMove(status) === null) return 0;
  if (refund === undefined) return totalPrice;
  const ownCents = toCents(refund.amount) - toCents(refund.unassigned ?? 0);
  return toAmount(Math.max(0, toCents(totalPrice) - ownCents));
}

/** Pieces that no refund has; an amount has none, so fewer may be payable. */
export const countPiecesLeft = ({
  closed,
  quantity,
  refund,
}: Pick<Order, 'closed' | 'quantity' | 'refund'>) =>
  closed === undefined ? quantity - (refund?.quantity ?? 0) : 0;

/** The bank decides about a disputed order. A refund settles its inquiry. */
export const canRefund = (
  order: Parameters<typeof countRefundable>[0] & Pick<Order, 'disputed' | 'inquiry'>,
): boolean => (!order.disputed || order.inquiry === true) && countRefundable(order) > 0;

/** Three digits are the shortest numbers dialled anywhere, such as 112. */
const phonePattern = new RegExp(
  `^(?=[ +\\-()]*[0-9][ +\\-()]*[0-9][ +\\-()]*[0-9])[0-9 +\\-()]{${MIN_PHONE},${MAX_PHONE}}$`,
);

/** The specification's field is a number, so numbers are accepted too. */
export const phoneField = z
  .pipe(
    z.union([z.string(), z.number()], messages.phoneRequired),
    z.pipe(
      // JSON has changed a longer number.
      z.transform((value: string | number) =>
        toPhoneText(String(typeof value === 'string' || Number.isSafeInteger(value) ? value : Number.NaN)),
      ),
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

export const totalPriceField = z
  .number('totalPrice is Required')
  .check(
    z.gte(0, 'Must be at least 0'),
    z.describe(
      "Quantity times the price for that quantity, which is the customer's own where it is lower; or times that of the list, with or without its breaks (the lowest is charged); at most 999,999.99. For a customer without tax less the tax that it contains, which is rounded to cents, half a cent up",
    ),
  );

/** Such as a purchase order number; empty: none. */
export const referenceField = text({ max: MAX_REFERENCE }).check(z.describe("The customer's own"));

const ignoredField = z.optional(z.unknown().check(z.describe('Ignored')));

/** The server uses its own name, product name, image and status. */
export const orderRequestSchema = z.object({
  email: emailField,
  address: addressField,
  phone: phoneField,
  productId: z.string('productId is Required'),
  quantity: quantityField,
  totalPrice: totalPriceField,
  reference: z.optional(referenceField),
  name: ignoredField,
  productName: ignoredField,
  image: ignoredField,
  status: ignoredField,
});

/** A validated order request. */
export type CheckedOrderRequest = z.output<typeof orderRequestSchema>;

/** One order and a batch are refused alike. */
export const placingProblems = [
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
] as const;

export const orderHeaders = {
  'Idempotency-Key': idempotencyKey(
    'The same key from the same customer returns the first answer; with another body it is refused.',
  ),
};

export const placeOrder = defineCall({
  method: 'POST',
  path: '/order',
  tag: 'Orders',
  policy: policies.placeOrder,
  summary: 'Place an order',
  description:
    "Takes the stock and writes the order in one step, or does neither; stock never falls below zero. Price, product name and image come from the part, the customer's name from the account; those of the body and `status` are ignored. An order starts `due`. Any other `totalPrice` is refused with the `price` now. Quantities are refused with `Please order minimum {n}`, then `maximum order range {stock}`, then `Please order in steps of {n}`.",
  body: orderRequestSchema,
  headers: orderHeaders,
  answer: z.object({ insertedId: z.string() }),
  problems: placingProblems,
});

/** `true` means any closing; default: open orders only. */
const closedField = z.optional(
  z
    .enum([...ORDER_CLOSINGS, 'true'], `Must be one of ${[...ORDER_CLOSINGS, 'true'].join(', ')}`)
    .check(z.describe('`true`: all three')),
);
export type ClosedFilter = z.infer<typeof closedField>;
const listedField = z.optional(
  z
    .enum(
      [...ORDER_CLOSINGS, 'true', 'any'],
      `Must be one of ${[...ORDER_CLOSINGS, 'true', 'any'].join(', ')}`,
    )
    .check(z.describe('`true`: all three; `any`: open ones, too')),
);
export type ListedFilter = z.infer<typeof listedField>;

/** `-` is descending. By total at most `MAX_SORTED_ORDERS` are sorted. */
export const ORDER_SORTS = ['newest', 'oldest', 'total', '-total'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

const rowsField = z.optional(
  z
    .literal('purchases', 'Must be purchases')
    .check(z.describe('A purchase is one row: the first of its orders that match, with `purchase.row`')),
);

const notANumber = 'Must be the number of an order, such as 10001';
const numberField = (meaning: string) =>
  z.optional(
    z
      .pipe(
        // A body has numbers, an address texts.
        z.pipe(z.union([z.string(), z.number()], notANumber), z.transform(String)),
        z.pipe(z.string().check(z.regex(/^\d{1,9}$/, notANumber)), z.transform(Number)),
      )
      .register(z.globalRegistry, { type: 'integer', pattern: undefined, description: meaning }),
  );

export const orderQuerySchema = z.object({
  ...pagingFields,
  email: z.optional(emailQueryField),
  /** An address may have belonged to an earlier account. */
  user: z.optional(idField('Must be the id of a user')),
  status: z.optional(z.enum(ORDER_STATUSES, `Must be one of ${ORDER_STATUSES.join(', ')}`)),
  number: numberField('Exactly'),
  purchase: numberField('`purchase.number`, exactly'),
  q: searchField,
  closed: listedField,
  reference: z.optional(text({ min: 1, max: MAX_REFERENCE }).check(z.describe('Exactly'))),
  product: z.optional(idField('Must be the id of a product')),
  from: z.optional(momentField),
  before: z.optional(momentField),
  acceptedSince: z.optional(momentField),
  toSend: z.optional(z.literal('true', 'Must be true')),
  batch: z.optional(idField('Must be the id of a batch')),
  rows: rowsField,
  sort: z.optional(z.enum(ORDER_SORTS, `Must be one of ${ORDER_SORTS.join(', ')}`)),
});

export const listOrders = defineCall({
  method: 'GET',
  path: '/order',
  tag: 'Orders',
  policy: policies.listOrders,
  summary: 'List orders',
  description: `Newest first, or by \`sort\`: \`total\` and \`-total\` are refused above ${MAX_SORTED_ORDERS} orders. Without \`email\`, administrators get all orders; with it, those placed under that address, also by an earlier account. \`user\` is an account's id, for administrators. Closed orders need \`closed\`; \`any\` needs \`email\`, \`user\`, \`number\` or \`purchase\`. \`from\` and \`acceptedSince\` include their moment, \`before\` does not. \`batch\` lists orders placed together; \`toSend=true\` accepted ones with pieces to be sent, as \`POST /order/{id}/shipment\` counts them. With \`rows=purchases\` pages, totals and sorts are of rows; a page never divides a purchase.`,
  query: orderQuerySchema,
  answer: z.object({ data: z.array(orderSchema) }),
  paged: 'data',
  problems: ['admin-needed', 'not-yours'],
});

const stateCountsSchema = z.object(
  Object.fromEntries(
    [...ORDER_STATUSES, 'toSend', ...ORDER_CLOSINGS].map((state) => [state, z.int()]),
  ) as Record<OrderStatus | OrderClosing | 'toSend', z.ZodMiniInt>,
);
const rowCountsSchema = z.extend(stateCountsSchema, { open: z.int(), ended: z.int(), all: z.int() });

export const countOrders = defineCall({
  method: 'GET',
  path: '/order/counts',
  tag: 'Orders',
  policy: policies.countOrders,
  summary: 'Count orders by how they stand',
  description:
    'Of those that `GET /order` would list with the same filters: open ones by status, ended ones by how they ended; `toSend` of `paid`. With `rows=purchases` rows: a purchase counts once for each state of its orders, and once in `open`, `ended` and `all`; `purchases` has how many of these rows are purchases, `orders` how many orders they have in all.',
  query: z.pick(orderQuerySchema, {
    purchase: true,
    email: true,
    user: true,
    product: true,
    reference: true,
    from: true,
    before: true,
    rows: true,
  }),
  answer: z.extend(stateCountsSchema, {
    ...z.partial(z.pick(rowCountsSchema, { open: true, ended: true, all: true })).shape,
    purchases: z.optional(rowCountsSchema),
    orders: z.optional(rowCountsSchema),
  }),
  problems: ['admin-needed', 'not-yours'],
});

export const readOrder = defineCall({
  method: 'GET',
  path: '/order/:id',
  tag: 'Orders',
  policy: policies.readOrder,
  summary: 'Read one order',
  description: 'A closed order is 404 unless `closed` names how it ended, or is `true`.',
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
  description:
    'Only while `due` and not being paid (its payment processes or has succeeded). An open payment is cancelled first; the stock returns in the same step.',
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
    'Only from `pending`. The shop asks the provider again. A full refund closes the order; it and an open dispute are refused. So is a partial refund, unless `despite` names it.',
  params: z.object({ id: idParam }),
  body: z.object({
    status: z.literal('paid', 'Must be paid'),
    despite: z.optional(z.literal('partly-refunded', 'Must be partly-refunded')),
    refunded: z.optional(
      z
        .number('Must be a number')
        .check(
          z.describe(
            '`refund.amount` of the order as it was seen; if it is another now, `despite` is refused',
          ),
        ),
    ),
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

/** Until the parts ship. */
export const canCorrectAddress = ({ status, closed }: Pick<Order, 'status' | 'closed'>): boolean =>
  closed === undefined && status !== orderMoves.accept.to;

export const correctAddress = defineCall({
  method: 'PUT',
  path: '/order/:id/address',
  tag: 'Orders',
  policy: policies.correctAddress,
  summary: 'Correct the delivery address of an order',
  description:
    'Until its payment is accepted; the customer gets a mail. Without `phone` that stays. The trail says what changed, without the address; papers that exist stay as they are.',
  params: z.object({ id: idParam }),
  body: z.object({ address: addressField, phone: z.optional(phoneField) }),
  answer: z.object({ acknowledged: z.boolean() }),
  problems: ['not-found', 'already-accepted'],
});
