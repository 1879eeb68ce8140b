import type { Order } from '@parts-forge/contract/orders';
import { countToSend } from './order-shipping.ts';

export interface PickedPart {
  productId: string;
  name: string;
  /** The part's number. */
  number: string;
  /** Total pieces of all orders. */
  quantity: number;
  /** The orders with this part, in the given order. */
  orders: readonly Order[];
}

/** Adds up the pieces by part; sorted by name. */
export function sumParts(orders: readonly Order[]): PickedPart[] {
  const byPart = Map.groupBy(orders, ({ productId }) => productId);
  return [...byPart]
    .map(([productId, those]) => ({
      productId,
      name: those[0]?.productName ?? '',
      number: those[0]?.partNumber ?? '',
      quantity: those.reduce((sum, order) => sum + countToSend(order), 0),
      orders: those,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}
