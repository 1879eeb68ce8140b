import { toCents } from './money.ts';

/**
 * What a quantity costs, for page, server and every figure that is shown. Money is in cents here, and every amount
 * lies far below 2^53 of them, so each step is exact.
 */

/** What the price of a part depends on, as the wire shows it: dollars and pieces. */
export interface Priced {
  price: number;
  /** Rising in quantity, falling in price. */
  priceBreaks: readonly { quantity: number; price: number }[];
}

/**
 * The price of one piece, in cents, when `quantity` pieces are ordered: that of the last break at or below the
 * quantity, else the part's own. The whole order has it (contract, "Fields of a part and of an order beyond the specification").
 */
export function unitPriceFor(quantity: number, { price, priceBreaks }: Priced): number {
  const reached = priceBreaks.findLast((priceBreak) => priceBreak.quantity <= quantity);
  return toCents(reached?.price ?? price);
}

/** The total of an order in cents: quantity times unit price (specification §9). */
export const totalCents = (quantity: number, priceCents: number): number => quantity * priceCents;

/**
 * The way back: the unit price in cents at which `quantity` pieces come to `total` cents; null when no price in
 * whole cents does.
 */
export function unitPriceCents(total: number, quantity: number): number | null {
  const price = total / quantity;
  return Number.isSafeInteger(price) ? price : null;
}
