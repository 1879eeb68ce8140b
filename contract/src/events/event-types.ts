import type { TrailEvent } from './trail-events.ts';

/** The event that each entry of the trail becomes. `order.placed` and `stock.low` have no entry. */
export const eventOfEntry = {
  paid: 'order.paid',
  accepted: 'order.accepted',
  'parcel-sent': 'order.shipped',
  cancelled: 'order.cancelled',
  expired: 'order.expired',
  refunded: 'order.refunded',
  disputed: 'order.disputed',
  'product-added': 'part.created',
  'product-changed': 'part.changed',
  'product-deleted': 'part.deleted',
  'stock-restocked': 'stock.changed',
  'stock-corrected': 'stock.changed',
} as const satisfies Partial<Record<TrailEvent, string>>;

/** Released types must stay: receivers switch on them. */
export const EVENT_TYPES = ['order.placed', ...new Set(Object.values(eventOfEntry)), 'stock.low'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
