import type { MailKind } from '@parts-forge/contract/events/mail-kinds';
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
import { pricesEndingWords, quoteAnsweredWords, quoteAskedWords } from './templates/price-words.ts';
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
  const { mail, user } = facts;
  const news = listNews(facts);
  // A preview may be of a sent mail.
  const parts = news.length > 0 ? news : facts.products;
  switch (mail.kind) {
    case 'address-verification':
      return addressVerificationWords(account, shopName);
    case 'password-reset':
      return passwordResetWords(user.name, account, shopName);
    case 'low-stock':
      return hasAny(parts) ? lowStockWords(parts, origin) : null;
    case 'webhook-off':
      return webhookOffWords(origin);
    case 'quote-asked':
      return facts.quote && quoteAskedWords(facts.quote, origin);
    case 'quote-answered':
      return facts.quote && quoteAnsweredWords(facts.quote, origin);
    case 'prices-ending':
      return hasAny(facts.ending) ? pricesEndingWords(facts.ending, origin) : null;
    case 'back-in-stock':
      return hasAny(parts) ? backInStockWords(parts, origin, stop) : null;
    default:
      return composeOrderMail(mail.kind, facts, origin);
  }
}

type OrderMailKind = Exclude<
  MailKind,
  | 'address-verification'
  | 'password-reset'
  | 'low-stock'
  | 'webhook-off'
  | 'back-in-stock'
  | 'quote-asked'
  | 'quote-answered'
  | 'prices-ending'
>;

function composeOrderMail(
  kind: OrderMailKind,
  { mail, orders, parcels }: MailFacts,
  origin: string,
): MailWords | null {
  if (!hasAny(orders)) return null;
  const [first] = orders;
  const sent = parcels.filter(({ removedAt }) => removedAt === null);
  switch (kind) {
    case 'order-placed':
      return orderPlacedWords(orders, first.batch, origin);
    case 'order-expiring':
      return orderExpiringWords(orders, first.batch, origin);
    case 'payment-received':
      return paymentReceivedWords(orders, origin);
    case 'order-accepted':
      return orderAcceptedWords(orders, origin);
    case 'order-cancelled':
      return orderCancelledWords(orders, origin);
    case 'order-refunded':
      return orderRefundedWords(orders, origin, mail.amountCents ?? first.refundCents);
    case 'dispute-lost':
      return disputeLostWords(orders, origin, mail.amountCents ?? first.lostCents);
    case 'parcel-sent':
      if (sent.length > 1 && hasAny(sent)) return parcelsSentWords(sent, origin);
      return sent[0] ? parcelSentWords(sent[0].order, sent[0], origin) : null;
    case 'parcel-removed':
      return hasAny(parcels) ? parcelRemovedWords(parcels, origin) : null;
    case 'address-corrected':
      return addressCorrectedWords(first, origin);
  }
}

const hasAny = <Order>(orders: readonly Order[]): orders is readonly [Order, ...Order[]] => orders.length > 0;
