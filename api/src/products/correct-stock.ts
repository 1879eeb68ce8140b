import type { Product } from '@parts-forge/contract/products/products';
import { Problem } from '#src/platform/core/problem.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeStock } from './change-stock.ts';
import { lockStock } from './store.ts';

/**
 * Records the difference as a correction in the ledger.
 * @throws Problem `not-found`
 */
export function correctStock(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  actor: Actor,
  productId: string,
  quantity: number,
): Promise<Product> {
  return changes.write(async (tx, changed) => {
    await actor.confirm(tx);
    const now = clock.now();
    const was = await lockStock(tx, productId);
    if (was === null) throw new Problem('not-found');
    const move = { entryId: ids.next(), now, event: 'stock-corrected', productId, was, quantity } as const;
    const product = await writeStock(tx, move);
    changed(`product:${productId}`, 'products');
    return product;
  });
}
