import { formatAmount } from '@parts-forge/contract/money';

/** `−$12.00` of -12: the minus is U+2212. */
export const formatSigned = (amount: number): string =>
  amount < 0 ? `\u2212${formatAmount(-amount)}` : formatAmount(amount);

/** Money that left, as a negative amount; a dash for nothing. */
export const formatGiven = (amount: number): string => (amount === 0 ? '–' : formatSigned(-amount));
