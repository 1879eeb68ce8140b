import { toCents } from './money.ts';

/** Prices for page, server and all figures. In cents, far below 2^53, so every step is exact. */

/** A part's prices on the wire: dollars and pieces. */
export interface Priced {
  price: number;
  /** Rising quantities, falling prices. */
  priceBreaks: readonly { quantity: number; price: number }[];
}

/**
 * Unit price in cents for a quantity: the highest reached break, else the part's price. It applies to the
 * whole order (contract, "Fields of a part and of an order beyond the specification").
 */
export function unitPriceFor(quantity: number, { price, priceBreaks }: Priced): number {
  const reached = priceBreaks.findLast((priceBreak) => priceBreak.quantity <= quantity);
  return toCents(reached?.price ?? price);
}

/** Total of an order in cents (specification §9). */
export const totalCents = (quantity: number, priceCents: number): number => quantity * priceCents;

/** Unit price in cents for a total; null when it is no whole number of cents. */
export function unitPriceCents(total: number, quantity: number): number | null {
  const price = total / quantity;
  return Number.isSafeInteger(price) ? price : null;
}
