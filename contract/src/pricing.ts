/**
 * What a quantity costs, for page, server and every figure that is shown. Money is in cents here, and every amount
 * lies far below 2^53 of them, so each step is exact.
 */

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
