import { Problem } from '#src/platform/core/problem.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { markProductDeleted } from './store.ts';

/**
 * Orders keep their copies, and may still return pieces to its stock.
 * @throws Problem `not-found`
 */
export async function deleteProduct(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  administrator: Administrator,
  productId: string,
): Promise<void> {
  await changes.write(async (tx, changed) => {
    await administrator.confirm(tx);
    const now = clock.now();
    if (!(await markProductDeleted(tx, productId, now))) throw new Problem('not-found');
    await writeEntry(tx, { id: ids.next(), now, event: 'product-deleted', productId });
    changed(`product:${productId}`, 'products', 'catalogue');
  });
}
