/**
 * What the shop mails. Nothing is imported, so that a page that only names them pays for no library that checks forms.
 */

/** Every kind of mail. A kind stays once it is released: mails of it are in the outboxes of shops in use. */
export const MAIL_KINDS = [
  /** To a customer: prove that the address is yours. */
  'address-verification',
  /** To a customer who asked for it: a link for a new password. */
  'password-reset',
  'order-placed',
  'payment-received',
  'order-accepted',
  /** Money of an order is on its way back. */
  'order-refunded',
  /** To a customer whose unpaid order was cancelled by the shop. */
  'order-cancelled',
  /** An unpaid order expires within a day. */
  'order-expiring',
  /** To each administrator: a part has less than its minimum order left. */
  'low-stock',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** A mail waits to be sent, was sent, could not be sent, or had nobody or nothing left to be sent about. */
export const MAIL_STATES = ['waiting', 'sent', 'dead', 'dropped'] as const;
export type MailState = (typeof MAIL_STATES)[number];
