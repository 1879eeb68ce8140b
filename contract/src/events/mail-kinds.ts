/** No imports, so that pages load no validation library. */

/** Released kinds must stay: outboxes contain them. */
export const MAIL_KINDS = [
  /** To a customer, with a link. */
  'address-verification',
  'password-reset',
  'order-placed',
  'payment-received',
  'order-accepted',
  /** Parcels of accepted orders. */
  'parcel-sent',
  /** The customer had a mail with its number. */
  'parcel-removed',
  /** Or the phone, by an administrator. */
  'address-corrected',
  /** The order's refund has started. */
  'order-refunded',
  /** The bank took the money back, which is no refund. */
  'dispute-lost',
  /** The shop cancelled the unpaid order. */
  'order-cancelled',
  /** The order expires within a day. */
  'order-expiring',
  /** The part can be ordered again. */
  'back-in-stock',
  /** To administrators: a customer asks for prices. */
  'quote-asked',
  /** Also of a request that was declined. */
  'quote-answered',
  /** Agreed prices end within three days. */
  'prices-ending',
  /** To administrators: below the part's minimum order. */
  'low-stock',
  /** To administrators: switched off after days of failures. */
  'webhook-off',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `dead`: sending failed for good. `dropped`: no recipient or no reason was left. */
export const MAIL_STATES = ['waiting', 'sent', 'dead', 'dropped'] as const;
export type MailState = (typeof MAIL_STATES)[number];
