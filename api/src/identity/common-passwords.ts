import { dictionary } from '@zxcvbn-ts/language-common';

/** Number of most common passwords that are refused (contract, "Accounts"). */
const REFUSED = 10_000;

// Sorted by frequency, in lower case.
const refused = new Set(dictionary['passwords-common'].slice(0, REFUSED));

/** Whether a password is among the most common ones, in any case. */
export const isCommonPassword = (password: string): boolean =>
  refused.has(password.normalize('NFKC').toLowerCase());
