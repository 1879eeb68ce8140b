import { formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
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
  /** Empty in a mail of one order, as are the following. */
  partNumber: string;
  /** What it was placed with; null for a single order. */
  purchase: { number: number; orders: number } | null;
  /** Numbers of its invoices. */
  invoices: readonly string[];
}

/** One, or several that one act or payment joins. */
export type MailedOrders = readonly [MailedOrder, ...MailedOrder[]];

/** @param batch the page of orders that were placed together, also of the last one; null for a single order */
export function orderPlacedWords(orders: MailedOrders, batch: string | null, origin: string): MailWords {
  const summary = summarize(orders, batch !== null, origin);
  const { names, about, contents, pieces, total, until, facts, link } = summary;
  const pay = batch ? 'Pay them together or one by one' : 'Pay by card';
  const unpaid = batch
    ? 'Unpaid orders are cancelled then, and nothing is charged for them.'
    : 'Unpaid, the order is cancelled then and nothing is charged.';
  const product = batch ? '' : `: ${orders[0].productName}`;
  return {
    subject: `${names} placed${until ? `${names.includes(':') ? ',' : ':'} pay until ${until}` : product}`,
    preview: `${contents}, ${total}.${until ? ` The stock is held until ${until}.` : ''}`,
    about,
    title: `Your ${batch ? 'batch' : 'order'} is placed`,
    paragraphs: [
      until
        ? [`${pieces} until `, { strong: until }, `. ${pay} until then, and we check and ship.`]
        : [`${pieces}. ${pay}, and we check and ship.`],
    ],
    action: { label: `Pay ${total}`, url: paymentLink(orders[0], batch, origin) },
    facts,
    footnote: {
      text: until ? unpaid : 'Until then nothing is charged.',
      link: { ...link, label: `See or cancel the ${batch ? 'orders' : 'order'}` },
    },
  };
}

/** Expires within a day. @param batch as of `orderPlacedWords` */
export function orderExpiringWords(orders: MailedOrders, batch: string | null, origin: string): MailWords {
  const summary = summarize(orders, batch !== null, origin);
  const { names, about, contents, pieces, total, until = 'soon', facts, link } = summary;
  const verb = orders.length === 1 ? 'expires' : 'expire';
  return {
    subject: `${names} ${verb} ${until}`,
    preview: `${contents}, ${total}, ${batch ? '' : 'is '}not paid yet.`,
    about,
    title: `${batch ? `${about} of your batch` : 'Your order'} ${verb} tomorrow`,
    paragraphs: [
      [`${pieces} until `, { strong: until }, '. They return to the stock then, and nothing is charged.'],
    ],
    action: { label: `Pay ${total}`, url: paymentLink(orders[0], batch, origin) },
    facts,
    footnote: {
      text: `To let ${batch ? 'them' : 'it'} expire, do nothing.`,
      link: batch ? { ...link, label: 'See or cancel the orders' } : link,
    },
  };
}

/** Told once for all orders of the payment. */
export const paymentReceivedWords = (orders: MailedOrders, origin: string): MailWords =>
  tellProgress(orders, origin, 'We have received your payment', [
    `${formatTotal(orders)} has arrived${orders.length > 1 ? ` for ${orders.length} orders` : ''}. We check the payment next, and ship then.`,
  ]);

/** Told once for all orders that one act accepted. */
export const orderAcceptedWords = (orders: MailedOrders, origin: string): MailWords =>
  tellProgress(orders, origin, orders.length > 1 ? 'Your orders are accepted' : 'Your order is accepted', [
    `We have checked your ${orders.length > 1 ? 'payments' : 'payment'}, and your parts are sent next.`,
  ]);

