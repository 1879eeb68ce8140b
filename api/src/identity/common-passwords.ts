import { dictionary } from '@zxcvbn-ts/language-common';

/** How many of the most common passwords are refused (contract, "Accounts"). */
const REFUSED = 10_000;

// The list begins with the most common one, in small letters.
const refused = new Set(dictionary['passwords-common'].slice(0, REFUSED));

/** Whether a password is among the most common ones, however its letters are written. */
export const isCommonPassword = (password: string): boolean =>
  refused.has(password.normalize('NFKC').toLowerCase());
