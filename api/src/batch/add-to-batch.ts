import { MAX_BATCH_LINES, MAX_STOCK } from '@parts-forge/contract/bounds';
import { unitPriceFor } from '@parts-forge/contract/pricing';
import type { Product } from '@parts-forge/contract/products';
import type { Executor } from '#src/platform/database/connection.ts';
import { type LineRow, type NewLine, writeLines } from './store.ts';

export interface Addition {
  product: Product;
  quantity: number;
}

/** `above-limit`: more than the largest possible stock. */
export type LeftOut = 'batch-full' | 'above-limit';

/**
 * @param known the batch's lines, locked by the caller
 * @returns the skipped additions
 */
export async function addToBatch(
  tx: Executor,
  userId: string,
  known: readonly LineRow[],
  additions: readonly Addition[],
  now: Date,
): Promise<ReadonlyMap<Addition, LeftOut>> {
  const quantities = new Map(known.map(({ productId, quantity }) => [productId, quantity]));
  const written = new Map<string, NewLine>();
  const leftOut = new Map<Addition, LeftOut>();
  for (const addition of additions) {
    const { product, quantity } = addition;
    const before = quantities.get(product._id);
    if (before === undefined && quantities.size >= MAX_BATCH_LINES) {
      leftOut.set(addition, 'batch-full');
      continue;
    }
    const sum = (before ?? 0) + quantity;
    if (sum > MAX_STOCK) {
      leftOut.set(addition, 'above-limit');
      continue;
    }
    quantities.set(product._id, sum);
    written.set(product._id, toLine(product, sum));
  }
  await writeLines(tx, userId, [...written.values()], now);
  return leftOut;
}

/** Of additions made before, whose answer may be lost. */
export function findMissing(
  known: readonly LineRow[],
  additions: readonly Addition[],
): ReadonlyMap<Addition, LeftOut> {
  const ids = new Set(known.map(({ productId }) => productId));
  const isFull = ids.size >= MAX_BATCH_LINES;
  const missing = additions.filter(({ product }) => isFull && !ids.has(product._id));
  return new Map(missing.map((addition) => [addition, 'batch-full']));
}

/** At the present unit price of the quantity. */
export const toLine = (product: Product, quantity: number): NewLine => ({
  productId: product._id,
  quantity,
  priceCents: unitPriceFor(quantity, product),
});
