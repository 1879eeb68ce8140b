/** Apart from the schemas in `products.ts`, so that a first page loads no validation library. */
import { CARD_DESCRIPTION, MAX_PART_NUMBER, MAX_SLUG, MIN_PART_NUMBER } from '../calls/bounds.ts';
import { compose } from '../text/compose.ts';

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** 90 characters and an ellipsis (specification §2). A character may be several code points, as a flag is. */
export function cardDescription(description: string): string {
  let count = 0;
  for (const { index } of characters.segment(description)) {
    if (count === CARD_DESCRIPTION) return `${description.slice(0, index)}…`;
    count += 1;
  }
  return description;
}

type Stock = Record<'quantity' | 'minimumOrder', number>;
export const isAvailable = ({ quantity, minimumOrder }: Stock): boolean => quantity >= minimumOrder;

/** From an order to its delivery. */
export const describeDelivery = (days: number): string =>
  days === 1 ? '1 working day' : `${days} working days`;

export const modelPath = (model: string): string => `/models/${encodeURIComponent(model)}`;

/** The last is for all others. */
export const KINDS = [
  'Displays',
  'Batteries',
  'Charging',
  'Cameras',
  'Sound and haptics',
  'Housing',
  'Boards',
  'Flexes and sensors',
  'Fixings',
  'Other',
] as const;
export type Kind = (typeof KINDS)[number];
export const DEFAULT_KIND: Kind = 'Other';

/**
 * Single spaces and `- _ . + /` between letters and digits. Only a hyphen may come first: spreadsheets read
 * other marks as a formula.
 */
export const partNumberPattern = /^[A-Z0-9-][A-Z0-9_.+/-]*(?: [A-Z0-9_.+/-]+)*$/;

export const isPartNumber = (text: string): boolean =>
  text.length >= MIN_PART_NUMBER && text.length <= MAX_PART_NUMBER && partNumberPattern.test(text);

/** Undoes hyphens and quotes of mail programs and PDFs: `PF–D6101`, `“PF‑D6101”`. */
export const foldPartNumber = (text: string): string =>
  compose(text, 'NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/^[\u2018-\u201f'](.*)[\u2018-\u201f']$/, '$1');

/** How names and numbers of parts are compared: regardless of case, width, and kinds of hyphens and spaces. */
export const foldPartName = (text: string): string =>
  // Capitals may compose, and what was composed may have small letters.
  foldPartNumber(foldPartNumber(text).toUpperCase())
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Default: best match; without a search, newest first. */
export const SORTS = ['match', 'newest', 'name', 'price', '-price'] as const;
export type ProductSort = (typeof SORTS)[number];

/** `OLED display 6.1"` gives `oled-display-6-1`; `part` without Latin letters and digits. */
export function slugify(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{Mark}/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? ['part'];
  return words.join('-').slice(0, MAX_SLUG).replace(/-$/, '');
}

/** The name is for people. */
export const partPath = ({ _id, name }: { _id: string; name: string }): string =>
  `/products/${_id}/${slugify(name)}`;

/** Ends the address of a part's QR code: who comes by a label is offered the batch. Redirects keep it. */
export const LABEL_HASH = '#label';
