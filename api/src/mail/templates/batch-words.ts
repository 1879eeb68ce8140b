import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { findParcelPage } from '@parts-forge/contract/orders/carriers';
import type { Fact, MailWords, Span } from './mail-words.ts';
import {
  describeFormer,
  formatPiece,
  formatUtc,
  listReferences,
  type MailedOrder,
  nameOrder,
  nameTotal,
  type SentParcel,
} from './order-words.ts';

/** Placed or paid together. */
export type MailedBatch = readonly [MailedOrder, ...MailedOrder[]];

/** @param batch id of the batch's page */
export function batchPlacedWords(orders: MailedBatch, batch: string, origin: string): MailWords {
  const { count, names, pieces, total, until } = summarize(orders);
  const held = `${pieces} pieces are held for you`;
  return {
    subject: until ? `${names} placed: pay until ${until}` : `${names} placed`,
    preview: `${count}, ${total}.${until ? ` The stock is held until ${until}.` : ''}`,
    about: count,
    title: 'Your batch is placed',
    paragraphs: [
      until
        ? [`${held} until `, { strong: until }, `. ${pay} until then, and we check and ship.`]
        : [`${held}. ${pay}, and we check and ship.`],
    ],
    action: { label: `Pay ${total}`, url: batchLink(batch, origin) },
    facts: listFacts(orders),
    footnote: {
      text: until
        ? 'Unpaid orders are cancelled then, and nothing is charged for them.'
        : 'Until then nothing is charged.',
      link: seeOrders(origin),
    },
  };
}

/** Expires within a day. */
export function batchExpiringWords(orders: MailedBatch, batch: string, origin: string): MailWords {
  const { count, names, pieces, total, until } = summarize(orders);
  const verb = orders.length === 1 ? 'expires' : 'expire';
  return {
    subject: `${names} ${verb} ${until ?? 'soon'}`,
    preview: `${count}, ${total}, not paid yet.`,
    about: count,
    title: `${count} of your batch ${verb} tomorrow`,
    paragraphs: [
      [
        `${pieces} pieces are held for you until `,
        { strong: until ?? 'soon' },
        '. They return to the stock then, and nothing is charged.',
      ],
    ],
    action: { label: `Pay ${total}`, url: batchLink(batch, origin) },
    facts: listFacts(orders),
    footnote: { text: 'To let them expire, do nothing.', link: seeOrders(origin) },
  };
}

export const paymentOfSeveralWords = (orders: MailedBatch, origin: string): MailWords =>
  tellOfSeveral(orders, origin, 'We have received your payment', [
    `${formatTotal(orders)} has arrived for ${orders.length} orders. We check the payment next, and ship then.`,
  ]);

/** One mail for the orders that one act accepted. */
export const severalAcceptedWords = (orders: MailedBatch, origin: string): MailWords =>
  tellOfSeveral(orders, origin, 'Your orders are accepted', [
    'We have checked your payments, and your parts are sent next.',
  ]);

/** With its order and the removed one that it corrects. */
export type MailedParcel<Order extends MailedOrder = MailedOrder> = SentParcel & {
  order: Order;
  removedAt: Date | null;
};

/** Tells of one act: a box of several orders, or several boxes. */
export function parcelsSentWords(
  parcels: readonly [MailedParcel, ...MailedParcel[]],
  origin: string,
): MailWords {
  const [first] = parcels;
  const orders = [...new Map(parcels.map(({ order }) => [order.id, order])).values()];
  const numbers = new Set(parcels.map(({ carrier, number }) => `${carrier} ${number}`));
  const page = numbers.size === 1 ? findParcelPage(first) : null;
  const title = numbers.size === 1 ? 'A parcel is on its way to you' : 'Parcels are on their way to you';
  const lines = parcels.map((parcel) => ({
    label: `${nameOrder(parcel.order)}, ${parcel.order.productName}`,
    value: describeParcel(parcel),
  }));
  const paragraph =
    numbers.size === 1
      ? [`${first.carrier} has it, under the number `, { strong: first.number }, '.']
      : ['Their numbers are below.'];
  return {
    ...tellOfSeveral([first.order, ...orders.slice(1)], origin, title, paragraph, lines),
    ...(page !== null && { action: { label: 'Follow the parcel', url: page } }),
  };
}

const describeParcel = (parcel: MailedParcel): string =>
  `${parcel.carrier} ${parcel.number}${describeFormer(parcel)}${parcel.quantity === null ? '' : `: ${formatPieces(parcel.quantity)} pieces`}`;

function tellOfSeveral(
  orders: MailedBatch,
  origin: string,
  title: string,
  paragraph: readonly Span[],
  lines?: readonly Fact[],
): MailWords {
  const { count, names, total } = summarize(orders);
  return {
    subject: `${title} (${names.toLowerCase()})`,
    preview: `${count}, ${total}.`,
    about: count,
    title,
    paragraphs: [paragraph],
    facts: listFacts(orders, lines),
    footnote: { text: 'All of your orders are in your account.', link: seeOrders(origin, 'See the orders') },
  };
}

const pay = 'Pay them together or one by one';
const seeOrders = (origin: string, label = 'See or cancel the orders') => ({
  label,
  url: `${origin}/dashboard/my-orders`,
});
const batchLink = (batch: string, origin: string) => `${origin}/dashboard/batch/${batch}`;

function summarize(orders: MailedBatch) {
  const ends = orders.flatMap(({ heldUntil }) => heldUntil ?? []);
  const heldUntil = ends.length === 0 ? null : new Date(Math.min(...ends.map(Number)));
  return {
    names: nameOrders(orders),
    count: `${orders.length} ${orders.length === 1 ? 'order' : 'orders'}`,
    pieces: formatPieces(orders.reduce((sum, { quantity }) => sum + quantity, 0)),
    total: formatTotal(orders),
    /** The order that ends first decides. */
    until: heldUntil && formatUtc(heldUntil),
  };
}

/** In a subject; the facts have all of them. */
const NAMED_ORDERS = 4;

function nameOrders(orders: MailedBatch): string {
  const [first, ...others] = orders;
  if (others.length === 0) return nameOrder(first);
  const numbers = orders.slice(0, NAMED_ORDERS).map(({ number }) => number);
  const more = orders.length - numbers.length;
  return `Orders ${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const formatTotal = (orders: MailedBatch) =>
  formatCents(orders.reduce((sum, { totalCents }) => sum + totalCents, 0));

function listFacts(orders: MailedBatch, lines?: readonly Fact[]): Fact[] {
  const places = [...new Set(orders.map(({ name, address }) => `${name}\n${address}`))];
  return [
    ...listReferences(orders),
    ...(lines ?? [
      ...orders.map(describeLine),
      { label: nameTotal(orders), value: formatTotal(orders), isLarge: true },
    ]),
    ...places.map((value) => ({ label: 'Deliver to', value })),
  ];
}

const describeLine = (order: MailedOrder): Fact => ({
  label: `${nameOrder(order)}, ${order.productName}`,
  value: `${formatPieces(order.quantity)} × ${formatPiece(order)} = ${formatCents(order.totalCents)}`,
});
