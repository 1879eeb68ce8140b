import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { netPiece } from '@parts-forge/contract/money/pricing';
import { findParcelPage } from '@parts-forge/contract/orders/carriers';
import type { Fact, MailWords, Span } from './mail-words.ts';

export interface MailedOrder {
  id: string;
  /** As on pages and papers. */
  number: number;
  /** The customer's own; null for none. */
  reference: string | null;
  productName: string;
  quantity: number;
  priceCents: number;
  /** The customer pays no tax: of the price, in hundredths of a percent. */
  untaxedRate: number;
  totalCents: number;
  name: string;
  address: string;
  /** Null if the order does not expire. */
  heldUntil: Date | null;
}

/** @param origin of the shop, without a trailing slash */
export function orderPlacedWords(order: MailedOrder, origin: string): MailWords {
  const total = formatCents(order.totalCents);
  const until = order.heldUntil && formatUtc(order.heldUntil);
  const pieces = `${formatPieces(order.quantity)} pieces are held for you`;
  return {
    subject: until
      ? `${nameOrder(order)} placed: pay until ${until}`
      : `${nameOrder(order)} placed: ${order.productName}`,
    preview: `${formatPieces(order.quantity)} × ${order.productName}, ${total}.${until ? ` The stock is held until ${until}.` : ''}`,
    about: nameOrder(order),
    title: 'Your order is placed',
    paragraphs: [
      until
        ? [`${pieces} until `, { strong: until }, '. Pay by card until then, and we check and ship.']
        : [`${pieces}. Pay by card, and we check and ship.`],
    ],
    action: { label: `Pay ${total}`, url: paymentLink(order, origin) },
    facts: listFacts(order),
    footnote: {
      text: until
        ? 'Unpaid, the order is cancelled then and nothing is charged.'
        : 'Until then nothing is charged.',
      link: seeOrder(order, origin, 'See or cancel the order'),
    },
  };
}

export function orderExpiringWords(order: MailedOrder, origin: string): MailWords {
  const total = formatCents(order.totalCents);
  const until = order.heldUntil ? formatUtc(order.heldUntil) : 'soon';
  return {
    subject: `${nameOrder(order)} expires ${until}`,
    preview: `${formatPieces(order.quantity)} × ${order.productName}, ${total}, is not paid yet.`,
    about: nameOrder(order),
    title: 'Your order expires tomorrow',
    paragraphs: [
      [
        `${formatPieces(order.quantity)} pieces are held for you until `,
        { strong: until },
        '. They return to the stock then, and nothing is charged.',
      ],
    ],
    action: { label: `Pay ${total}`, url: paymentLink(order, origin) },
    facts: listFacts(order),
    footnote: { text: 'To let it expire, do nothing.', link: seeOrder(order, origin) },
  };
}

export const paymentReceivedWords = (order: MailedOrder, origin: string): MailWords =>
  tellProgress(order, origin, 'We have received your payment', [
    `${formatCents(order.totalCents)} has arrived. We check the payment next, and ship then.`,
  ]);

export const orderAcceptedWords = (order: MailedOrder, origin: string): MailWords =>
  tellProgress(order, origin, 'Your order is accepted', [
    'We have checked your payment, and your parts are sent next.',
  ]);

/** Also of a phone. */
export const addressCorrectedWords = (order: MailedOrder, origin: string): MailWords =>
  tellProgress(order, origin, 'The delivery of your order was changed', [
    'We deliver to the address below. If you did not ask for a change, answer this mail at once.',
  ]);

export interface SentParcel {
  carrier: string;
  number: string;
  /** Null leaves the quantity out. */
  quantity: number | null;
  /** The removed one that it corrects. */
  former: { carrier: string; number: string } | null;
}

export const parcelRemovedWords = (
  order: MailedOrder,
  { carrier, number }: SentParcel,
  origin: string,
): MailWords =>
  tellProgress(order, origin, 'A parcel number is no longer right', [
    `${carrier} ${number} is not for this order: it was entered by mistake. Another number comes in a mail of its own.`,
  ]);

