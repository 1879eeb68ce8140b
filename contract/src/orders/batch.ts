import * as z from 'zod/mini';
import { MAX_BATCH_FILE_BYTES, MAX_BATCH_LINES, MAX_BATCH_TEXT, MAX_STOCK } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { messages } from '../calls/messages.ts';
import { policies } from '../calls/policies.ts';
import { formatPieces } from '../money/money.ts';
import { ownPriceSchema } from '../prices/agreed-prices.ts';
import { TABLE_FILE } from '../products/catalogue.ts';
import { insteadSchema } from '../products/instead.ts';
import { productSchema } from '../products/products.ts';
import { emailField, idField, idParam, instant, tooLong } from '../text/text.ts';
import {
  addressField,
  orderHeaders,
  phoneField,
  placingProblems,
  quantityField,
  referenceField,
  totalPriceField,
} from './orders.ts';

export const batchLineSchema = z.object({
  product: productSchema,
  quantity: z.int(),
  price: z.number().check(z.describe('Of one piece when the line last changed, as an order has it')),
  ownPrices: z.optional(z.array(ownPriceSchema).check(z.describe('As of `GET /price`; absent without any'))),
  gone: z.optional(z.literal(true).check(z.describe('No longer sold'))),
  alias: z.optional(z.string().check(z.describe("The customer's own name of the part, the last one used"))),
  instead: z.optional(
    z.array(insteadSchema).check(z.describe('What fits instead; of a short or removed part alone')),
  ),
  updatedAt: instant,
});
/** `quantity` need not be orderable. */
export type BatchLine = z.infer<typeof batchLineSchema>;

/** Why a line is not in the saved batch. */
const LEFT_OUT = ['batch-full', 'above-limit', 'gone'] as const;

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
  description: "The caller's list before it is placed, first added first.",
  answer: savedList,
});

export const writeBatchLine = defineCall({
  method: 'PUT',
  path: '/batch/:productId',
  tag: 'Orders',
  policy: policies.writeBatchLine,
  summary: 'Set the quantity of a part in the saved batch',
  description: `Adds an absent line of a part on sale. A list has at most ${MAX_BATCH_LINES} lines.`,
  params: z.object({ productId: idParam }),
  body: z.object({ quantity: lineQuantityField }),
  answer: savedList,
  problems: ['not-found', 'batch-full'],
});

export const writeBatchLines = defineCall({
  method: 'PATCH',
  path: '/batch',
  tag: 'Orders',
  policy: policies.writeBatchLines,
  summary: 'Set quantities of several parts in the saved batch',
  description: `All are set, or none. \`0\` removes a line. A line of a part that is no longer sold can be changed, but not added. A list has at most ${MAX_BATCH_LINES} lines.`,
  body: z.object({
    lines: z
      .array(
        z.object({
          productId: idField('Must be a UUID', 'productId is Required'),
          quantity: z.union([z.literal(0), lineQuantityField]),
        }),
        'lines is Required',
      )
      .check(z.maxLength(2 * MAX_BATCH_LINES, `Must be no more than ${2 * MAX_BATCH_LINES} lines`)),
  }),
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
  line: z.int().check(z.describe('From 1')),
  text: z.string(),
  reason: z.string(),
  suggestion: z.optional(z.string().check(z.describe('Number of a part that may be meant'))),
  search: z.optional(z.string().check(z.describe('Text in place of the number'))),
  asked: z.optional(
    z
      .object({ name: z.string(), quantity: z.int() })
      .check(z.describe('What the line asks for, if only the part is missing')),
  ),
});
export type UnreadBatchLine = z.infer<typeof unreadLineSchema>;

const addedListSchema = z.extend(savedList, {
  lines: z
    .array(
      z.object({
        line: z.int().check(z.describe('From 1')),
        productId: z.string(),
        before: z.int().check(z.describe("Pieces in the part's line before; 0 without one")),
      }),
    )
    .check(z.describe('The first line of each added part')),
  unread: z.array(unreadLineSchema),
  added: z.int().check(z.describe('Read lines that are in the list now')),
  header: z.optional(z.string().check(z.describe('The row that names the columns'))),
  read: z.string().check(z.describe('Sentences: what was read, and why the pieces are the pieces')),
  columns: z.optional(
    z
      .array(z.object({ name: z.string(), example: z.string() }))
      .check(z.describe('Those that may hold the pieces. Nothing was added: send the list with `quantity`')),
  ),
});
/** What became of a list's lines. */
export type AddedList = z.infer<typeof addedListSchema>;

