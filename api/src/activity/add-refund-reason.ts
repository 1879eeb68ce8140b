import type { RefundReason } from '#src/payments/refunds/refund-store.ts';
import type { TrailEntry } from '#src/trail/store.ts';

/**
 * Adds the refund's reason to an entry's `after`. The trail holds no free text; refund and entry have the
 * same time, as one transaction writes them.
 */
export function addRefundReason(
  { event, orderId, createdAt, after }: Pick<TrailEntry, 'event' | 'orderId' | 'createdAt' | 'after'>,
  reasons: readonly RefundReason[],
): TrailEntry['after'] {
  if (event !== 'refunded') return after;
  const given = reasons.find((each) => each.orderId === orderId && each.at.getTime() === createdAt.getTime());
  return given ? { ...after, reason: given.reason } : after;
}
