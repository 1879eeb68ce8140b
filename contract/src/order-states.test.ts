import { describe, expect, test } from 'vitest';
import {
  canMove,
  findRefundMove,
  ORDER_CLOSINGS,
  ORDER_STATUSES,
  orderMoves,
  REFUND_STATES,
  statusLabel,
} from './order-states.ts';

describe('the status of an order', () => {
  test('is due, pending or paid, in this order', () => {
    expect(ORDER_STATUSES).toEqual(['due', 'pending', 'paid']);
  });

  test('goes from due to pending to paid and never back; it stays when the order ends or is refunded', () => {
    expect(orderMoves).toEqual({
      pay: { from: 'due', to: 'pending', refusal: 'already-paid' },
      accept: { from: 'pending', to: 'paid', refusal: 'not-pending' },
      cancel: { from: 'due', to: 'due', closes: 'cancelled', refusal: 'not-due' },
      expire: { from: 'due', to: 'due', closes: 'expired', refusal: 'not-due' },
      refund: { from: 'pending', to: 'pending', closes: 'refunded', refusal: 'not-refundable' },
      refundShipped: { from: 'paid', to: 'paid', refusal: 'not-refundable' },
    });
  });

  const moves = ['pay', 'accept', 'cancel', 'expire', 'refund', 'refundShipped'] as const;
  test.each([
    ['due', ['pay', 'cancel', 'expire'], null],
    ['pending', ['accept', 'refund'], 'refund'],
    ['paid', ['refundShipped'], 'refundShipped'],
  ] as const)('%s: its moves are %j, and its money goes back by %s', (status, expected, refundMove) => {
    expect(moves.filter((move) => canMove(status, move))).toEqual(expected);
    expect(findRefundMove(status)).toBe(refundMove);
  });

  test('an order ends as cancelled, expired or refunded, its money goes back in these states', () => {
    expect(ORDER_CLOSINGS).toEqual(['cancelled', 'expired', 'refunded']);
    expect(REFUND_STATES).toEqual(['pending', 'succeeded', 'failed']);
  });

  test('due is displayed as unpaid, the others as they are', () => {
    expect(ORDER_STATUSES.map(statusLabel)).toEqual(['unpaid', 'pending', 'paid']);
  });
});
