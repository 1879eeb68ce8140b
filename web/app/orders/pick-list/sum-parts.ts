import type { Order } from '@parts-forge/contract/orders';

/** A part to be picked, for all orders together. */
export interface PickedPart {
  productId: string;
  name: string;
  /** Of the part. */
  number: string;
  /** Pieces of all orders. */
  quantity: number;
  /** The orders that it is for, with the pieces of each, as they came. */
  orders: readonly Order[];
}

/** What has to be picked for these orders, each part once; by name. */
export function sumParts(orders: readonly Order[]): PickedPart[] {
  const byPart = Map.groupBy(orders, ({ productId }) => productId);
  return [...byPart]
    .map(([productId, those]) => ({
      productId,
      name: those[0]?.productName ?? '',
      number: those[0]?.partNumber ?? '',
      quantity: those.reduce((sum, { quantity }) => sum + quantity, 0),
      orders: those,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}
