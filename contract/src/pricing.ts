import { toAmount, toCents } from './money.ts';

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

/**
 * Prices that rise above 1.5 times or fall below half, each to that of its quantity before. That is rarely
 * meant: a lost decimal comma makes a hundred times.
 */
export const findPriceMoves = (before: Priced, after: Priced) =>
  [{ quantity: 0, price: after.price }, ...after.priceBreaks].flatMap(({ quantity, price }) => {
    const was = toAmount(unitPriceFor(quantity, before));
    return price > was * 1.5 || price < was * 0.5 ? [{ quantity, was, price }] : [];
  });

/** Cents (specification §9). */
export const totalCents = (quantity: number, priceCents: number): number => quantity * priceCents;

/** Null when it is no whole number of cents. */
export function unitPriceCents(total: number, quantity: number): number | null {
  const price = total / quantity;
  return Number.isSafeInteger(price) ? price : null;
}
