import { shopCurrency } from './currency.ts';

/**
 * Integer cents of the shop's currency inside, decimal on the wire and the page (contract, "Ground rules"). Far below
 * 2^53, so every step is exact.
 */

/** Rounds floating-point amounts: 57 × 19.99 gives 113943. */
export const toCents = (amount: number): number => Math.round(amount * shopCurrency().centsInUnit);

export const toAmount = (cents: number): number => cents / shopCurrency().centsInUnit;

/** One piece's price has ten decimals, so that the pieces of a whole stock are right to the cent. */
export const toUnitAmount = (cents: number): number => Number(toAmount(cents).toFixed(10));

/** Allows for binary rounding. A fraction of a cent is no rounding of 0. */
export const hasWholeCents = (amount: number): boolean =>
  Number.isFinite(amount) &&
  Math.abs(amount * shopCurrency().centsInUnit - toCents(amount)) <= 1e-6 * Math.min(1, Math.abs(amount));

export const explainDecimals = (): string =>
  shopCurrency().decimals === 0 ? 'Must be a whole number' : 'Must have no more than two decimals';

/** `6.30` for files, inputs and programs: the decimals of the currency, without symbol and thousands. */
export const writeAmount = (amount: number): string => amount.toFixed(shopCurrency().decimals);

/** `Total (USD)`: the head of a column of a file. */
export const withCurrency = (name: string): string => `${name} (${shopCurrency().code})`;

const pieces = new Intl.NumberFormat('en-US');

/** 774000 gives `$7,740.00`. */
export const formatCents = (cents: number): string => formatAmount(toAmount(cents));

export const formatAmount = (amount: number): string => shopCurrency().money.format(amount);

/** `−$12.00` of -12: the minus is U+2212. */
export const formatSigned = (amount: number): string =>
  amount < 0 ? `\u2212${formatAmount(-amount)}` : formatAmount(amount);

export const formatPieces = (quantity: number): string => pieces.format(quantity);

/** `1 line` or `1,200 lines`. */
export const formatCount = (count: number, noun: string): string =>
  `${formatPieces(count)} ${noun}${count === 1 ? '' : 's'}`;
