import { compose } from './compose.ts';

/**
 * Rewrites look-alikes to ASCII digits, hyphens and spaces; removes `tel:` and invisible characters. The
 * caller refuses texts that are no phone number.
 */
export const toPhoneText = (text: string): string =>
  compose(text, 'NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Dash}/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    // The last four bits of Arabic and Persian digits are their value.
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .trim()
    .replace(/^tel:/i, '')
    .trim();
