import * as z from 'zod/mini';
import { MAX_STOCK, MAX_STOCK_NOTE, MIN_STOCK } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { idempotencyKey } from '../calls/idempotency-key.ts';
import { policies } from '../calls/policies.ts';
import { RESTOCK_REASONS } from '../events/trail-events.ts';
import { formatPieces } from '../money/money.ts';
import { idParam, text } from '../text/text.ts';
import { productSchema } from './products.ts';

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
    // Returned pieces may pass the most.
    was: z.optional(z.int('Must be a whole number').check(z.gte(MIN_STOCK, `Must be at least ${MIN_STOCK}`))),
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
