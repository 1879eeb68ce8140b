import { formatCents, formatPieces, toCents } from '@parts-forge/contract/money';
import { partPath } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import type { MailWords } from './mail-words.ts';

/** In pieces. Below the minimum order, customers cannot order. */
export interface MailedPart {
  name: string;
  quantity: number;
  minimumOrder: number;
}

/** @param origin of the shop, without a trailing slash */
export const lowStockWords = ({ name, quantity, minimumOrder }: MailedPart, origin: string): MailWords => ({
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
  footnote: { text: 'You get this mail once, until the part is restocked.' },
});

/** @param stop ends all wishes of the reader */
export const backInStockWords = (
  part: Pick<Product, '_id' | 'name' | 'number' | 'price' | 'quantity' | 'minimumOrder'>,
  origin: string,
  stop: string,
): MailWords => ({
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
  footnote: {
    text: 'You asked for this mail on the page of the part. It comes once. If you wait for other parts:',
    link: { label: 'Stop all such mails', url: stop },
  },
});
