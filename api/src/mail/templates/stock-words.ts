import { formatCents, formatPieces, toCents } from '@parts-forge/contract/money/money';
import { partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import type { Fact, MailWords } from './mail-words.ts';

/** In pieces. Below the minimum order, customers cannot order. */
export interface MailedPart {
  name: string;
  quantity: number;
  minimumOrder: number;
}

/**
 * Tells of the parts of one file or act.
 * @param origin of the shop, without a trailing slash
 */
export const lowStockWords = (parts: readonly [MailedPart, ...MailedPart[]], origin: string): MailWords =>
  parts.length === 1
    ? onePartIsLow(parts[0], origin)
    : {
        subject: `Low stock: ${parts.length} parts`,
        preview: `${listNames(parts)}.`,
        about: 'Stock',
        title: `${parts.length} parts can no longer be ordered`,
        paragraphs: [['They have fewer pieces left than their minimum order.']],
        action: { label: 'Manage Products', url: `${origin}/dashboard/manage-products?stock=low` },
        facts: listParts(parts, ({ name, quantity, minimumOrder }) => ({
          label: name,
          value: `${formatPieces(quantity)} on hand, minimum ${formatPieces(minimumOrder)}`,
        })),
        footnote: { text: LOW_ONCE },
      };

const onePartIsLow = ({ name, quantity, minimumOrder }: MailedPart, origin: string): MailWords => ({
  subject: `Low stock: ${name}`,
  preview: `${formatPieces(quantity)} pieces are left, fewer than the smallest order.`,
  about: 'Stock',
  title: 'A part can no longer be ordered',
  paragraphs: [
    [
      { strong: name },
      ` has ${formatPieces(quantity)} pieces left, fewer than its minimum order of ${formatPieces(minimumOrder)}.`,
    ],
  ],
  action: { label: 'Manage Products', url: `${origin}/dashboard/manage-products` },
  facts: [
    { label: 'On hand', value: formatPieces(quantity), isLarge: true },
    { label: 'Minimum order', value: formatPieces(minimumOrder) },
  ],
  footnote: { text: LOW_ONCE },
});

const LOW_ONCE = 'You get this mail once, until the part is restocked.';
const MOST_LISTED = 100;

function listParts<Part>(parts: readonly Part[], describe: (part: Part) => Fact): Fact[] {
  const more = parts.length - MOST_LISTED;
  const facts = parts.slice(0, MOST_LISTED).map(describe);
  return more > 0 ? [...facts, { label: 'And more', value: `${formatPieces(more)} parts` }] : facts;
}

const listNames = (parts: readonly { name: string }[]): string =>
  `${parts
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')}${parts.length > 3 ? ` and ${parts.length - 3} more` : ''}`;

type ReturnedPart = Pick<Product, '_id' | 'name' | 'number' | 'price' | 'quantity' | 'minimumOrder'>;

/** @param stop ends all wishes of the reader */
export function backInStockWords(
  parts: readonly [ReturnedPart, ...ReturnedPart[]],
  origin: string,
  stop: string,
): MailWords {
  const [part] = parts;
  const footnote = {
    text: 'You asked for this mail on the page of the part. It comes once. If you wait for other parts:',
    link: { label: 'Stop all such mails', url: stop },
  };
  if (parts.length > 1) {
    return {
      subject: `Can be ordered again: ${listNames(parts)}`,
      preview: `${parts.length} parts are in stock.`,
      about: 'Stock',
      title: `${parts.length} parts can be ordered again`,
      paragraphs: [['They are back. None are reserved for you.']],
      facts: listParts(parts, (each) => ({
        label: `${each.name}, ${each.number}`,
        value: `${formatPieces(each.quantity)} in stock, ${formatCents(toCents(each.price))}\n${origin}${partPath(each)}`,
      })),
      footnote,
    };
  }
  return {
    subject: `Can be ordered again: ${part.name}`,
    preview: `${formatPieces(part.quantity)} pieces are in stock.`,
    about: 'Stock',
    title: 'A part can be ordered again',
    paragraphs: [
      [
        { strong: part.name },
        ` is back: ${formatPieces(part.quantity)} pieces are in stock now. None are reserved for you.`,
      ],
    ],
    action: { label: 'See the part', url: `${origin}${partPath(part)}` },
    facts: [
      { label: 'Part number', value: part.number },
      { label: 'Price', value: formatCents(toCents(part.price)) },
      { label: 'Minimum order', value: formatPieces(part.minimumOrder) },
    ],
    footnote,
  };
}
