import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { returnStock } from '#src/products/store.ts';
import type { OrderRow } from './store.ts';

/** What names the tags of a change, as `changes.write` hands it to its work. */
export type Changed = Parameters<Parameters<ChangeFeed['write']>[0]>[1];

/** Puts an order's pieces back into the stock, in the transaction that ends or refunds the order; not to be repeated. */
export async function returnPieces(
  tx: Executor,
  changed: Changed,
  { productId, quantity }: Pick<OrderRow, 'productId' | 'quantity'>,
  now: Date,
): Promise<void> {
  await returnStock(tx, productId, quantity, now);
  changed(`product:${productId}`, 'products');
}
