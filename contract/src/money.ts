/**
 * Money is an integer number of US cents inside and becomes a decimal only at the wire and on the page
 * (contract, "Ground rules"). Amounts are bounded far below 2^53 cents, so every step here is exact.
 */

/** Cents of a decimal amount as a browser computed it: 57 × 19.99 gives 113943. */
export const toCents = (amount: number): number => Math.round(amount * 100);

/** The decimal amount of the wire: 113943 gives 1139.43. */
export const toAmount = (cents: number): number => cents / 100;

/** Whether an amount has at most two decimals, allowing for the rounding of binary fractions. */
export const hasWholeCents = (amount: number): boolean =>
  Number.isFinite(amount) && Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const pieces = new Intl.NumberFormat('en-US');

/** `$7,740.00` of 774000 cents. */
export const formatCents = (cents: number): string => dollars.format(cents / 100);

/** `$64.50` of the wire's 64.5. */
export const formatAmount = (amount: number): string => dollars.format(amount);

/** `24,800` of 24800 pieces. */
export const formatPieces = (quantity: number): string => pieces.format(quantity);
