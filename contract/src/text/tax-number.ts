/**
 * Numbers for the value added tax after the two letters of their country: `#` is a digit, `@` a letter, `*`
 * either. Those of the European Commission (VIES), of Great Britain, Switzerland and Norway.
 */
const forms: Readonly<Record<string, readonly string[]>> = {
  AT: ['U########'],
  BE: ['##########'],
  BG: ['#########', '##########'],
  CH: ['E#########', 'E#########MWST', 'E#########TVA', 'E#########IVA'],
  CY: ['########@'],
  CZ: ['########', '#########', '##########'],
  DE: ['#########'],
  DK: ['########'],
  EE: ['#########'],
  EL: ['#########'],
  ES: ['*#######*'],
  FI: ['########'],
  FR: ['**#########'],
  GB: ['#########', '############', 'GD###', 'HA###'],
  HR: ['###########'],
  HU: ['########'],
  IE: ['#*#####@', '#*#####@@'],
  IT: ['###########'],
  LT: ['#########', '############'],
  LU: ['########'],
  LV: ['###########'],
  MT: ['########'],
  NL: ['#########B##'],
  NO: ['#########', '#########MVA'],
  PL: ['##########'],
  PT: ['#########'],
  RO: Array.from({ length: 9 }, (_, index) => '#'.repeat(10 - index)),
  SE: ['############'],
  SI: ['########'],
  SK: ['##########'],
  XI: ['#########', '############', 'GD###', 'HA###'],
};

const fits = (text: string, form: string): boolean =>
  text.length === form.length &&
  [...form].every((mark, index) => {
    const letter = text[index] ?? '';
    if (mark === '#') return /\d/.test(letter);
    if (mark === '@') return /[A-Z]/.test(letter);
    return mark === '*' ? /[A-Z\d+*]/.test(letter) : letter === mark;
  });

/**
 * Null for a number of its country's form, or of a country or office whose forms are not known.
 * @param taxNumber in capitals, without spaces, dots and hyphens
 */
export function explainTaxNumber(taxNumber: string): string | null {
  const country = taxNumber.slice(0, 2);
  const known = forms[country];
  if (!known || known.some((form) => fits(taxNumber.slice(2), form))) return null;
  return `A number of ${country} is ${country}${known[0]}, with # for a digit, @ for a letter and * for either`;
}
