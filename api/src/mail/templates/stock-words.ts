import { formatPieces } from '@parts-forge/contract/money';
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
