import { shopCurrency } from '../money/currency.ts';
import { compose } from '../text/compose.ts';

/** Numbers as people write them. Apart from the schemas: a part's public page loads no validation library. */

const groupedPieces = /^[1-9]\d{0,2}([,.\s’'])\d{3}(?:\1\d{3})*$/;

/** Groups of three are thousands: `1,000`, `1.000`, `1 000`. NaN for none, and for a decimal comma. */
export function readPieces(text: string): number {
  const plain = text.trim().replace('−', '-');
  if (groupedPieces.test(plain)) return Number(plain.replace(/\D/g, ''));
  return /^[+-]?\d+(?:\.(?!\d{3}$)\d*)?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** The mark of a number that has decimals for sure: `0,500`, `1000,000`, `12.5`. */
export const findDecimalMark = (text: string): string | undefined =>
  groupedPieces.test(text) ? undefined : /^\d+([,.])\d+$/.exec(text)?.[1];

/** Whether `1,000` may have become these two cells, for sure if the second begins with 0. */
export const isCut = (first = '', second = ''): boolean =>
  /^\d{1,3}$/.test(first) && /^\d{3}(?!\d)/.test(second);

/** Thousands or decimals; in a currency without cents, thousands. */
const isUnclearPrice = (plain: string): boolean =>
  shopCurrency().decimals > 0 && /^[1-9]\d{0,2}[,.]\d{3}$/.test(plain);

/** `6.30`, `6,30`, `1,234.50`, `1.234,50`. NaN for none, and for one that may be thousands or decimals. */
export function readPrice(text: string): number {
  const plain = stripPrice(text);
  if (isUnclearPrice(plain)) return Number.NaN;
  const [, whole = plain, mark, cents = ''] = /^(.+)([,.])(\d{0,2})$/.exec(plain) ?? [];
  const group = groupedPieces.exec(whole)?.[1];
  const isRead = group === undefined ? /^-?\d+$/.test(whole) : group !== mark;
  return isRead ? Number(`${whole.replace(/[^\d-]/g, '')}.${cents}`) : Number.NaN;
}

/** The decimal marks that a file's prices show for sure, as in `12.50` and `1.234,50`. */
export const findPriceMarks = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts.flatMap((text) =>
      Number.isNaN(readPrice(text)) ? [] : (/[,.](?=\d{1,2}$)/.exec(stripPrice(text)) ?? []),
    ),
  );

/**
 * In a file with one decimal mark `1,234` is certain; in one with both marks a grouped price is not.
 * @param marks of `findPriceMarks`
 */
export function readFilePrice(text: string, marks: ReadonlySet<string>): number {
  const plain = stripPrice(text);
  const [mark = ''] = marks;
  if (marks.size > 1 && /[,.]\d{3}(?!\d)/.test(plain)) return Number.NaN;
  if (marks.size === 1 && isUnclearPrice(plain))
    return Number(plain.includes(mark) ? plain.replace(mark, '.') : plain.replace(/\D/, ''));
  return readPrice(text);
}

/** Other programs write decimals of pieces, so a mark must be known to group. */
export function readFilePieces(text: string, marks: ReadonlySet<string>): number {
  const [whole = '', mark] = /^(\d+)[,.](?:0{1,2}|0{4,})$/.exec(text)?.slice(1) ?? [
    text,
    /[,.]/.exec(text)?.[0],
  ];
  const isGrouped = mark !== undefined && marks.size === 1 && !marks.has(mark);
  return mark === undefined || isGrouped ? readPieces(whole) : Number.NaN;
}

/** No price is longer, and the patterns take quadratic time. */
const MAX_PRICE_TEXT = 40;

const stripPrice = (text: string): string =>
  (text.trim().length > MAX_PRICE_TEXT ? '' : text)
    .trim()
    .replace(shopCurrency().marks, '')
    .replace(/(?<=\d)[\s’'](?=\d{3}(?!\d))/g, '')
    // Databases write `64.5000`.
    .replace(/(?<=\d[,.]\d\d)0{2,20}$/, '')
    .replace('−', '-');

/** A field that begins empty: a text input would show NaN as a word. */
export const noNumber = '' as unknown as number;

/** A form's value: NaN for an empty field, and the text itself if unreadable, which the schema explains. */
export const readTyped =
  (read: (text: string) => number) =>
  (typed: string | number): number => {
    // A value set by the form itself.
    if (typeof typed === 'number') return typed;
    if (typed.trim() === '') return Number.NaN;
    const number = read(typed);
    // Fields are numbers once they are valid.
    return Number.isNaN(number) ? (typed as unknown as number) : number;
  };

/** Reads a field's text for totals: 0 if empty, unreadable or negative. */
export const countPieces = (text: string): number => Math.max(0, Math.trunc(readPieces(text) || 0));

/** @returns null unless the input is an unreadable text */
export const explainUnread = (
  input: unknown,
  read: (text: string) => number,
  explain: (text: string) => string,
): string | null =>
  typeof input === 'string' && input.trim() !== '' && Number.isNaN(read(input)) ? explain(input) : null;

const quote = (text: string): string => {
  const letters = [...text];
  return `“${letters.slice(0, 20).join('')}${letters.length > 20 ? '…' : ''}”`;
};

export const explainPieces = (text: string): string =>
  `${quote(text)} is not a whole number. Write digits only.`;

export function explainPrice(text: string): string {
  const plain = stripPrice(text);
  const example = shopCurrency().decimals === 0 ? '630' : '6.30';
  if (!isUnclearPrice(plain)) return `${quote(text)} is not a price. Write it as ${example}.`;
  const whole = plain.replace(/\D/g, '');
  return `${quote(text)} may be ${whole} or ${plain.replace(',', '.')}. Write two decimals, such as ${whole}.00.`;
}

/** In the digits of ASCII, with the marks of Europe. */
export const toPlainDigits = (text: string): string =>
  compose(text, 'NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',');

const units = new Set(
  'pc pcs piece pieces stk stück st szt ks db шт ud uds un pz pza pzas unid 個 件 개 adet'.split(' '),
);

/** `120 pcs` is 120. */
export function withoutUnit(text: string): string {
  const unit = /(?<=[\d\s])\p{L}{1,6}(?=\.?$)/u.exec(text);
  return unit && units.has(unit[0].toLowerCase()) ? text.slice(0, unit.index).trim() : text;
}

const packs =
  /^(?:box(?:es)?|packs?|pack of .*|pkg|cartons?|reels?|rolls?|sets?|dozens?|ve|vpe|packung(?:en)?|karton(?:s)?|rolle(?:n)?|boîtes?|paquetes?|cajas?|scatol[ae]|confezion[ei]|doos|dozen|opak\.?)$/i;

/** Whether one of it may be several pieces. */
export const isPack = (text: string): boolean => packs.test(text.trim());
