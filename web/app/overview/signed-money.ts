import { formatSigned } from '@parts-forge/contract/money';

/** Money that left, as a negative amount; a dash for nothing. */
export const formatGiven = (amount: number): string => (amount === 0 ? '–' : formatSigned(-amount));
