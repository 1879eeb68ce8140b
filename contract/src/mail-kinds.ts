/** Kinds of mail. No imports, so that pages that only name them load no validation library. */

/** Released kinds must stay: outboxes of running shops have mails of them. */
export const MAIL_KINDS = [
  /** To a customer: verify your address. */
  'address-verification',
  /** To a customer, on request. */
  'password-reset',
  'order-placed',
  'payment-received',
  'order-accepted',
  /** The order's refund has started. */
  'order-refunded',
  /** The shop cancelled the unpaid order. */
  'order-cancelled',
  /** The unpaid order expires within a day. */
  'order-expiring',
  /** To each administrator: stock is below the part's minimum order. */
  'low-stock',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `dead`: sending failed for good. `dropped`: no recipient or no reason was left. */
export const MAIL_STATES = ['waiting', 'sent', 'dead', 'dropped'] as const;
export type MailState = (typeof MAIL_STATES)[number];
