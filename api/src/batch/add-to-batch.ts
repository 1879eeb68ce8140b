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

/**
 * Adds pieces to a list, to those of the line that is there already, but never more than could be on hand.
 * @param known the list's lines, of which the caller holds the lock
 * @returns the ids of products for which the list had no room
 */
export async function addToBatch(
  tx: Executor,
  userId: string,
  known: readonly LineRow[],
  additions: readonly Addition[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const quantities = new Map(known.map(({ productId, quantity }) => [productId, quantity]));
  const written = new Map<string, NewLine>();
  const leftOut = new Set<string>();
  for (const { product, quantity } of additions) {
    const before = quantities.get(product._id);
    if (before === undefined && quantities.size >= MAX_BATCH_LINES) {
      leftOut.add(product._id);
      continue;
    }
    const sum = Math.min(MAX_STOCK, (before ?? 0) + quantity);
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