const choiceFields = z.object({
  quantity: z.optional(
    z
      .pipe(
        z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'Must be a number of `columns`, from 1')),
        z.transform(Number),
      )
      .check(z.describe('Number of the one of `columns` that holds the pieces, from 1')),
  ),
});

export const addBatchLines = defineCall({
  method: 'POST',
  path: '/batch/lines',
  tag: 'Orders',
  policy: policies.addBatchLines,
  summary: 'Add pasted lines to the saved batch',
  description:
    'A part number and a quantity in each line, separated by comma, semicolon, tab or spaces (not spaces for a number with a space). A quoted cell with line breaks is one cell. Further columns, empty lines, sentences without a figure, headers and letterheads above them are skipped: a first line without a digit, one of the first eight that names both columns, or a later one that also names the quantity. A later header holds from there. Under a header with other names, or with one meaning twice, no line is read; one that names the number but no quantity, or two, answers with `columns`; nor is one with more cells than its header. Thousands may be grouped where the mark separates no columns and no quantity or price shows it to be decimal. Where most lines have no quantity, those are skipped, too; `read` counts them and the sentences. Readable lines are added to the list, those of removed parts as `gone`; `unread` has the others.',
  body: z.object({
    text: z.string('text is Required').check(z.maxLength(MAX_BATCH_TEXT, tooLong(MAX_BATCH_TEXT))),
  }),
  query: choiceFields,
  answer: addedListSchema,
  rateLimit: { requests: 60, seconds: 60 },
});

export const addBatchFile = defineCall({
  method: 'POST',
  path: '/batch/file',
  tag: 'Orders',
  policy: policies.addBatchFile,
  summary: 'Add the lines of a file to the saved batch',
  description: `The body is a CSV or text file, an XLSX workbook or a PDF of at most ${MAX_BATCH_FILE_BYTES / 1024 ** 2} MiB. CSV, text and the first visible sheet are read as by \`POST /batch/lines\`. In a PDF, and in a table in which no line names a part that way, a row counts if it has the number of a part. Its quantity is the one that the head names; without such a head, that of the column for which quantity times price is the amount in all rows. \`read\` says which of them it was.`,
  file: { types: [...TABLE_FILE.types, 'application/pdf'], maxBytes: MAX_BATCH_FILE_BYTES },
  query: choiceFields,
  answer: addedListSchema,
  timeoutMs: 60_000,
  rateLimit: { requests: 20, seconds: 60 },
  problems: ['too-large', 'wrong-kind', 'invalid'],
});

const leftLineSchema = z.object({
  productId: z.string(),
  name: z.optional(z.string()),
  reason: z.enum(LEFT_OUT).check(z.describe('`above-limit`: more than the largest possible stock')),
});
export type LeftLine = z.infer<typeof leftLineSchema>;

export const joinBatch = defineCall({
  method: 'POST',
  path: '/batch/join',
  tag: 'Orders',
  policy: policies.joinBatch,
  summary: 'Add lines to the saved batch, once',
  description:
    "Takes over a browser's list. Quantities are added once for each `join`, remembered for thirty days. Parts no longer sold and lines without room are left out: `left` names them, also for a repeat.",
  body: z.object({
    join: idField('Must be a UUID', 'join is Required'),
    lines: z
      .array(z.object({ productId: productIdField, quantity: lineQuantityField }), 'lines is Required')
      .check(z.maxLength(MAX_BATCH_LINES, `Must be no more than ${MAX_BATCH_LINES} lines`)),
  }),
  answer: z.extend(savedList, { left: z.array(leftLineSchema) }),
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
export type CheckedBatchRequest = z.output<typeof batchRequestSchema>;

export const placeBatch = defineCall({
  method: 'POST',
  path: '/order/batch',
  tag: 'Orders',
  policy: policies.placeBatch,
  summary: 'Place many orders at once, or none',
  description:
    'Each line becomes an order with the same `batch`, under the rules of `POST /order`; all are placed, or none. Each part once. `insertedIds` follow the lines. A refusal has the code of the gravest line (422, 404, then 409); `lines` has every refused one. Lines of the saved batch with the placed quantity leave it in the same step; others stay. Until all is paid it counts as one unpaid order; one mail covers it.',
  body: batchRequestSchema,
  headers: orderHeaders,
  answer: z.object({ batch: z.string(), insertedIds: z.array(z.string()) }),
  problems: placingProblems,
});
