import type { OrderEvent } from '@parts-forge/contract/trail';
import { describe, expect, test } from 'vitest';
import { anOrder } from '#app/dev/builders.ts';
import { formatSpan, listStages } from './order-stages.ts';

const event = (name: OrderEvent['event'], at: string): OrderEvent => ({
  event: name,
  at,
  by: { kind: 'system' },
});
const trail = [event('accepted', '2026-11-21T10:00:00Z'), event('paid', '2026-11-20T10:09:00Z')];
const names = (order: Parameters<typeof anOrder>[0]) =>
  listStages(anOrder(order), trail).map(({ name, state, at }) => [name, state, at !== undefined]);

describe('the stages of an order', () => {
  test('lead from ordered over paid to accepted and shipped', () => {
    expect(names({ status: 'due' })).toEqual([
      ['Ordered', 'now', true],
      ['Paid', 'open', false],
      ['Accepted and shipped', 'open', false],
    ]);
    expect(names({ status: 'pending' })).toEqual([
      ['Ordered', 'done', true],
      ['Paid', 'now', true],
      ['Accepted and shipped', 'open', false],
    ]);
    expect(names({ status: 'paid' })).toEqual([
      ['Ordered', 'done', true],
      ['Paid', 'done', true],
      ['Accepted and shipped', 'now', true],
    ]);
  });

  test('end where the order ended', () => {
    expect(names({ status: 'due', closed: 'expired' })).toEqual([
      ['Ordered', 'done', true],
      ['Expired', 'now', false],
    ]);
    expect(names({ status: 'pending', closed: 'refunded' })).toEqual([
      ['Ordered', 'done', true],
      ['Paid', 'done', true],
      ['Refunded', 'now', false],
    ]);
  });
});

test.each([
  [59_000, '0 min'],
  [7 * 60_000, '7 min'],
  [5 * 3_600_000, '5 h'],
  [27 * 3_600_000, '1 day 3 h'],
  [48 * 3_600_000, '2 days'],
])('%d ms are %s', (ms, text) => {
  expect(formatSpan(1000, 1000 + ms)).toBe(text);
});