/** Names this parcel alone. */
export function parcelSentWords(order: MailedOrder, parcel: SentParcel, origin: string): MailWords {
  const { carrier, number, quantity, former } = parcel;
  const title = former ? 'The number of your parcel is corrected' : 'A parcel is on its way to you';
  const words = tellProgress(order, origin, title, [
    `${carrier} has it, under the number `,
    { strong: number },
    `${describeFormer(parcel)}.`,
  ]);
  const page = findParcelPage(parcel);
  const facts: Fact[] = [
    { label: 'Carrier', value: carrier },
    { label: 'Parcel number', value: number },
    ...(quantity === null ? [] : [{ label: 'Pieces in it', value: formatPieces(quantity) }]),
  ];
  return {
    ...words,
    ...(page !== null && { action: { label: 'Follow the parcel', url: page } }),
    facts: [...facts, ...words.facts],
  };
}

export const describeFormer = ({ former }: Pick<SentParcel, 'former'>): string =>
  former ? `, instead of ${former.carrier} ${former.number}` : '';

export const orderCancelledWords = (order: MailedOrder, origin: string): MailWords =>
  tellProgress(order, origin, 'We have cancelled your order', [
    'It was not paid, and nothing is charged. If you still need the parts, order them again.',
  ]);

/** @param amountCents possibly a part of the total */
export const orderRefundedWords = (order: MailedOrder, origin: string, amountCents: number): MailWords =>
  tellProgress(order, origin, `Refund of ${formatCents(amountCents)}`, [
    { strong: formatCents(amountCents) },
    ' of your payment is refunded to your card. Your bank may take some days to show it.',
  ]);

export const disputeLostWords = (order: MailedOrder, origin: string, amountCents: number): MailWords =>
  tellProgress(order, origin, `Your bank has taken back ${formatCents(amountCents)}`, [
    { strong: formatCents(amountCents) },
    ' of your payment went back to you, as your bank decided a dispute. We refund nothing of it.',
  ]);

function tellProgress(
  order: MailedOrder,
  origin: string,
  title: string,
  paragraph: readonly Span[],
): MailWords {
  return {
    subject: `${title} (order ${order.number})`,
    preview: `${formatPieces(order.quantity)} × ${order.productName}, ${formatCents(order.totalCents)}.`,
    about: nameOrder(order),
    title,
    paragraphs: [paragraph],
    facts: listFacts(order),
    footnote: { text: 'All of your orders are in your account.', link: seeOrder(order, origin) },
  };
}

function listFacts(order: MailedOrder): Fact[] {
  const { number, productName, quantity, name, address } = order;
  return [
    { label: 'Order', value: String(number) },
    ...listReferences([order]),
    { label: 'Part', value: productName },
    { label: 'Quantity', value: formatPieces(quantity) },
    { label: 'Price Per Unit', value: formatPiece(order) },
    { label: nameTotal([order]), value: formatCents(order.totalCents), isLarge: true },
    { label: 'Deliver to', value: `${name}\n${address}` },
  ];
}

export const formatPiece = ({ priceCents, untaxedRate }: MailedOrder): string =>
  formatCents(netPiece(priceCents, untaxedRate));

export const nameTotal = (orders: readonly MailedOrder[]): string =>
  orders.every(({ untaxedRate }) => untaxedRate > 0) ? 'Total price, without tax' : 'Total price';

export const listReferences = (orders: readonly MailedOrder[]): Fact[] =>
  [...new Set(orders.flatMap(({ reference }) => reference ?? []))].map((value) => ({
    label: 'Your reference',
    value,
  }));

export const nameOrder = ({ number }: MailedOrder): string => `Order ${number}`;

const paymentLink = ({ id }: MailedOrder, origin: string) => `${origin}/dashboard/payment/${id}`;
const seeOrder = ({ id }: MailedOrder, origin: string, label = 'See the order') => ({
  label,
  url: `${origin}/dashboard/order/${id}`,
});

const utc = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `24 Nov 2026, 14:20 UTC`: the reader's time zone is unknown. */
export const formatUtc = (moment: Date): string => `${utc.format(moment)} UTC`;
