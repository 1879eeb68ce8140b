import { describe, expect, test } from 'vitest';
import { canMove, ORDER_STATUSES, orderMoves, statusLabel } from './order-states.ts';

describe('the status of an order', () => {
  test('is due, pending or paid, in this order', () => {
    expect(ORDER_STATUSES).toEqual(['due', 'pending', 'paid']);
  });

  test('goes from due to pending to paid and never back; a due order can go altogether', () => {
    expect(orderMoves).toEqual({
      pay: { from: 'due', to: 'pending', refusal: 'already-paid' },
      accept: { from: 'pending', to: 'paid', refusal: 'not-pending' },
      cancel: { from: 'due', to: null, refusal: 'not-due' },
    });
  });

  test.each([
    ['due', true, false, true],
    ['pending', false, true, false],
    ['paid', false, false, false],
  ] as const)('%s: can be paid %s, accepted %s, cancelled %s', (status, pay, accept, cancel) => {
    expect([canMove(status, 'pay'), canMove(status, 'accept'), canMove(status, 'cancel')]).toEqual([
      pay,
      accept,
      cancel,
    ]);
  });

  test('due is displayed as unpaid, the others as they are', () => {
    expect(ORDER_STATUSES.map(statusLabel)).toEqual(['unpaid', 'pending', 'paid']);
  });
});
