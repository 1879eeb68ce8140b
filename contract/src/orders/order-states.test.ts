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

  test('moves forward only, and stays when the order closes', () => {
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
  ] as const)('%s allows the moves %j, and its refund is %s', (status, expected, refundMove) => {
    expect(moves.filter((move) => canMove(status, move))).toEqual(expected);
    expect(findRefundMove(status)).toBe(refundMove);
  });

  test('closings and refund states are these', () => {
    expect(ORDER_CLOSINGS).toEqual(['cancelled', 'expired', 'refunded']);
    expect(REFUND_STATES).toEqual(['pending', 'succeeded', 'failed']);
  });

  test('shows due as unpaid', () => {
    expect(ORDER_STATUSES.map(statusLabel)).toEqual(['unpaid', 'pending', 'paid']);
  });
});
