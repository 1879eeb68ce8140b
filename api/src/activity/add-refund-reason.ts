import type { RefundReason } from '#src/payments/refunds/refund-store.ts';
import type { TrailEntry } from '#src/trail/store.ts';

/**
 * What an entry says is after it, with the reason of its refund where one was given. The trail has no free texts; the
 * refund and the entry about it were written in one transaction, at one moment.
 */
export function addRefundReason(
  { event, orderId, createdAt, after }: Pick<TrailEntry, 'event' | 'orderId' | 'createdAt' | 'after'>,
  reasons: readonly RefundReason[],
): TrailEntry['after'] {
  if (event !== 'refunded') return after;
  const given = reasons.find((each) => each.orderId === orderId && each.at.getTime() === createdAt.getTime());
  return given ? { ...after, reason: given.reason } : after;
}
