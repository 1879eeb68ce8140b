import { compose } from './compose.ts';

/**
 * A phone number with the characters of a keyboard: ASCII digits, hyphens and spaces for their look-alikes, no `tel:` and
 * nothing invisible. Other text is changed in the same way; the caller refuses it.
 */
export const toPhoneText = (text: string): string =>
  compose(text, 'NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Dash}/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    // Arabic and Persian digits have their value in the last four bits.
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .trim()
    .replace(/^tel:/i, '')
    .trim();
