import type { Order } from '@parts-forge/contract/orders';
import type { Executor } from '#src/platform/database/connection.ts';
import { findPartFacts } from '#src/products/store.ts';
import type { BareOrder } from './store.ts';

/** One query, deleted parts included. */
export async function addPartNumbers<Bare extends BareOrder>(
  db: Executor,
  orders: readonly Bare[],
): Promise<(Bare & Pick<Order, 'partNumber'>)[]> {
  if (orders.length === 0) return [];
  const facts = await findPartFacts(
    db,
    orders.map(({ productId }) => productId),
  );
  return orders.map((order) => ({ ...order, partNumber: facts.get(order.productId)?.number ?? '' }));
}
