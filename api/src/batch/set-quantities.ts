import { MAX_BATCH_LINES } from '@parts-forge/contract/calls/bounds';
import { Problem } from '#src/platform/core/problem.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProductsById } from '#src/products/store.ts';
import { deleteParts, type LineRow, lockOwnLines, type NewLine, writeLines } from './store.ts';

/**
 * All or none; of a part that is named twice, the last.
 * @param lines with the quantity 0 are removed
 * @throws Problem `not-found` for a part that is neither sold nor in the batch, `batch-full`
 */
export async function setQuantities(
  { database: { db }, ...platform }: Pick<Platform, 'config' | 'database' | 'clock'>,
  customer: Customer,
  lines: readonly { productId: string; quantity: number }[],
): Promise<void> {
  const quantities = new Map(lines.map(({ productId, quantity }) => [productId, quantity]));
  const products = await findProductsById(db, [...quantities.keys()]);
  await db.transaction(async (tx) => {
    const listed = new Set((await lockOwnLines(tx, customer)).map(({ productId }) => productId));
    const removed: Pick<LineRow, 'productId'>[] = [];
    const written: NewLine[] = [];
    for (const [productId, quantity] of quantities) {
      const part = products.get(productId);
      if (quantity === 0) removed.push({ productId });
      else if (part && (!part.isDeleted || listed.has(productId))) {
        written.push({ product: part.product, quantity });
      } else throw new Problem('not-found');
    }
    for (const { productId } of removed) listed.delete(productId);
    for (const { product } of written) listed.add(product._id);
    if (listed.size > MAX_BATCH_LINES) throw new Problem('batch-full');
    await deleteParts(tx, customer.userId, removed);
    await writeLines(tx, platform, customer.userId, written);
  });
}
