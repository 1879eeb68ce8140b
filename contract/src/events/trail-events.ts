/**
 * Acts of administrators, moves of money or stock, and changes to one's own sign-in. Placing an order is read
 * from the order itself (docs/decisions/0043).
 * Imports only a list, so that a first page loads no validation library.
 */
import { ROLES } from '../calls/policies.ts';

/** `operator`: a command. `provider`: a payment event. `system`: a job or the start. `visitor`: unproven. */
export const ACTOR_KINDS = [...ROLES, 'operator', 'provider', 'system', 'visitor'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const TRAIL_TOPICS = ['payments', 'orders', 'stock', 'products', 'people'] as const;
export type TrailTopic = (typeof TRAIL_TOPICS)[number];

/** Released events must stay: entries never change. */
export const trailEvents = {
  paid: 'payments',
  accepted: 'payments',
  /** By the shop or at the provider; the order may close, and pieces return. */
  refunded: 'payments',
  /** Progress of a refund. */
  'refund-changed': 'payments',
  /** By the customer's bank. */
  disputed: 'payments',
  'dispute-ended': 'payments',
  /** So often that the payment ended and the next has to wait. */
  'cards-declined': 'payments',
  /** The order cannot take the payment. */
  'payment-returned': 'payments',
  /** Its order is absent, as after a restore of an older backup. */
  'payment-stray': 'payments',
  cancelled: 'orders',
  expired: 'orders',
  /** The delivery address or phone. */
  'address-corrected': 'orders',
  'parcel-sent': 'orders',
  /** The parcel was entered by mistake. */
  'parcel-removed': 'orders',
  /** When an upgrade began the trail. */
  'stock-initial': 'stock',
  'stock-restocked': 'stock',
  'stock-corrected': 'stock',
  /** Another field than the stock changed. */
  'product-changed': 'products',
  'product-added': 'products',
  'product-deleted': 'products',
  /** Agreed with a customer, by hand or by file. */
  'price-agreed': 'products',
  'price-removed': 'products',
  'quote-answered': 'products',
  'quote-declined': 'products',
  'role-changed': 'people',
  /** Whether papers charge tax. */
  'tax-changed': 'people',
  'user-deleted': 'people',
  'review-deleted': 'people',
  /** An administrator created the link. */
  'reset-link-made': 'people',
  /** With the old password, or by the operator. */
  'password-changed': 'people',
  /** By a reset link. */
  'password-reset': 'people',
  'session-ended': 'people',
  'key-made': 'people',
  /** A person ended the key by hand. */
  'key-ended': 'people',
  /** Facts name id and host. */
  'webhook-made': 'people',
  /** By hand, or switched off by failures. */
  'webhook-changed': 'people',
  'webhook-ended': 'people',
  'second-factor-on': 'people',
  'second-factor-off': 'people',
  /** Earlier backup codes became void. */
  'backup-codes-made': 'people',
  /** The proven owner of the address took over an unproven account. */
  'account-taken-over': 'people',
  /** Earlier sessions were ended. */
  'address-proven': 'people',
  /** The hosted account remains after hours of retries. */
  'identity-deletion-failed': 'people',
  /** Given up; the facts name the mail. */
  'mail-undeliverable': 'people',
} as const satisfies Record<string, TrailTopic>;
export type TrailEvent = keyof typeof trailEvents;
export const TRAIL_EVENTS = Object.keys(trailEvents) as [TrailEvent, ...TrailEvent[]];

/** Visible in `GET /order/{id}/trail`; `ordered` is read from the order itself. */
export const CUSTOMER_EVENTS = [
  'ordered',
  'paid',
  'accepted',
  'address-corrected',
  'parcel-sent',
  'parcel-removed',
  'refunded',
  'cancelled',
  'expired',
] as const satisfies readonly (TrailEvent | 'ordered')[];

/** Why a line of the ledger moved the stock. */
export const STOCK_KINDS = [
  /** The part was added, or an upgrade began the ledger. Includes orders placed before it. */
  'initial',
  'order',
  'cancel',
  'expiry',
  /** Where the pieces came back. */
  'refund',
  'restock',
  /** Also by `PUT /product/{id}`. */
  'correction',
] as const;
export type StockKind = (typeof STOCK_KINDS)[number];
export const RESTOCK_REASONS = ['restock', 'correction'] as const satisfies readonly StockKind[];

/** Ledger line of each event. */
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
