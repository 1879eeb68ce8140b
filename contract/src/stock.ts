import * as z from 'zod/mini';
import { MAX_BULK_CHANGES, MAX_SEARCH, MAX_STOCK, MAX_STOCK_NOTE, MIN_STOCK } from './bounds.ts';
import { defineCall } from './call.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { formatPieces } from './money.ts';
import { policies } from './policies.ts';
import { PROBLEM_CODES } from './problems.ts';
import { productSchema } from './products.ts';
import { cleanText, idParam, instant, text } from './text.ts';
import { RESTOCK_REASONS } from './trail-events.ts';

const pieces = (least: number) =>
  z
    .int('Must be a whole number')
    .check(
      z.gte(least, `Must be at least ${formatPieces(least)}`),
      z.lte(MAX_STOCK, `Must be no more than ${formatPieces(MAX_STOCK)}`),
    );

/** Pieces: `add` a difference, or `set` a count if the stock is still `was`. */
export const stockChangeSchema = z
  .object({
    add: z.optional(pieces(-MAX_STOCK).check(z.refine((add) => add !== 0, 'Must not be 0'))),
    set: z.optional(pieces(MIN_STOCK)),
    was: z.optional(pieces(MIN_STOCK)),
    reason: z.enum(RESTOCK_REASONS, `Must be one of ${RESTOCK_REASONS.join(', ')}`),
    note: z.optional(text({ max: MAX_STOCK_NOTE })),
  })
  .check(
    z.refine(({ add, set }) => (add === undefined) !== (set === undefined), {
      path: ['add'],
      error: 'Must have either add, or set with was',
    }),
    z.refine(({ set, was }) => (set === undefined) === (was === undefined), {
      path: ['was'],
      error: 'Must be the stock that set replaces',
    }),
  );
export type StockChange = z.output<typeof stockChangeSchema>;

export const changeStock = defineCall({
  method: 'POST',
  path: '/product/:id/stock',
  tag: 'Products',
  policy: policies.changeStock,
  summary: 'Add to the stock of a product, or set it',
  description:
    '`add` adds pieces, or takes some away below zero. `set` applies only while the stock is `was`. The stock stays from 0 to the most a part can have. The ledger keeps `reason` and `note`.',
  params: z.object({ id: idParam }),
  headers: {
    'Idempotency-Key': idempotencyKey(
      'The same key from the same administrator returns the first answer; with another change it is refused.',
      true,
    ),
  },
  body: stockChangeSchema,
  answer: z.object({ data: productSchema }),
  problems: ['not-found', 'above-stock', 'stock-changed', 'stock-limit', 'key-reused'],
});

/** Cuts overlong texts, so that only their own line is refused. */
const bulkNumber = z
  .pipe(
    z.string('Must be a text'),
    z.transform((value) => cleanText(value.slice(0, 8 * MAX_SEARCH), false).slice(0, MAX_SEARCH)),
  )
  .register(z.globalRegistry, { description: `Read to its first ${MAX_SEARCH} characters` });

const bulkChangeSchema = z.object({
  number: bulkNumber,
  add: z.optional(z.number('Must be a number')),
  price: z.optional(z.number('Must be a number')),
  version: z.optional(z.int('Must be a whole number')),
});
/** Figures are checked line by line, so that one refused line blocks no other. */
export type BulkChange = z.output<typeof bulkChangeSchema>;

const bulkStateSchema = z.object({ quantity: z.int(), price: z.number(), version: z.int() });
export type BulkState = z.infer<typeof bulkStateSchema>;

export const bulkLineSchema = z.object({
  number: z.string(),
  ok: z.boolean(),
  product: z.optional(z.object({ _id: z.string(), name: z.string(), image: z.string() })),
  before: z.nullable(bulkStateSchema).check(z.describe('Null without such a part')),
  after: z.nullable(bulkStateSchema).check(z.describe('Null when refused')),
  addedBefore: z.optional(
    instant.check(z.describe('In a preview: when the same pieces were last added, within 24 hours')),
  ),
  error: z.optional(z.object({ code: z.enum(PROBLEM_CODES), detail: z.string() })),
});
/** Without a matching part there is no `product`; a refused line has `error`. */
export type BulkLine = z.infer<typeof bulkLineSchema>;

export const changeProducts = defineCall({
  method: 'POST',
  path: '/product/bulk',
  tag: 'Products',
  policy: policies.changeProducts,
  summary: 'Change stocks and prices of many products',
  description:
    'Without `apply` it is a preview. Each line stands alone: a refused one says why. A part named twice is refused both times. Numbers ignore case. `add` adds to the stock of that moment; `version` refuses a part that was edited since.',
  headers: {
    'Idempotency-Key': idempotencyKey(
      'Needed with `apply`. The same key from the same administrator returns the first answer; with other changes it is refused.',
    ),
  },
  body: z.object({
    changes: z
      .array(bulkChangeSchema, 'Must be a list of changes')
      .check(
        z.minLength(1, 'Must have a change'),
        z.maxLength(MAX_BULK_CHANGES, `Must be no more than ${MAX_BULK_CHANGES} changes`),
      ),
    apply: z.optional(z.boolean('Must be true or false')),
  }),
  answer: z.object({ lines: z.array(bulkLineSchema), applied: z.boolean() }),
  problems: ['header-required', 'key-reused'],
});
