import { countToSend } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';

export type PickedPart = ReturnType<typeof sumParts>[number];

/** Adds up the pieces by part; sorted by name. */
export function sumParts(orders: readonly Order[]) {
  const byPart = Map.groupBy(orders, ({ productId }) => productId);
  return [...byPart]
    .map(([productId, those]) => ({
      productId,
      name: those[0]?.productName ?? '',
      number: those[0]?.partNumber ?? '',
      /** Total pieces of all orders. */
      quantity: those.reduce((sum, order) => sum + countToSend(order), 0),
      /** The orders with this part, in the given order. */
      orders: those,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}
