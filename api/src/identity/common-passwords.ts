import { dictionary } from '@zxcvbn-ts/language-common';

/** docs/explanation/identity.md, "Passwords and guessing". */
const REFUSED = 10_000;

// Sorted by frequency, in lower case.
const refused = new Set(dictionary['passwords-common'].slice(0, REFUSED));

export const isCommonPassword = (password: string): boolean =>
  refused.has(password.normalize('NFKC').toLowerCase());
