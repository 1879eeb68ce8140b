import { compose } from './compose.ts';

/** Rewrites look-alikes to ASCII; removes `tel:` and invisible characters. The caller validates. */
export const toPhoneText = (text: string): string =>
  compose(text, 'NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Dash}/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    // Their last four bits are the value.
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .trim()
    .replace(/^tel:/i, '')
    .trim();
