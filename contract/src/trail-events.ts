/**
 * Events of the audit trail: acts of administrators, moves of money or stock, and changes to one's own
 * sign-in. Placing an order is no entry: the order itself tells it (docs/decisions/0043).
 * Imports only a list, so that a first page loads no validation library.
 */
import { ROLES } from './policies.ts';

/**
 * `operator`: a command on the machine. `provider`: a payment event. `system`: a job or the start. `visitor`:
 * an unproven person.
 */
export const ACTOR_KINDS = [...ROLES, 'operator', 'provider', 'system', 'visitor'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Filters of the activity. */
export const TRAIL_TOPICS = ['payments', 'orders', 'stock', 'products', 'people'] as const;
export type TrailTopic = (typeof TRAIL_TOPICS)[number];

/** Every event with its topic. Released events must stay: entries never change. */
export const trailEvents = {
  paid: 'payments',
  accepted: 'payments',
  /** Refunded by the shop or at the provider; the order may close, and pieces return to stock. */
  refunded: 'payments',
  /** A refund has started, succeeded or failed. */
  'refund-changed': 'payments',
  disputed: 'payments',
  'dispute-ended': 'payments',
  /** Returned, because the order cannot take the payment. */
  'payment-returned': 'payments',
  /** A payment for an unknown order. */
  'payment-stray': 'payments',
  cancelled: 'orders',
  expired: 'orders',
  /** Stock when the trail began, by an upgrade. */
  'stock-initial': 'stock',
  'stock-restocked': 'stock',
  'stock-corrected': 'stock',
  /** An edit of a part; never its stock. */
  'product-changed': 'products',
  'product-added': 'products',
  'product-deleted': 'products',
  'role-changed': 'people',
  'user-deleted': 'people',
  /** By an administrator. */
  'review-deleted': 'people',
  /** By an administrator, for somebody's new password. */
  'reset-link-made': 'people',
  /** With the old password, or by the operator. */
  'password-changed': 'people',
  /** By a reset link. */
  'password-reset': 'people',
  /** A session ended from the list of sessions. */
  'session-ended': 'people',
  'second-factor-on': 'people',
  'second-factor-off': 'people',
  /** Earlier backup codes became void. */
  'backup-codes-made': 'people',
  /**
   * The proven owner of the address took over an unproven account: its sign-in was removed, or it was bound
   * to another identity.
   */
  'account-taken-over': 'people',
  /** A sign-in verified the address; sessions from before were ended. */
  'address-proven': 'people',
  /** The identity service still has a deleted person's account after hours of retries. */
  'identity-deletion-failed': 'people',
  /** Given up; the facts name the mail. */
  'mail-undeliverable': 'people',
} as const satisfies Record<string, TrailTopic>;
export type TrailEvent = keyof typeof trailEvents;
export const TRAIL_EVENTS = Object.keys(trailEvents) as [TrailEvent, ...TrailEvent[]];

/** Events shown to customers (contract, `GET /order/{id}/trail`). `ordered` is read from the order itself. */
export const CUSTOMER_EVENTS = [
  'ordered',
  'paid',
  'accepted',
  'refunded',
  'cancelled',
  'expired',
] as const satisfies readonly (TrailEvent | 'ordered')[];

/** Reasons for a move of stock (contract, `GET /product/{id}/stock`). */
export const STOCK_KINDS = [
  'initial',
  'order',
  'cancel',
  'expiry',
  'refund',
  'restock',
  'correction',
] as const;
export type StockKind = (typeof STOCK_KINDS)[number];
export const RESTOCK_REASONS = ['restock', 'correction'] as const satisfies readonly StockKind[];

/** Ledger line of each event that moves stock. */
export const stockKinds = {
  'stock-initial': 'initial',
  'product-added': 'initial',
  cancelled: 'cancel',
  expired: 'expiry',
  refunded: 'refund',
  'stock-restocked': 'restock',
  'stock-corrected': 'correction',
} as const satisfies Partial<Record<TrailEvent, StockKind>>;
export type StockEvent = keyof typeof stockKinds;
