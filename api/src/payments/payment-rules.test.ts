import { ORDER_STATUSES } from '@parts-forge/contract/orders/order-states';
import { describe, expect, test } from 'vitest';
import { canSettle, isForTotal, isFullyRefunded, isPayable } from './payment-rules.ts';

const order = { totalCents: 113_943, currency: 'usd', status: 'due', closedAt: null } as const;
const payment = { amountCents: 113_943, receivedCents: 113_943, currency: 'usd', refundedCents: 0 };

test('a fully received payment settles a waiting order', () => {
  expect(canSettle(payment, order, [order])).toBe(true);
});

test('a partly refunded payment settles it, too', () => {
  expect(canSettle({ ...payment, refundedCents: 113_942 }, order, [order])).toBe(true);
});

describe('canSettle', () => {
  test.each([
    ['that was all given back', { refundedCents: 113_943 }],
    ['of a cent less', { amountCents: 113_942 }],
    ['of a cent more', { amountCents: 113_944 }],
    ['of which a cent less was received', { receivedCents: 113_942 }],
    ['of which a cent more was received', { receivedCents: 113_944 }],
    ['of which nothing was received', { receivedCents: 0 }],
    ['in another currency', { currency: 'eur' }],
  ])('a payment %s does not make an order pending', (_what, change) => {
    expect(canSettle({ ...payment, ...change }, order, [order])).toBe(false);
  });

  test.each([
    ['pending', { status: 'pending' }],
    ['paid', { status: 'paid' }],
    ['closed', { closedAt: new Date() }],
  ] as const)('an order that is %s already is not payable', (_what, change) => {
    const changed = { ...order, ...change };
    expect(canSettle(payment, changed, [changed])).toBe(false);
  });
});

test('an order is payable while it is due and open', () => {
  expect(ORDER_STATUSES.map((status) => isPayable({ status, closedAt: null }))).toEqual([true, false, false]);
  expect(ORDER_STATUSES.map((status) => isPayable({ status, closedAt: new Date() }))).toEqual([
    false,
    false,
    false,
  ]);
});

describe('isForTotal', () => {
  test.each([
    [113_943, 'usd', true],
    [113_942, 'usd', false],
    [113_944, 'usd', false],
    [113_943, 'eur', false],
  ])('compares amount and currency: %i cents in %s: %s', (amountCents, currency, expected) => {
    expect(isForTotal({ amountCents, currency }, [order])).toBe(expected);
  });

  test("requires the payment's currency of all orders", () => {
    const both = { amountCents: 227_886, currency: 'usd' };
    expect(isForTotal(both, [order, order])).toBe(true);
    expect(isForTotal(both, [order, { ...order, currency: 'eur' }])).toBe(false);
  });
});

test.each([
  [100, 100, true],
  [100, 101, true],
  [100, 99, false],
  [100, 0, false],
  [0, 0, false],
])('received %i cents, refunded %i: everything is refunded is %s', (receivedCents, refundedCents, is) => {
  expect(isFullyRefunded({ receivedCents, refundedCents })).toBe(is);
});

test('orders in different currencies never match a payment', () => {
  const orders = ['usd', 'eur'].map((currency) => ({ totalCents: 250, currency }));
  for (const currency of ['usd', 'eur']) {
    expect(isForTotal({ amountCents: 500, currency }, orders)).toBe(false);
  }
});

describe('a payment of several orders', () => {
  const orders = [
    { ...order, totalCents: 300 },
    { ...order, totalCents: 200, closedAt: new Date() },
  ] as const;
  const together = { ...payment, amountCents: 500, receivedCents: 500 };

  test('pays the waiting orders if it is for all of them', () => {
    expect(orders.map((each) => canSettle(together, each, orders))).toEqual([true, false]);
    expect(canSettle(together, orders[0], [orders[0]])).toBe(false);
    expect(canSettle({ ...together, refundedCents: 200 }, orders[0], orders)).toBe(true);
    expect(canSettle({ ...together, refundedCents: 500 }, orders[0], orders)).toBe(false);
  });
});
