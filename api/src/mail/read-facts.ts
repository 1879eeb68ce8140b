import type { MailKind } from '@parts-forge/contract/events/mail-kinds';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { readDay } from '@parts-forge/contract/text/days';
import { orderPapers } from '#src/invoices/order-papers.ts';
import type { MailRow } from '#src/mail-outbox/store.ts';
import { completeOrders } from '#src/orders/complete-orders.ts';
import { findShipmentsById } from '#src/orders/shipments-store.ts';
import {
  findBatch,
  findOrdersEvenClosed,
  findPaidTogether,
  isUnpaid,
  type OrderRow,
  toOrder,
} from '#src/orders/store.ts';
import type { Config } from '#src/platform/core/config.ts';
import type { Drizzle } from '#src/platform/database/connection.ts';
import { findEnds, findQuote } from '#src/prices/find-prices.ts';
import { findProductsById } from '#src/products/store.ts';
import { findUserById, type UserRow } from '#src/users/store.ts';
import { findWishes } from '#src/wishes/store.ts';
import type { MailedOrder, MailedParcel } from './templates/order-words.ts';
import type { EndingPrice } from './templates/price-words.ts';

/** Current state of a mail's subject. */
export interface MailFacts {
  mail: MailRow;
  user: UserRow;
  /** Its orders; of those placed together the unpaid ones, if any is left. */
  orders: readonly MailedRow[];
  /** Parcels of one act, removed ones included; with their orders and what they correct. */
  parcels: readonly MailedParcel<MailedRow>[];
  products: readonly Product[];
  /** Parts that the recipient still waits for. */
  wished: ReadonlySet<string>;
  quote: Quote | null;
  /** Prices that end soon; none once they were prolonged or removed. */
  ending: readonly EndingPrice[];
}

type MailedRow = OrderRow & MailedOrder;

/** Null when the recipient was deleted. */
export async function readFacts(
  db: Drizzle,
  mail: MailRow,
  { timeZone }: Pick<Config, 'timeZone'>,
): Promise<MailFacts | null> {
  const subjects = (first: string | null) => (first === null ? [] : [first, ...mail.also]);
  const day = readDay(mail.createdAt, timeZone);
  const [user, orders, parcels, products, wishes, quote, ending] = await Promise.all([
    findUserById(db, mail.userId),
    readOrders(db, mail),
    readParcels(db, subjects(mail.shipmentId)),
    findProductsById(db, subjects(mail.productId)),
    mail.kind === 'back-in-stock' ? findWishes(db, mail.userId) : [],
    mail.quoteId === null ? null : findQuote(db, mail.quoteId, undefined),
    mail.kind === 'prices-ending' ? findEnds(db, mail.userId, subjects(mail.productId), day) : [],
  ]);
  return (
    user && {
      mail,
      user,
      orders,
      parcels,
      products: [...products.values()].flatMap(({ product, isDeleted }) => (isDeleted ? [] : [product])),
      wished: new Set(wishes.map(({ product }) => product)),
      quote,
      ending,
    }
  );
}

async function readOrders(db: Drizzle, mail: MailRow): Promise<MailedRow[]> {
  if (mail.orderId === null) return [];
  const named = await findOrdersEvenClosed(db, [mail.orderId, ...mail.also]);
  const joined = await findJoined(db, mail.kind, mail.orderId);
  const orders = (joined.length > 0 ? joined : named).filter(({ userId }) => userId === mail.userId);
  const unpaid = orders.filter(isUnpaid);
  return complete(db, tellsOfUnpaid(mail) && unpaid.length > 0 ? unpaid : orders);
}

/** The orders that the mail's first one was placed or paid with. */
async function findJoined(db: Drizzle, kind: MailKind, orderId: string): Promise<OrderRow[]> {
  if (kind === 'payment-received') return findPaidTogether(db, orderId);
  return tellsOfUnpaid({ kind }) ? findBatch(db, orderId) : [];
}

/** Adds what only mails of several orders say. */
async function complete(db: Drizzle, rows: readonly OrderRow[]): Promise<MailedRow[]> {
  const completed = rows.length > 1 ? await completeOrders(db, orderPapers, rows.map(toOrder)) : [];
  return rows.map((row, index) => {
    const { partNumber = '', purchase = null, papers = [] } = completed[index] ?? {};
    const invoices = papers.flatMap(({ kind, number }) => (kind === 'invoice' ? [number] : []));
    return { ...row, partNumber, purchase, invoices };
  });
}

async function readParcels(db: Drizzle, ids: readonly string[]): Promise<MailedParcel<MailedRow>[]> {
  const parcels = await findShipmentsById(db, ids);
  const [rows, formers] = await Promise.all([
    findOrdersEvenClosed(
      db,
      parcels.map(({ orderId }) => orderId),
    ),
    findShipmentsById(
      db,
      parcels.flatMap(({ replaces }) => replaces ?? []),
    ),
  ]);
  const orders = await complete(db, rows);
  return parcels.flatMap((parcel) => {
    const order = orders.find(({ id }) => id === parcel.orderId);
    const former = formers.find(({ id, number }) => id === parcel.replaces && number !== parcel.number);
    return order ? [{ ...parcel, order, former: former ?? null }] : [];
  });
}

/** The parts of a mail about stocks that are still so. */
export const listNews = ({ mail, products, wished }: MailFacts): Product[] =>
  products.filter((product) =>
    mail.kind === 'low-stock'
      ? product.quantity < product.minimumOrder
      : wished.has(product._id) && isAvailable(product),
  );

const tellsOfUnpaid = ({ kind }: Pick<MailRow, 'kind'>) =>
  kind === 'order-placed' || kind === 'order-expiring';

const HOUR_MS = 3_600_000;
/** A password link is useful only at once; other news lasts three days. */
const PASSWORD_RESET_MS = HOUR_MS;
const NEWS_MS = 72 * HOUR_MS;

/** Whether time or later events made a waiting mail pointless. */
export function isObsolete(facts: MailFacts, now: Date): boolean {
  const { mail, user, orders } = facts;
  const ageMs = now.getTime() - mail.createdAt.getTime();
  if (ageMs > (mail.kind === 'password-reset' ? PASSWORD_RESET_MS : NEWS_MS)) return true;
  switch (mail.kind) {
    case 'address-verification':
      return user.emailVerified;
    case 'order-placed':
    case 'order-expiring':
      return !orders.some(isUnpaid);
    case 'quote-asked':
      return user.role !== 'admin' || facts.quote?.state !== 'asked';
    case 'quote-answered':
      return facts.quote === null;
    case 'prices-ending':
      return facts.ending.length === 0;
    case 'back-in-stock':
      return listNews(facts).length === 0;
    case 'low-stock':
      return user.role !== 'admin' || listNews(facts).length === 0;
    default:
      return false;
  }
}
