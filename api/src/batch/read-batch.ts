import type { BatchLine } from '@parts-forge/contract/batch';
import { toAmount } from '@parts-forge/contract/money';
import type { Executor } from '#src/platform/database/connection.ts';
import { findProductsById } from '#src/products/store.ts';
import { findLines } from './store.ts';

/** Parts with their present data. */
export async function readBatch(db: Executor, userId: string): Promise<BatchLine[]> {
  const lines = await findLines(db, userId);
  const products = await findProductsById(
    db,
    lines.map(({ productId }) => productId),
  );
  return lines.flatMap(({ productId, quantity, priceCents, updatedAt }) => {
    const entry = products.get(productId);
    if (!entry) return [];
    return {
      product: entry.product,
      quantity,
      price: toAmount(priceCents),
      ...(entry.isDeleted && { gone: true as const }),
      updatedAt: updatedAt.toISOString(),
    };
  });
}
