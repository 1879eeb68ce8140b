/**
 * Rules of a part that the public pages need. They stand apart from the schemas in `products.ts`, so that a
 * visitor's first page does not load the library that checks forms.
 */
import { CARD_DESCRIPTION, MAX_PART_NUMBER, MAX_SLUG, MIN_PART_NUMBER } from './bounds.ts';
import { compose } from './compose.ts';

/** The description as a card shows it: the first 90 characters, then an ellipsis (specification §2). */
export function cardDescription(description: string): string {
  const characters = [...description];
  return characters.length > CARD_DESCRIPTION
    ? `${characters.slice(0, CARD_DESCRIPTION).join('')}…`
    : description;
}

/** Whether a batch can be ordered at all: at least the minimum order is on hand. Both in pieces. */
export const isAvailable = ({
  quantity,
  minimumOrder,
}: {
  quantity: number;
  minimumOrder: number;
}): boolean => quantity >= minimumOrder;

/** What a part is, as the list can be filtered by it; the last one is for all the rest. */
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
 * The characters of a part number, as catalogues have them: single spaces and `- _ . + /` between letters and digits. No
 * mark but a hyphen begins one, as spreadsheets would read a formula.
 */
export const partNumberPattern = /^[A-Z0-9-][A-Z0-9_.+/-]*(?: [A-Z0-9_.+/-]+)*$/;

/** Whether a text may be a part number (contract, "Fields of a part and of an order beyond the specification"). */
export const isPartNumber = (text: string): boolean =>
  text.length >= MIN_PART_NUMBER && text.length <= MAX_PART_NUMBER && partNumberPattern.test(text);

/** A part number with plain hyphens and letters, as mail programs and PDFs set others: `PF–D6101`, `“PF‑D6101”`. */
export const foldPartNumber = (text: string): string =>
  compose(text, 'NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/^[\u2018-\u201f'](.*)[\u2018-\u201f']$/, '$1');

/** The orders a list can have. The default is the best match, which is the newest first without a search. */
export const SORTS = ['match', 'newest', 'name', 'price', '-price'] as const;
export type ProductSort = (typeof SORTS)[number];

/**
 * A name as the last part of a page's address: `OLED display 6.1"` is `oled-display-6-1`. Letters without an accent,
 * digits and hyphens; `part` for a name that has none of them.
 */
export function slugify(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{Mark}/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? ['part'];
  return words.join('-').slice(0, MAX_SLUG).replace(/-$/, '');
}

/** The address of a part's page. The id alone finds the part; the name is there for people and search engines. */
export const partPath = ({ _id, name }: { _id: string; name: string }): string =>
  `/products/${_id}/${slugify(name)}`;
