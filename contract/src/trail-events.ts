/**
 * What the trail records: every act of an administrator, every move of money or stock, and what people do to their own
 * sign-in. Placing an order is no entry, as it is read off the order itself (docs/decisions/0043).
 * Nothing is imported but a list, so that a visitor's first page pays for no library that checks forms.
 */
import { ROLES } from './policies.ts';

/**
 * Who did something: a person in the role that they had then, whoever runs the shop (by a command on the machine), the
 * payment provider (by an event), the shop itself (by a job or at its start), or somebody who has not proven who they are.
 */
export const ACTOR_KINDS = [...ROLES, 'operator', 'provider', 'system', 'visitor'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** What the activity can be narrowed down to. */
export const TRAIL_TOPICS = ['payments', 'orders', 'stock', 'products', 'people'] as const;
export type TrailTopic = (typeof TRAIL_TOPICS)[number];

/** Every event that is written, and what it is about. An event stays once it is released: entries are never changed. */
export const trailEvents = {
  /** A payment has made the order pending. */
  paid: 'payments',
  /** An administrator has accepted the payment. */
  accepted: 'payments',
  /** Money of the order is given back, by the shop or at the provider; the order may end by it, and pieces return. */
  refunded: 'payments',
  /** A refund goes on its way, has succeeded or has failed. */
  'refund-changed': 'payments',
  disputed: 'payments',
  'dispute-ended': 'payments',
  /** A payment came that its order cannot take, and goes back. */
  'payment-returned': 'payments',
  /** A payment came for an order that is not there. */
  'payment-stray': 'payments',
  cancelled: 'orders',
  expired: 'orders',
  /** The stock when the trail began, by an upgrade. */
  'stock-initial': 'stock',
  /** An administrator has brought pieces in. */
  'stock-restocked': 'stock',
  /** An administrator has set the stock right. */
  'stock-corrected': 'stock',
  /** An administrator has edited a part; its stock is no part of that. */
  'product-changed': 'products',
  'product-added': 'products',
  'product-deleted': 'products',
  'role-changed': 'people',
  'user-deleted': 'people',
  /** An administrator has removed somebody's review. */
  'review-deleted': 'people',
  /** An administrator has made a link with which somebody sets a new password. */
  'reset-link-made': 'people',
  /** Somebody has set a new password and gave the old one, or whoever runs the shop has set it. */
  'password-changed': 'people',
  /** Whoever had a link for a new password has set it. */
  'password-reset': 'people',
  /** Somebody has ended one of their sessions from the list. */
  'session-ended': 'people',
  'second-factor-on': 'people',
  'second-factor-off': 'people',
  /** Somebody has made new backup codes; the ones before are void. */
  'backup-codes-made': 'people',
  /**
   * Whoever has proven the address took it from somebody who had registered it without proof: their sign-in was removed,
   * or the account was bound to another identity.
   */
  'account-taken-over': 'people',
  /** A sign-in proved the address of an account; whoever used it without proof was signed out. */
  'address-proven': 'people',
  /** The account of a removed person is still at the identity service, after hours of trying to delete it there. */
  'identity-deletion-failed': 'people',
  /** A mail to somebody could not be sent and is given up; which one is in its facts. */
  'mail-undeliverable': 'people',
} as const satisfies Record<string, TrailTopic>;
export type TrailEvent = keyof typeof trailEvents;
export const TRAIL_EVENTS = Object.keys(trailEvents) as [TrailEvent, ...TrailEvent[]];

/** What a customer is told of an order (contract, `GET /order/{id}/trail`). `ordered` is read off the order. */
export const CUSTOMER_EVENTS = [
  'ordered',
  'paid',
  'accepted',
  'refunded',
  'cancelled',
  'expired',
] as const satisfies readonly (TrailEvent | 'ordered')[];

/** Why a stock moves (contract, `GET /product/{id}/stock`). */
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
/** The kinds that an administrator chooses from. */
export const RESTOCK_REASONS = ['restock', 'correction'] as const satisfies readonly StockKind[];

/** The line that an event is in a ledger, where it moves a stock. */
export const stockKinds = {
  'stock-initial': 'initial',
  'product-added': 'initial',
  cancelled: 'cancel',
  expired: 'expiry',
  refunded: 'refund',
  'stock-restocked': 'restock',
  'stock-corrected': 'correction',
} as const satisfies Partial<Record<TrailEvent, StockKind>>;
/** An event that may move a stock. */
export type StockEvent = keyof typeof stockKinds;