/** Also of a phone. */
export const addressCorrectedWords = (order: MailedOrder, origin: string): MailWords =>
  tellProgress([order], origin, 'The delivery of your order was changed', [
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

/** Names this parcel alone. */
export function parcelSentWords(order: MailedOrder, parcel: SentParcel, origin: string): MailWords {
  const { carrier, number, quantity, former } = parcel;
  const title = former ? 'The number of your parcel is corrected' : 'A parcel is on its way to you';
  const words = tellProgress([order], origin, title, [
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

const describeFormer = ({ former }: Pick<SentParcel, 'former'>): string =>
  former ? `, instead of ${former.carrier} ${former.number}` : '';

/** Told once for all orders that one act cancelled. */
export function orderCancelledWords(orders: MailedOrders, origin: string): MailWords {
  const isSeveral = orders.length > 1;
  return tellProgress(orders, origin, `We have cancelled your ${isSeveral ? 'orders' : 'order'}`, [
    `${isSeveral ? 'They were' : 'It was'} not paid, and nothing is charged. If you still need the parts, order them again.`,
  ]);
}

/** @param amountCents of all orders, possibly a part of their total */
export const orderRefundedWords = (orders: MailedOrders, origin: string, amountCents: number): MailWords =>
  tellProgress(orders, origin, `Refund of ${formatCents(amountCents)}`, [
    { strong: formatCents(amountCents) },
    ' of your payment is refunded to your card. Your bank may take some days to show it.',
  ]);

export const disputeLostWords = (orders: MailedOrders, origin: string, amountCents: number): MailWords =>
  tellProgress(orders, origin, `Your bank has taken back ${formatCents(amountCents)}`, [
    { strong: formatCents(amountCents) },
    ' of your payment went back to you, as your bank decided a dispute. We refund nothing of it.',
  ]);

/** With its order and the removed one that it corrects. */
export type MailedParcel<Order extends MailedOrder = MailedOrder> = SentParcel & {
  order: Order;
  removedAt: Date | null;
};

/** Of one act: a box of several orders, or several boxes. */
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
    label: nameLine(parcel.order),
    value: describeParcel(parcel),
  }));
  const paragraph =
    numbers.size === 1
      ? [`${first.carrier} has it, under the number `, { strong: first.number }, '.']
      : ['Their numbers are below.'];
  return {
    ...tellProgress([first.order, ...orders.slice(1)], origin, title, paragraph, lines),
    ...(page !== null && { action: { label: 'Follow the parcel', url: page } }),
  };
}

/** Told once for all orders that one act removed the parcel from. */
export function parcelRemovedWords(
  [first, ...others]: readonly [MailedParcel, ...MailedParcel[]],
  origin: string,
): MailWords {
  const orders = [first.order, ...others.map(({ order }) => order)] as const;
  return tellProgress(orders, origin, 'A parcel number is no longer right', [
    `${first.carrier} ${first.number} is not for ${others.length > 0 ? 'these orders' : 'this order'}: it was entered by mistake. Another number comes in a mail of its own.`,
  ]);
}

const describeParcel = (parcel: MailedParcel): string =>
  `${parcel.carrier} ${parcel.number}${describeFormer(parcel)}${parcel.quantity === null ? '' : `: ${formatPieces(parcel.quantity)} pieces`}`;

/** @param lines of a mail about several, in place of the orders' own */
function tellProgress(
  orders: MailedOrders,
  origin: string,
  title: string,
  paragraph: readonly Span[],
  lines?: readonly Fact[],
): MailWords {
  const isSeveral = lines !== undefined || orders.length > 1;
  const { names, about, contents, total, facts, link } = summarize(orders, isSeveral, origin, lines);
  return {
    subject: `${title} (${names.toLowerCase()})`,
    preview: `${contents}, ${total}.`,
    about,
    title,
    paragraphs: [paragraph],
    facts,
    footnote: { text: 'All of your orders are in your account.', link },
  };
}

function summarize(orders: MailedOrders, isSeveral: boolean, origin: string, lines?: readonly Fact[]) {
  const [first] = orders;
  const purchase = findPurchase(orders);
  const ends = orders.flatMap(({ heldUntil }) => heldUntil ?? []);
  const count = `${orders.length} ${orders.length === 1 ? 'order' : 'orders'}`;
  const pieces = orders.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    names: nameOrders(orders),
    about: isSeveral ? count : nameOrder(first),
    contents: isSeveral ? count : `${formatPieces(first.quantity)} × ${first.productName}`,
    pieces: `${formatPieces(pieces)} pieces are held for you`,
    total: formatTotal(orders),
    /** Of the order that ends first. */
    until: ends.length === 0 ? undefined : formatUtc(new Date(Math.min(...ends.map(Number)))),
    facts: isSeveral ? listSeveralFacts(orders, lines) : listFacts(first),
    link: isSeveral
      ? {
          label: 'See the orders',
          url: `${origin}/dashboard/${purchase ? `purchase/${purchase.number}` : 'my-orders'}`,
        }
      : { label: 'See the order', url: `${origin}/dashboard/order/${first.id}` },
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

const formatPiece = ({ priceCents, untaxedRate }: MailedOrder): string =>
  formatCents(netPiece(priceCents, untaxedRate));

const nameTotal = (orders: readonly MailedOrder[]): string =>
  orders.every(({ untaxedRate }) => untaxedRate > 0) ? 'Total price, without tax' : 'Total price';

const listReferences = (orders: readonly MailedOrder[]): Fact[] =>
  listOnce(
    'Your reference',
    orders.flatMap(({ reference }) => reference ?? []),
  );

/** A mail program shows about 100 kB. */
const MAX_LINES = 100;
const MAX_VALUES = 10;
const MAX_NAME = 60;

/** A value that several orders share is one fact. */
const listOnce = (label: string, values: readonly string[]): Fact[] =>
  takeFirst(
    [...new Set(values)].map((value) => ({ label, value })),
    MAX_VALUES,
  );

const takeFirst = (facts: readonly Fact[], count: number): Fact[] =>
  facts.length <= count
    ? [...facts]
    : [
        ...facts.slice(0, count),
        { label: 'Not listed here', value: `${formatPieces(facts.length - count)} more` },
      ];

/** Null for orders that were not all placed together. */
const findPurchase = (orders: MailedOrders): MailedOrder['purchase'] =>
  orders.every(({ purchase }) => purchase?.number === orders[0].purchase?.number) ? orders[0].purchase : null;

/** `40 parts`, or `38 of 40 parts`. */
const countParts = ({ length }: MailedOrders, { orders }: NonNullable<MailedOrder['purchase']>): string =>
  `${length < orders ? `${length} of ` : ''}${formatCount(orders, 'part')}`;

function nameLine(order: MailedOrder): string {
  const letters = [...order.productName];
  const name = letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME).join('')}…` : order.productName;
  return [nameOrder(order), order.partNumber, name].filter(Boolean).join(', ');
}

const nameOrder = ({ number }: MailedOrder): string => `Order ${number}`;

const paymentLink = ({ id }: MailedOrder, batch: string | null, origin: string) =>
  `${origin}/dashboard/${batch ? `batch/${batch}` : `payment/${id}`}`;

const utc = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `24 Nov 2026, 14:20 UTC`: the reader's time zone is unknown. */
const formatUtc = (moment: Date): string => `${utc.format(moment)} UTC`;

/** In a subject; the facts have all of them. */
const NAMED_ORDERS = 4;

function nameOrders(orders: MailedOrders): string {
  const [first, ...others] = orders;
  const purchase = findPurchase(orders);
  if (others.length === 0) return nameOrder(first);
  if (purchase) return `Order ${purchase.number}: ${countParts(orders, purchase)}`;
  const numbers = orders.slice(0, NAMED_ORDERS).map(({ number }) => number);
  const more = orders.length - numbers.length;
  return `Orders ${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const formatTotal = (orders: MailedOrders) =>
  formatCents(orders.reduce((sum, { totalCents }) => sum + totalCents, 0));

function listSeveralFacts(orders: MailedOrders, lines?: readonly Fact[]): Fact[] {
  const purchase = findPurchase(orders);
  return [
    ...(purchase ? [{ label: 'Order', value: `${purchase.number}, ${countParts(orders, purchase)}` }] : []),
    ...listReferences(orders),
    ...listOnce(
      'Invoice',
      orders.flatMap(({ invoices }) => invoices),
    ),
    ...takeFirst(lines ?? orders.map(describeLine), MAX_LINES),
    ...(lines ? [] : [{ label: nameTotal(orders), value: formatTotal(orders), isLarge: true }]),
    ...listOnce(
      'Deliver to',
      orders.map(({ name, address }) => `${name}\n${address}`),
    ),
  ];
}

const describeLine = (order: MailedOrder): Fact => ({
  label: nameLine(order),
  value: `${formatPieces(order.quantity)} × ${formatPiece(order)} = ${formatCents(order.totalCents)}`,
});
