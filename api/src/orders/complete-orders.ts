import { orderMoves } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import type { Drizzle } from '#src/platform/database/connection.ts';
import { findPartFacts } from '#src/products/store.ts';
import { findShipments, toShipment } from './shipments-store.ts';
import type { BareOrder } from './store.ts';

/**
 * Adds part numbers, deleted parts included, and parcels: one query each for all orders. Only accepted orders
 * have parcels.
 */
export async function completeOrders<Bare extends BareOrder>(
  db: Drizzle,
  orders: readonly Bare[],
): Promise<(Bare & Pick<Order, 'partNumber' | 'shipments'>)[]> {
  if (orders.length === 0) return [];
  const accepted = orders.filter(({ status }) => status === orderMoves.accept.to);
  const [facts, parcels] = await Promise.all([
    findPartFacts(
      db,
      orders.map(({ productId }) => productId),
    ),
    findShipments(
      db,
      accepted.map(({ _id }) => _id),
    ),
  ]);
  const byOrder = Map.groupBy(parcels, ({ orderId }) => orderId);
  return orders.map((order) => {
    const sent = byOrder.get(order._id);
    return {
      ...order,
      partNumber: facts.get(order.productId)?.number ?? '',
      ...(sent && { shipments: sent.map(toShipment) }),
    };
  });
}
