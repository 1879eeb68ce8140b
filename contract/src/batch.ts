import * as z from 'zod/mini';
import { MAX_BATCH_LINES, MAX_BATCH_TEXT, MAX_STOCK } from './bounds.ts';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { formatPieces } from './money.ts';
import {
  addressField,
  orderHeaders,
  phoneField,
  quantityField,
  referenceField,
  totalPriceField,
} from './orders.ts';
import { policies } from './policies.ts';
import { productSchema } from './products.ts';
import { emailField, idParam, idPattern, instant, tooLong } from './text.ts';

export const batchLineSchema = z.object({
  product: productSchema,
  quantity: z.int(),
  price: z.number(),
  gone: z.optional(z.literal(true)),
  updatedAt: instant,
});
/**
 * `gone`: no longer sold. `quantity` need not be orderable. `price`: dollars a piece at the line's last
 * change.
 */
export type BatchLine = z.infer<typeof batchLineSchema>;

const savedList = z.object({ data: z.array(batchLineSchema) });

/** Any number of pieces that could be in stock. */
const lineQuantityField = z
  .int({
    error: ({ input }) => (typeof input === 'number' ? messages.quantityNotWhole : messages.quantityRequired),
  })
  .check(z.gte(1, 'Must be at least 1'), z.lte(MAX_STOCK, `Must be no more than ${formatPieces(MAX_STOCK)}`));

const productIdField = z.string('productId is Required');

export const readBatch = defineCall({
  method: 'GET',
  path: '/batch',
  tag: 'Orders',
  policy: policies.readBatch,
  summary: 'Read the saved batch',
  description: "The caller's own list of what to order, the line that was added first in front.",
  answer: savedList,
});

export const writeBatchLine = defineCall({
  method: 'PUT',
  path: '/batch/:productId',
  tag: 'Orders',
  policy: policies.writeBatchLine,
  summary: 'Set the quantity of a part in the saved batch',
  description: `Adds the line if there is none. A list has at most ${MAX_BATCH_LINES} lines.`,
  params: z.object({ productId: idParam }),
  body: z.object({ quantity: lineQuantityField }),
  answer: savedList,
  problems: ['not-found', 'batch-full'],
});

export const removeBatchLine = defineCall({
  method: 'DELETE',
  path: '/batch/:productId',
  tag: 'Orders',
  policy: policies.removeBatchLine,
  summary: 'Remove a part from the saved batch',
  params: z.object({ productId: idParam }),
  answer: z.object({ deletedCount: z.int() }),
});

export const clearBatch = defineCall({
  method: 'DELETE',
  path: '/batch',
  tag: 'Orders',
  policy: policies.clearBatch,
  summary: 'Empty the saved batch',
  answer: z.object({ deletedCount: z.int() }),
});

const unreadLineSchema = z.object({
  line: z.int(),
  text: z.string(),
  reason: z.string(),
  suggestion: z.optional(z.string()),
  search: z.optional(z.string()),
});
/**
 * Line numbers start at 1. `suggestion`: a similar part number. `search`: the text in place of the number.
 */
export type UnreadBatchLine = z.infer<typeof unreadLineSchema>;

export const addBatchLines = defineCall({
  method: 'POST',
  path: '/batch/lines',
  tag: 'Orders',
  policy: policies.addBatchLines,
  summary: 'Add pasted lines to the saved batch',
  description:
    'A part number and a quantity in each line, with a comma, semicolon, tab or spaces between them; a header line is skipped. What can be read is added, to the quantity of a part that is there already; the rest is answered with a reason each.',
  body: z.object({
    text: z.string('text is Required').check(z.maxLength(MAX_BATCH_TEXT, tooLong(MAX_BATCH_TEXT))),
  }),
  answer: z.object({ data: z.array(batchLineSchema), unread: z.array(unreadLineSchema) }),
  rateLimit: { requests: 60, seconds: 60 },
});

export const joinBatch = defineCall({
  method: 'POST',
  path: '/batch/join',
  tag: 'Orders',
  policy: policies.joinBatch,
  summary: 'Add lines to the saved batch, once',
  description:
    'Takes over what a browser has kept. Quantities are added; parts that are not sold any more, and lines for which there is no room, are left out. The same `join` again adds nothing.',
  body: z.object({
    join: z.string('join is Required').check(z.regex(idPattern, 'Must be a UUID'), z.toLowerCase()),
    lines: z
      .array(z.object({ productId: productIdField, quantity: lineQuantityField }), 'lines is Required')
      .check(z.maxLength(MAX_BATCH_LINES, `Must be no more than ${MAX_BATCH_LINES} lines`)),
  }),
  answer: savedList,
  rateLimit: { requests: 60, seconds: 60 },
});

const orderLineSchema = z.object({
  productId: productIdField,
  quantity: quantityField,
  totalPrice: totalPriceField,
});

export const batchRequestSchema = z.object({
  email: emailField,
  address: addressField,
  phone: phoneField,
  reference: z.optional(referenceField),
  lines: z.array(orderLineSchema, 'lines is Required').check(
    z.minLength(1, 'Must be one line or more'),
    z.maxLength(MAX_BATCH_LINES, `Must be no more than ${MAX_BATCH_LINES} lines`),
    z.refine(
      (lines) => new Set(lines.map(({ productId }) => productId.toLowerCase())).size === lines.length,
      'Each part once',
    ),
  ),
});
/** A validated request. */
export type CheckedBatchRequest = z.output<typeof batchRequestSchema>;

export const placeBatch = defineCall({
  method: 'POST',
  path: '/order/batch',
  tag: 'Orders',
  policy: policies.placeBatch,
  summary: 'Place many orders at once, or none',
  description:
    'Each line becomes an order of its own, all of them with the same `batch`; all are placed, or none. A refusal has the code of the gravest line and names every line in the way in `lines`. What was placed leaves the saved batch in the same step. Against the limit of unpaid orders it counts as one.',
  body: batchRequestSchema,
  headers: orderHeaders,
  answer: z.object({ batch: z.string(), insertedIds: z.array(z.string()) }),
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
