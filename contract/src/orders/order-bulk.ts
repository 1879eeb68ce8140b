import * as z from 'zod/mini';
import { MAX_CARRIER, MAX_CHOSEN_ORDERS, MAX_PARCEL_LINES, MAX_PARCEL_NUMBER } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { idempotencyKey } from '../calls/idempotency-key.ts';
import { policies } from '../calls/policies.ts';
import { PROBLEM_CODES } from '../calls/problems.ts';
import { chosenOrdersField } from '../files/downloads.ts';
import { formatPieces } from '../money/money.ts';
import { TABLE_FILE } from '../products/catalogue.ts';
import { text } from '../text/text.ts';
import { orderQuerySchema } from './orders.ts';

/** A search for marks alone matches everything. */
const saysSomething = (value: unknown): boolean => value !== undefined && /[\p{L}\p{N}]/u.test(String(value));

/** Fields of `GET /order`; never empty, so that none of them can be forgotten. */
const filterField = z
  .omit(orderQuerySchema, { limit: true, after: true, closed: true, sort: true, toSend: true, rows: true })
  .check(
    z.refine((filter) => Object.values(filter).some(saysSomething), {
      error: 'Must name what the orders have in common',
    }),
  );

/** A result for each order or line, in their order. */
export const bulkAnswerSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      ok: z.boolean(),
      order: z.optional(
        z.object({
          customer: z.string(),
          name: z.string(),
          productName: z.string(),
          quantity: z.int(),
          shared: z.optional(z.int().check(z.describe('An order of another customer with this parcel'))),
        }),
      ),
      error: z.optional(z.object({ code: z.enum(PROBLEM_CODES), detail: z.string() })),
    }),
  ),
});
export type BulkResult = z.infer<typeof bulkAnswerSchema>['data'][number];

export const actOnOrders = defineCall({
  method: 'POST',
  path: '/order/bulk',
  tag: 'Orders',
  policy: policies.actOnOrders,
  summary: 'Accept the payments of many orders',
  description: `Each order stands alone, as in \`PUT /order/accept/{id}\`: one that fails has its \`error\`, an unknown one \`not-found\`; disputed and partly refunded orders fail. Give \`ids\`, or as \`filter\` fields of \`GET /order\` for the pending orders that match now; more than ${MAX_CHOSEN_ORDERS} are refused, and a key needs \`orders:read\`, too. The work goes on when the connection ends. After a lost answer, repeat the request with its key.`,
  headers: {
    'Idempotency-Key': idempotencyKey(
      'The same key from the same administrator takes the same orders again: those accepted since the first request are `ok`. With another body it is refused.',
    ),
  },
  body: z
    .object({
      act: z.literal('accept', 'Must be accept'),
      ids: z.optional(chosenOrdersField),
      filter: z.optional(filterField),
    })
    .check(
      z.refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
        path: ['ids'],
        error: 'Give ids or filter, not both',
      }),
    ),
  // Each order is asked about at the provider.
  timeoutMs: 120_000,
  answer: bulkAnswerSchema,
  problems: ['key-reused'],
});

export const cancelOrders = defineCall({
  method: 'POST',
  path: '/order/cancel',
  tag: 'Orders',
  policy: policies.cancelOrders,
  summary: 'Cancel many unpaid orders',
  description:
    'Each order stands alone, as in `DELETE /order/{id}`: one that fails has its `error`, an unknown one or that of another customer `not-found`. Customers whose orders an administrator cancels get one mail each. After a lost answer, repeat the request: `not-found` are those that it had cancelled.',
  body: z.object({ ids: chosenOrdersField }),
  // Open payments are cancelled at the provider first.
  timeoutMs: 120_000,
  answer: bulkAnswerSchema,
});

/** Checked line by line, so that one refused line blocks no other. */
const parcelLineSchema = z.object({
  order: z.string('Must be a text').check(z.describe("The order's number or id")),
  carrier: z.string('Must be a text'),
  number: z.string('Must be a text'),
  sentAt: z.optional(z.string('Must be a text').register(z.globalRegistry, { format: 'date-time' })),
  quantity: z.optional(z.number('Must be a number')),
  despite: z.optional(z.string('Must be a text')),
});
export type ParcelLine = z.output<typeof parcelLineSchema>;

export const readParcelFile = defineCall({
  method: 'POST',
  path: '/shipment/file',
  tag: 'Orders',
  policy: policies.readParcelFile,
  summary: 'Read a file of parcels as a table',
  description: `Adds nothing. The body is a CSV file or an XLSX workbook of at most ${formatPieces(MAX_PARCEL_LINES)} lines. \`places\` has the columns that the names suggest, from 0.`,
  file: TABLE_FILE,
  answer: z.object({
    data: z.object({
      names: z.array(z.string()),
      places: z.record(z.string(), z.int()),
      lines: z.array(
        z.object({
          line: z.int(),
          cells: z.readonly(z.array(z.union([z.string(), z.number()]))),
          quote: z.optional(z.enum(['open', 'stray', 'covers'])),
        }),
      ),
      separator: z.optional(z.string()),
      notes: z.array(z.string()),
    }),
  }),
  timeoutMs: 60_000,
  rateLimit: { requests: 30, seconds: 60 },
  problems: ['too-large', 'wrong-kind', 'invalid'],
});

const parcelCount = `Must be 1 to ${MAX_CHOSEN_ORDERS} parcels`;

export const addShipments = defineCall({
  method: 'POST',
  path: '/shipment/bulk',
  tag: 'Orders',
  policy: policies.addShipments,
  summary: 'Add the parcels of many orders',
  description:
    'Each line stands alone, as in `POST /order/{id}/shipment`: a refused one has its `error`, an unknown order `not-found`; `id` is the `order` as given. Lines of one order without `quantity` are several boxes of what is left. After a lost answer, repeat the request: parcels that are there stay `ok`. With `preview` nothing is kept or mailed, and lines that would be added have their `order`, for which a key needs `orders:read`, too.',
  body: z.object({
    preview: z.optional(z.boolean('Must be true or false')),
    parcels: z
      .array(parcelLineSchema, parcelCount)
      .check(z.minLength(1, parcelCount), z.maxLength(MAX_CHOSEN_ORDERS, parcelCount)),
  }),
  answer: bulkAnswerSchema,
});

export const removeShipments = defineCall({
  method: 'POST',
  path: '/shipment/remove',
  tag: 'Orders',
  policy: policies.removeShipments,
  summary: 'Remove a parcel from many orders',
  description:
    'Each order stands alone, as in `DELETE /order/{id}/shipment/{shipment}`: one without this parcel has its `error`, `not-found`. Carrier and number are compared without case and spaces. Customers get one mail each. After a lost answer, repeat the request: `not-found` are those that it had removed.',
  body: z.object({
    ids: chosenOrdersField,
    carrier: text({ min: 1, max: MAX_CARRIER, required: 'carrier is Required' }),
    number: text({ min: 1, max: MAX_PARCEL_NUMBER, required: 'number is Required' }),
  }),
  answer: bulkAnswerSchema,
});
