/** Fewer digits are no phone number that is worth comparing: a part of a number is found as it is written. */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

/**
 * What the digits of a phone number may be where it is stored, its marks left out: `+44 113 243 0961`, as people type it,
 * may stand there with its country or with the leading zero that it has within its country, and the other way round.
 * @returns digits, one of which is in a phone number that is the same one; nothing for a text that is no phone number
 */
export function readPhoneDigits(text: string): string[] {
  const written = text.trim();
  if (!/^\+?[0-9()/. -]+$/.test(written)) return [];
  // `(0)` is dialled only within the country.
  const digits = written.replace(/(?<=\d\s*)\(0\)/, '').replace(/\D/g, '');
  const isInternational = written.startsWith('+') || digits.startsWith('00');
  const plain = isInternational ? digits.replace(/^00/, '') : digits;
  if (plain.length < MIN_DIGITS || plain.length > MAX_DIGITS) return [];
  if (isInternational) return [plain, `0${plain.slice(countCountryDigits(plain))}`];
  // Without the zero it is in both ways of writing it; whose country it is, nobody has said.
  return [/^0\d{7}/.test(plain) ? plain.slice(1) : plain];
}

/** Country codes of one and of two digits; all others have three (ITU-T E.164). */
const shortCodes = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

function countCountryDigits(digits: string): number {
  const [code] = shortCodes.exec(digits) ?? [];
  return code?.length ?? 3;
}
