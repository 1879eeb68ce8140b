import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { returnStock } from '#src/products/store.ts';
import type { OrderRow } from './store.ts';

export type Changed = Parameters<Parameters<ChangeFeed['write']>[0]>[1];

/** Call in the transaction that closes or refunds the order. Not idempotent. */
export async function returnPieces(
  tx: Executor,
  changed: Changed,
  { productId, quantity }: Pick<OrderRow, 'productId' | 'quantity'>,
  now: Date,
): Promise<void> {
  await returnStock(tx, productId, quantity, now);
  changed(`product:${productId}`, 'products');
}
