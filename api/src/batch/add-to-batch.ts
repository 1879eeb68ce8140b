import { MAX_BATCH_LINES, MAX_STOCK } from '@parts-forge/contract/bounds';
import { unitPriceFor } from '@parts-forge/contract/pricing';
import type { Product } from '@parts-forge/contract/products';
import type { Executor } from '#src/platform/database/connection.ts';
import { type LineRow, type NewLine, writeLines } from './store.ts';

/** Pieces of a part on sale. */
export interface Addition {
  product: Product;
  quantity: number;
}

/** Why pieces were left out: the list has no room for another part, or the line would have more than could be on hand. */
export type LeftOut = 'batch-full' | 'above-limit';

/**
 * Adds pieces to a list, to those of the line that is there already.
 * @param known the list's lines, of which the caller holds the lock
 * @returns the additions that were left out
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

/** A line with the price of its quantity as it is now. */
export const toLine = (product: Product, quantity: number): NewLine => ({
  productId: product._id,
  quantity,
  priceCents: unitPriceFor(quantity, product),
});
