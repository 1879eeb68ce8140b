/** Fewer digits are no phone number that is worth comparing: a part of a number is found as it is written. */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
/** Fewer begin too many numbers, and the index knows groups of three. */
const MIN_BEGINNING = 3;
/** Of a country's code with `00` before it. */
const MAX_COUNTRY_DIGITS = 5;

/**
 * The digits that a phone number has in every way of writing it, its marks left out: `+44 113 243 0961` may be stored
 * with its country, or with the leading zero that many countries have in place of it, and the other way round.
 * @returns null for a text that is no phone number
 */
export function readPhoneDigits(text: string): string | null {
  const read = readDigits(text);
  if (!read) return null;
  const { plain, national } = read;
  if (plain.length < MIN_DIGITS || plain.length > MAX_DIGITS) return null;
  return national.length < MIN_DIGITS ? plain : national;
}

/**
 * How the digits of a stored phone number may begin where the text is the beginning of one: `+233 302` begins
 * `233302…`, `00233302…` and, written within the country, `0302…`; `0302` also begins what follows any country's code.
 * @returns patterns of LIKE, `_` standing for one digit of a country's code; none for what is a whole number already,
 *   which `readPhoneDigits` compares better, for less than three digits and for what is no phone number
 */
export function readPhoneBeginnings(text: string): string[] {
  const read = readDigits(text);
  if (!read) return [];
  const { plain, national, isInternational, hasZero } = read;
  if (national.length >= MIN_DIGITS || plain.length < MIN_BEGINNING) return [];
  const isShort = national.length < MIN_BEGINNING;
  if (isInternational) return [plain, `00${plain}`, ...(isShort ? [] : [`0${national}`])];
  const countries = Array.from({ length: MAX_COUNTRY_DIGITS }, (_, i) => `${'_'.repeat(i + 1)}${national}`);
  return hasZero ? [plain, ...(isShort ? [] : countries)] : [plain, `00${plain}`];
}

/** The digits of a text that may be a phone number, or begin one: all of them, and without country or leading zero. */
function readDigits(text: string) {
  const written = text.trim();
  if (!/^\(?\+?[0-9()/. -]+$/.test(written)) return null;
  // `(0)` is dialled only within the country.
  const digits = written.replace(/(?<=\d[\s)./-]*)\(0\)/, '').replace(/\D/g, '');
  const isInternational = /^\(?\+/.test(written) || digits.startsWith('00');
  const plain = isInternational ? digits.replace(/^00/, '') : digits;
  const national = isInternational ? plain.slice(countCountryDigits(plain)) : plain.replace(/^0/, '');
  return { plain, national, isInternational, hasZero: !isInternational && plain.startsWith('0') };
}

/** Country codes of one and of two digits; all others have three (ITU-T E.164). */
const shortCodes = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

function countCountryDigits(digits: string): number {
  const [code] = shortCodes.exec(digits) ?? [];
  return code?.length ?? 3;
}
