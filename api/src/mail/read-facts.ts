import { isAvailable } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import type { MailRow } from '#src/mail-outbox/store.ts';
import { findShipment, type ShipmentRow } from '#src/orders/shipments-store.ts';
import {
  findBatch,
  findOrderEvenClosed,
  findPaidTogether,
  isUnpaid,
  type OrderRow,
} from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findProduct } from '#src/products/store.ts';
import { findUserById, type UserRow } from '#src/users/store.ts';
import { countWishes } from '#src/wishes/store.ts';

/** Current state of a mail's subject. */
export interface MailFacts {
  mail: MailRow;
  user: UserRow;
  order: OrderRow | null;
  /** Unpaid orders placed together. */
  batch: readonly OrderRow[];
  /** Orders of one payment. */
  paidTogether: readonly OrderRow[];
  product: Product | null;
  /** Null also when it was removed. */
  parcel: ShipmentRow | null;
  /** Whether the recipient still waits for the part. */
  isWished: boolean;
}

/** Null when the recipient was deleted. */
export async function readFacts(db: Executor, mail: MailRow): Promise<MailFacts | null> {
  const [user, order, batch, paidTogether, product, parcel, wishes] = await Promise.all([
    findUserById(db, mail.userId),
    mail.orderId === null ? null : findOrderEvenClosed(db, mail.orderId),
    mail.orderId !== null && tellsOfBatch(mail) ? findBatch(db, mail.orderId) : [],
    mail.orderId !== null && mail.kind === 'payment-received' ? findPaidTogether(db, mail.orderId) : [],
    mail.productId === null ? null : findProduct(db, mail.productId),
    mail.shipmentId === null ? null : findShipment(db, mail.shipmentId),
    mail.productId === null ? 0 : countWishes(db, mail.userId, mail.productId),
  ]);
  const isTheirs = ({ userId }: OrderRow) => userId === mail.userId;
  return (
    user && {
      mail,
      user,
      order,
      batch: batch.filter(isUnpaid),
      paidTogether: paidTogether.filter(isTheirs),
      product,
      parcel,
      isWished: wishes > 0,
    }
  );
}

const tellsOfBatch = ({ kind }: MailRow) => kind === 'order-placed' || kind === 'order-expiring';

const HOUR_MS = 3_600_000;
/** A password link is useful only at once; other news lasts three days. */
const PASSWORD_RESET_MS = HOUR_MS;
const NEWS_MS = 72 * HOUR_MS;

/** Whether time or later events made a waiting mail pointless. */
export function isObsolete({ mail, user, order, batch, product, isWished }: MailFacts, now: Date): boolean {
  const ageMs = now.getTime() - mail.createdAt.getTime();
  if (ageMs > (mail.kind === 'password-reset' ? PASSWORD_RESET_MS : NEWS_MS)) return true;
  switch (mail.kind) {
    case 'address-verification':
      return user.emailVerified;
    case 'order-placed':
    case 'order-expiring':
      return batch.length === 0 && (order === null || !isUnpaid(order));
    case 'back-in-stock':
      return !isWished || product === null || !isAvailable(product);
    case 'low-stock':
      return user.role !== 'admin' || product === null || product.quantity >= product.minimumOrder;
    default:
      return false;
  }
}
