import type { OrderClosing } from '@parts-forge/contract/orders/order-states';
import type { HistoryOrder } from './assets.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Null for events that have not happened. */
export interface Course {
  placedAt: Date;
  /** Null for no expiry. */
  heldUntil: Date | null;
  paidAt: Date | null;
  acceptedAt: Date | null;
  refund: { at: Date; amountCents: number; isByShop: boolean } | null;
  disputedAt: Date | null;
  closed: OrderClosing | null;
  closedAt: Date | null;
}

interface PlannedOrder {
  fate: HistoryOrder['fate'];
  daysAgo: number;
  totalCents: number;
}

/**
 * Deterministic; `index` varies the delays.
 * @param holdMs null for no expiry
 */
export function planCourse(
  { fate, daysAgo, totalCents }: PlannedOrder,
  index: number,
  now: Date,
  holdMs: number | null,
): Course {
  const placed = now.getTime() - daysAgo * DAY_MS;
  /** Null for a future moment. */
  const reach = (time: number): Date | null => (time <= now.getTime() ? new Date(time) : null);
  const course: Course = {
    placedAt: new Date(placed),
    heldUntil: holdMs === null ? null : new Date(placed + holdMs),
    paidAt: null,
    acceptedAt: null,
    refund: null,
    disputedAt: null,
    closed: null,
    closedAt: null,
  };
  if (fate === 'unpaid') return close(course, 'expired', course.heldUntil && reach(placed + (holdMs ?? 0)));
  if (fate === 'cancelled') return close(course, 'cancelled', reach(placed + 35 * MINUTE_MS));

  const paid = placed + (4 + ((index * 7) % 43)) * MINUTE_MS;
  const accepted = paid + (2 + ((index * 5) % 21)) * HOUR_MS;
  course.paidAt = reach(paid);
  if (fate === undefined || fate === 'returned') course.acceptedAt = reach(accepted);
  if (fate === 'disputed') course.disputedAt = reach(paid + 20 * HOUR_MS);
  if (fate === 'partly-refunded') {
    const at = reach(paid + 3 * HOUR_MS);
    course.refund = at && { at, amountCents: Math.round(totalCents / 10), isByShop: false };
  }
  if (fate === 'refunded' || fate === 'returned') {
    const at = reach(fate === 'refunded' ? paid + 5 * HOUR_MS : accepted + 6 * DAY_MS);
    course.refund = at && { at, amountCents: totalCents, isByShop: true };
  }
  return fate === 'refunded' ? close(course, 'refunded', course.refund?.at ?? null) : course;
}

const close = (course: Course, closed: OrderClosing, at: Date | null): Course =>
  at ? { ...course, closed, closedAt: at } : course;
