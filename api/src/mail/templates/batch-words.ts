import { formatCents, formatPieces } from '@parts-forge/contract/money';
import type { Fact, MailWords } from './mail-words.ts';
import { formatUtc, type MailedOrder, seeOrders } from './order-words.ts';

/** What was placed together, at least one order, each as it is mailed by itself. */
export type MailedBatch = readonly [MailedOrder, ...MailedOrder[]];

/** @param batch its id, for the page that has all of it */
export function batchPlacedWords(orders: MailedBatch, batch: string, origin: string): MailWords {
  const [{ heldUntil, name, address }] = orders;
  const total = formatCents(orders.reduce((sum, { totalCents }) => sum + totalCents, 0));
  const until = heldUntil && formatUtc(heldUntil);
  const count = `${orders.length} ${orders.length === 1 ? 'order' : 'orders'}`;
  const pieces = formatPieces(orders.reduce((sum, { quantity }) => sum + quantity, 0));
  const held = `${pieces} pieces are held for you`;
  return {
    subject: until ? `${count} placed: pay until ${until}` : `${count} placed`,
    preview: `${count}, ${total}.${until ? ` The stock is held until ${until}.` : ''}`,
    about: count,
    title: 'Your batch is placed',
    paragraphs: [
      until
        ? [
            `${held} until `,
            { strong: until },
            '. Pay them together or one by one until then, and we check and ship.',
          ]
        : [`${held}. Pay them together or one by one, and we check and ship.`],
    ],
    action: { label: `Pay ${total}`, url: `${origin}/dashboard/batch/${batch}` },
    facts: [
      ...orders.map(describeLine),
      { label: 'Total price', value: total, isLarge: true },
      { label: 'Deliver to', value: `${name}\n${address}` },
    ],
    footnote: {
      text: until
        ? 'What is not paid is cancelled then, and nothing is charged for it.'
        : 'Until then nothing is charged.',
      link: seeOrders(origin),
    },
  };
}

const describeLine = ({ productName, quantity, priceCents, totalCents }: MailedOrder): Fact => ({
  label: productName,
  value: `${formatPieces(quantity)} × ${formatCents(priceCents)} = ${formatCents(totalCents)}`,
});
