import type { Product } from '@parts-forge/contract/products/products';
import type { Actor } from '#src/platform/http/calls/access.ts';
import { type WriteServices, writeAs } from './add-product.ts';
import { writeStock } from './change-stock.ts';
import { lockProduct } from './store.ts';

/**
 * Records the difference as a correction in the ledger.
 * @throws Problem `not-found`
 */
export const correctStock = (
  services: WriteServices,
  actor: Actor,
  productId: string,
  quantity: number,
): Promise<Product> =>
  writeAs(services, actor, async (write) => {
    const { quantity: was } = await lockProduct(write.tx, productId);
    return writeStock(write, services, { event: 'stock-corrected', productId, was, quantity });
  });
