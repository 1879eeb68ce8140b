import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import type { MailRow } from '#src/mail-outbox/store.ts';
import { findShipmentsById } from '#src/orders/shipments-store.ts';
import {
  findBatch,
  findOrderEvenClosed,
  findOrdersEvenClosed,
  findPaidTogether,
  isUnpaid,
  type OrderRow,
} from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findProductsById } from '#src/products/store.ts';
import { findUserById, type UserRow } from '#src/users/store.ts';
import { findWishes } from '#src/wishes/store.ts';
import type { MailedParcel } from './templates/order-words.ts';

/** Current state of a mail's subject. */
export interface MailFacts {
  mail: MailRow;
  user: UserRow;
  order: OrderRow | null;
  /** Unpaid orders placed together. */
  batch: readonly OrderRow[];
  /** Orders of one payment. */
  paidTogether: readonly OrderRow[];
  /** Accepted in one act. */
  accepted: readonly OrderRow[];
  /** Parcels of one act, removed ones included; with their orders and what they correct. */
  parcels: readonly MailedParcel<OrderRow>[];
  products: readonly Product[];
  /** Parts that the recipient still waits for. */
  wished: ReadonlySet<string>;
}

/** Null when the recipient was deleted. */
export async function readFacts(db: Executor, mail: MailRow): Promise<MailFacts | null> {
  const subjects = (first: string | null) => (first === null ? [] : [first, ...mail.also]);
  const isAcceptance = mail.kind === 'order-accepted';
  const [user, order, batch, paidTogether, accepted, parcels, products, wishes] = await Promise.all([
    findUserById(db, mail.userId),
    mail.orderId === null ? null : findOrderEvenClosed(db, mail.orderId),
    mail.orderId !== null && tellsOfBatch(mail) ? findBatch(db, mail.orderId) : [],
    mail.orderId !== null && mail.kind === 'payment-received' ? findPaidTogether(db, mail.orderId) : [],
    findOrdersEvenClosed(db, isAcceptance ? subjects(mail.orderId) : []),
    readParcels(db, subjects(mail.shipmentId)),
    findProductsById(db, subjects(mail.productId)),
    mail.kind === 'back-in-stock' ? findWishes(db, mail.userId) : [],
  ]);
  const isTheirs = ({ userId }: OrderRow) => userId === mail.userId;
  return (
    user && {
      mail,
      user,
      order,
      batch: batch.filter(isUnpaid),
      paidTogether: paidTogether.filter(isTheirs),
      accepted,
      parcels,
      products: [...products.values()].flatMap(({ product, isDeleted }) => (isDeleted ? [] : [product])),
      wished: new Set(wishes.map(({ product }) => product)),
    }
  );
}

async function readParcels(db: Executor, ids: readonly string[]): Promise<MailedParcel<OrderRow>[]> {
  const parcels = await findShipmentsById(db, ids);
  const [orders, formers] = await Promise.all([
    findOrdersEvenClosed(
      db,
      parcels.map(({ orderId }) => orderId),
    ),
    findShipmentsById(
      db,
      parcels.flatMap(({ replaces }) => replaces ?? []),
    ),
  ]);
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

const tellsOfBatch = ({ kind }: MailRow) => kind === 'order-placed' || kind === 'order-expiring';

const HOUR_MS = 3_600_000;
/** A password link is useful only at once; other news lasts three days. */
const PASSWORD_RESET_MS = HOUR_MS;
const NEWS_MS = 72 * HOUR_MS;

/** Whether time or later events made a waiting mail pointless. */
export function isObsolete(facts: MailFacts, now: Date): boolean {
  const { mail, user, order, batch } = facts;
  const ageMs = now.getTime() - mail.createdAt.getTime();
  if (ageMs > (mail.kind === 'password-reset' ? PASSWORD_RESET_MS : NEWS_MS)) return true;
  switch (mail.kind) {
    case 'address-verification':
      return user.emailVerified;
    case 'order-placed':
    case 'order-expiring':
      return batch.length === 0 && (order === null || !isUnpaid(order));
    case 'back-in-stock':
      return listNews(facts).length === 0;
    case 'low-stock':
      return user.role !== 'admin' || listNews(facts).length === 0;
    default:
      return false;
  }
}
