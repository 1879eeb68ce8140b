const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
/** The trigram index needs three. */
const MIN_BEGINNING = 3;
/** Counts a leading `00`, too. */
const MAX_COUNTRY_DIGITS = 5;

/** The same digits for all notations, such as `+44 113 243 0961` and `0113 2430961`; null for other texts. */
export function readPhoneDigits(text: string): string | null {
  const read = readDigits(text);
  if (!read) return null;
  const { plain, national } = read;
  if (plain.length < MIN_DIGITS || plain.length > MAX_DIGITS) return null;
  return national.length < MIN_DIGITS ? plain : national;
}

/**
 * LIKE patterns, `_` for a digit of a country code: `+233 302` gives `233302…`, `00233302…` and the
 * national `0302…`. None for a whole number or under three digits.
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

/** `national` lacks country code and leading zero. */
function readDigits(text: string) {
  const written = text.trim();
  if (!/^\(?\+?[0-9()/. -]+$/.test(written)) return null;
  const digits = written.replace(/(?<=\d[\s)./-]*)\(0\)/, '').replace(/\D/g, '');
  const isInternational = /^\(?\+/.test(written) || digits.startsWith('00');
  const plain = isInternational ? digits.replace(/^00/, '') : digits;
  const national = isInternational ? plain.slice(countCountryDigits(plain)) : plain.replace(/^0/, '');
  return { plain, national, isInternational, hasZero: !isInternational && plain.startsWith('0') };
}

/** Codes of one and two digits; all others have three (ITU-T E.164). */
const shortCodes = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

function countCountryDigits(digits: string): number {
  const [code] = shortCodes.exec(digits) ?? [];
  return code?.length ?? 3;
}
