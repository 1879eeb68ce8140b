/** Fewer digits are no phone number that is worth comparing: a part of a number is found as it is written. */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

/**
 * The digits that a phone number has in every way of writing it, its marks left out: `+44 113 243 0961` may be stored
 * with its country, or with the leading zero that many countries have in place of it, and the other way round.
 * @returns null for a text that is no phone number
 */
export function readPhoneDigits(text: string): string | null {
  const written = text.trim();
  if (!/^\(?\+?[0-9()/. -]+$/.test(written)) return null;
  // `(0)` is dialled only within the country.
  const digits = written.replace(/(?<=\d[\s)./-]*)\(0\)/, '').replace(/\D/g, '');
  const isInternational = /^\(?\+/.test(written) || digits.startsWith('00');
  const plain = isInternational ? digits.replace(/^00/, '') : digits;
  if (plain.length < MIN_DIGITS || plain.length > MAX_DIGITS) return null;
  const national = isInternational ? plain.slice(countCountryDigits(plain)) : plain.replace(/^0/, '');
  return national.length < MIN_DIGITS ? plain : national;
}

/** Country codes of one and of two digits; all others have three (ITU-T E.164). */
const shortCodes = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

function countCountryDigits(digits: string): number {
  const [code] = shortCodes.exec(digits) ?? [];
  return code?.length ?? 3;
}
