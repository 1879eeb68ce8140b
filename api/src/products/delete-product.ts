import { Problem } from '#src/platform/core/problem.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { type Write, type WriteServices, writeAs } from './add-product.ts';
import { markProductDeleted } from './store.ts';

/**
 * Orders keep their copies, and may still return pieces to its stock.
 * @throws Problem `not-found`
 */
export const deleteProduct = (
  services: WriteServices,
  administrator: Administrator,
  productId: string,
): Promise<void> => writeAs(services, administrator, (write) => deleteWithin(write, services, productId));

/** As `deleteProduct`, in the caller's transaction. */
export async function deleteWithin(
  { tx, changed, note }: Write,
  { clock, ids }: Pick<Platform, 'clock' | 'ids'>,
  productId: string,
): Promise<void> {
  const now = clock.now();
  if (!(await markProductDeleted(tx, productId, now))) throw new Problem('not-found');
  await note({ id: ids.next(), now, event: 'product-deleted', productId });
  changed(`product:${productId}`, 'products', 'catalogue');
}
