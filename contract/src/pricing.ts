import { toCents } from './money.ts';

/** For page, server and all figures. Cents far below 2^53, so every step is exact. */

export interface Priced {
  price: number;
  /** Quantities rise, prices fall. */
  priceBreaks: readonly { quantity: number; price: number }[];
}

/** In cents: the highest reached break, else the part's price, for the whole order. */
export function unitPriceFor(quantity: number, { price, priceBreaks }: Priced): number {
  const reached = priceBreaks.findLast((priceBreak) => priceBreak.quantity <= quantity);
  return toCents(reached?.price ?? price);
}

/** More than that is rarely meant: a lost decimal comma makes a hundred times. */
export const movesByHalf = (was: number, is: number): boolean => is > was * 1.5 || is < was * 0.5;

/** Cents (specification §9). */
export const totalCents = (quantity: number, priceCents: number): number => quantity * priceCents;

/** Null when it is no whole number of cents. */
export function unitPriceCents(total: number, quantity: number): number | null {
  const price = total / quantity;
  return Number.isSafeInteger(price) ? price : null;
}
