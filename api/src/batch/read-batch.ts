import { toUnitAmount } from '@parts-forge/contract/money/money';
import { netPiece } from '@parts-forge/contract/money/pricing';
import type { BatchLine } from '@parts-forge/contract/orders/batch';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOwnPrices, readToday } from '#src/prices/own-prices.ts';
import { findInstead } from '#src/products/find-instead.ts';
import { findProductsById } from '#src/products/store.ts';
import { findUntaxedRate } from '#src/users/store.ts';
import { findNamesOfParts } from './aliases-store.ts';
import { findLines } from './store.ts';

/** Parts with their present data, and what fits instead of short and removed ones. */
export async function readBatch(
  db: Executor,
  platform: Pick<Platform, 'clock' | 'config'>,
  userId: string,
): Promise<BatchLine[]> {
  const untaxedRate = await findUntaxedRate(db, platform.config, userId);
  const lines = await findLines(db, userId);
  const ids = lines.map(({ productId }) => productId);
  const products = await findProductsById(db, ids);
  const names = await findNamesOfParts(db, userId, ids);
  const own = await findOwnPrices(db, userId, ids, readToday(platform), untaxedRate);
  const short = lines.filter(({ productId, quantity }) => {
    const { product, isDeleted } = products.get(productId) ?? {};
    return product && (isDeleted || product.quantity < Math.max(quantity, product.minimumOrder));
  });
  const wanted = new Map(short.map(({ productId, quantity }) => [productId, quantity]));
  const instead = await findInstead(db, wanted);
  return lines.flatMap(({ productId, quantity, priceCents, updatedAt }) => {
    const entry = products.get(productId);
    const ownPrices = own.get(productId);
    if (!entry) return [];
    const alias = names.get(productId);
    return {
      product: entry.product,
      quantity,
      price: toUnitAmount(netPiece(priceCents, untaxedRate)),
      ...(ownPrices && { ownPrices }),
      ...(entry.isDeleted && { gone: true as const }),
      ...(alias !== undefined && { alias }),
      ...(wanted.has(productId) && { instead: instead.get(productId) ?? [] }),
      updatedAt: updatedAt.toISOString(),
    };
  });
}
