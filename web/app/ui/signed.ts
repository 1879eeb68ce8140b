import { formatPieces, formatSigned } from '@parts-forge/contract/money/money';

// The minus is U+2212.

/** Money that left, as a negative amount; a dash for nothing. */
export const formatGiven = (amount: number): string => (amount === 0 ? '–' : formatSigned(-amount));

/** `+5,000`, `−75`. @param format of the absolute value */
export const formatChange = (change: number, format = formatPieces): string =>
  `${change < 0 ? '\u2212' : '+'}${format(Math.abs(change))}`;
