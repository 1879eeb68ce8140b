/**
 * Integer US cents inside, decimal on the wire and the page (contract, "Ground rules"). Far below 2^53, so
 * every step is exact.
 */

/** Rounds floating-point amounts: 57 × 19.99 gives 113943. */
export const toCents = (amount: number): number => Math.round(amount * 100);

export const toAmount = (cents: number): number => cents / 100;

/** One piece's price has ten decimals, so that the pieces of a whole stock are right to the cent. */
export const toUnitAmount = (cents: number): number => Number((cents / 100).toFixed(10));

/** Allows for binary rounding: at most two decimals. A fraction of a cent is no rounding of 0. */
export const hasWholeCents = (amount: number): boolean =>
  Number.isFinite(amount) &&
  Math.abs(amount * 100 - Math.round(amount * 100)) <= 1e-6 * Math.min(1, Math.abs(amount));

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  // A piece without tax may cost a fraction of a cent.
  maximumFractionDigits: 6,
});
const pieces = new Intl.NumberFormat('en-US');

/** 774000 gives `$7,740.00`. */
export const formatCents = (cents: number): string => dollars.format(cents / 100);

export const formatAmount = (amount: number): string => dollars.format(amount);

/** `−$12.00` of -12: the minus is U+2212. */
export const formatSigned = (amount: number): string =>
  amount < 0 ? `\u2212${formatAmount(-amount)}` : formatAmount(amount);

export const formatPieces = (quantity: number): string => pieces.format(quantity);

/** `1 line` or `1,200 lines`. */
export const formatCount = (count: number, noun: string): string =>
  `${formatPieces(count)} ${noun}${count === 1 ? '' : 's'}`;
