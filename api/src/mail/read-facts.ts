import type { Product } from '@parts-forge/contract/products';
import type { MailRow } from '#src/mail-outbox/store.ts';
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

/** A mail with what it is about, as that is now. */
export interface MailFacts {
  mail: MailRow;
  user: UserRow;
  order: OrderRow | null;
  /** What was placed together with the order and is still to be paid, for the mails that say so. */
  batch: readonly OrderRow[];
  /** What was paid by one payment, the order too, for the mail that says so. */
  paidTogether: readonly OrderRow[];
  product: Product | null;
}

/** Null when the person is gone: nobody is left to be told. */
export async function readFacts(db: Executor, mail: MailRow): Promise<MailFacts | null> {
  const [user, order, batch, paidTogether, product] = await Promise.all([
    findUserById(db, mail.userId),
    mail.orderId === null ? null : findOrderEvenClosed(db, mail.orderId),
    mail.orderId !== null && tellsOfBatch(mail) ? findBatch(db, mail.orderId) : [],
    mail.orderId !== null && mail.kind === 'payment-received' ? findPaidTogether(db, mail.orderId) : [],
    mail.productId === null ? null : findProduct(db, mail.productId),
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
    }
  );
}

const tellsOfBatch = ({ kind }: MailRow) => kind === 'order-placed' || kind === 'order-expiring';

const HOUR_MS = 3_600_000;
/** A link that was asked for is wanted at once; everything else is still news after three days. */
const PASSWORD_RESET_MS = HOUR_MS;
const NEWS_MS = 72 * HOUR_MS;

/** Whether a mail that waits has been overtaken: by time, or by what has happened since. */
export function isObsolete({ mail, user, order, batch, product }: MailFacts, now: Date): boolean {
  const ageMs = now.getTime() - mail.createdAt.getTime();
  if (ageMs > (mail.kind === 'password-reset' ? PASSWORD_RESET_MS : NEWS_MS)) return true;
  switch (mail.kind) {
    case 'address-verification':
      return user.emailVerified;
    case 'order-placed':
    case 'order-expiring':
      return batch.length === 0 && (order === null || !isUnpaid(order));
    case 'low-stock':
      return user.role !== 'admin' || product === null || product.quantity >= product.minimumOrder;
    default:
      return false;
  }
}
