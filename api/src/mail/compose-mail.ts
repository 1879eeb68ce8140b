import { listNews, type MailFacts } from './read-facts.ts';
import { addressVerificationWords, passwordResetWords } from './templates/account-words.ts';
import type { MailWords } from './templates/mail-words.ts';
import {
  addressCorrectedWords,
  disputeLostWords,
  orderAcceptedWords,
  orderCancelledWords,
  orderExpiringWords,
  orderPlacedWords,
  orderRefundedWords,
  parcelRemovedWords,
  parcelSentWords,
  parcelsSentWords,
  paymentReceivedWords,
} from './templates/order-words.ts';
import { backInStockWords, lowStockWords } from './templates/stock-words.ts';
import { webhookOffWords } from './templates/webhook-words.ts';

export interface MailLinks {
  /** Without a trailing slash. */
  origin: string;
  /** Contains a secret, if any. */
  account: string;
  /** Ends the recipient's wishes, by a secret. */
  stop: string;
  shopName: string;
}

/** @returns null when the mail's subject no longer exists */
export function composeMail(
  facts: MailFacts,
  { origin, account, stop, shopName }: MailLinks,
): MailWords | null {
  const { mail, user, order, batch, paidTogether, accepted, parcels } = facts;
  const news = listNews(facts);
  // A preview may be of a sent mail.
  const parts = news.length > 0 ? news : facts.products;
  const sent = parcels.filter(({ removedAt }) => removedAt === null);
  switch (mail.kind) {
    case 'address-verification':
      return addressVerificationWords(account, shopName);
    case 'password-reset':
      return passwordResetWords(user.name, account, shopName);
    case 'low-stock':
      return hasAny(parts) ? lowStockWords(parts, origin) : null;
    case 'webhook-off':
      return webhookOffWords(origin);
    case 'back-in-stock':
      return hasAny(parts) ? backInStockWords(parts, origin, stop) : null;
    case 'order-placed':
    case 'order-expiring': {
      const words = mail.kind === 'order-placed' ? orderPlacedWords : orderExpiringWords;
      if (order?.batch && hasAny(batch)) return words(batch, order.batch, origin);
      return order && words([order], null, origin);
    }
    case 'payment-received':
      if (paidTogether.length > 1 && hasAny(paidTogether)) return paymentReceivedWords(paidTogether, origin);
      return order && paymentReceivedWords([order], origin);
    case 'order-accepted':
      if (accepted.length > 1 && hasAny(accepted)) return orderAcceptedWords(accepted, origin);
      return order && orderAcceptedWords([order], origin);
    case 'parcel-sent':
      if (sent.length > 1 && hasAny(sent)) return parcelsSentWords(sent, origin);
      return sent[0] ? parcelSentWords(sent[0].order, sent[0], origin) : null;
    case 'parcel-removed':
      return order && parcels[0] ? parcelRemovedWords(order, parcels[0], origin) : null;
    case 'address-corrected':
      return order && addressCorrectedWords(order, origin);
    case 'order-cancelled':
      return order && orderCancelledWords(order, origin);
    case 'order-refunded':
      return order && orderRefundedWords(order, origin, mail.amountCents ?? order.refundCents);
    case 'dispute-lost':
      return order && disputeLostWords(order, origin, mail.amountCents ?? order.lostCents);
  }
}

const hasAny = <Order>(orders: readonly Order[]): orders is readonly [Order, ...Order[]] => orders.length > 0;
