import { ORDER_STATUSES } from '@parts-forge/contract/order-states';
import { describe, expect, test } from 'vitest';
import { canSettle, isForTotal, isMoneyThere, isPayable } from './payment-rules.ts';
import type { PaymentStatus } from './provider.ts';

const order = { totalCents: 113_943, currency: 'usd', status: 'due', cancelledAt: null } as const;
const payment = { amountCents: 113_943, receivedCents: 113_943, currency: 'usd', refunded: false };

test('a payment of the whole total, received and not given back, makes a waiting order pending', () => {
  expect(canSettle(payment, order)).toBe(true);
});

describe('a payment does not make an order pending', () => {
  test.each([
    ['of which money was given back', { refunded: true }],
    ['of a cent less', { amountCents: 113_942 }],
    ['of a cent more', { amountCents: 113_944 }],
    ['of which a cent less was received', { receivedCents: 113_942 }],
    ['of which a cent more was received', { receivedCents: 113_944 }],
    ['of which nothing was received', { receivedCents: 0 }],
    ['in another currency', { currency: 'eur' }],
  ])('%s', (_what, change) => {
    expect(canSettle({ ...payment, ...change }, order)).toBe(false);
  });

  test.each([
    ['pending', { status: 'pending' }],
    ['paid', { status: 'paid' }],
    ['cancelled', { cancelledAt: new Date() }],
  ] as const)('that is %s already', (_what, change) => {
    expect(canSettle(payment, { ...order, ...change })).toBe(false);
  });
});

test('an order waits for a payment while it is due and not cancelled', () => {
  expect(ORDER_STATUSES.map((status) => isPayable({ status, cancelledAt: null }))).toEqual([
    true,
    false,
    false,
  ]);
  expect(ORDER_STATUSES.map((status) => isPayable({ status, cancelledAt: new Date() }))).toEqual([
    false,
    false,
    false,
  ]);
});

describe('a payment is for the total of an order', () => {
  test.each([
    [113_943, 'usd', true],
    [113_942, 'usd', false],
    [113_944, 'usd', false],
    [113_943, 'eur', false],
  ])('%i cents in %s: %s', (amountCents, currency, expected) => {
    expect(isForTotal({ amountCents, currency }, order)).toBe(expected);
  });
});

describe("the money of a payment is the shop's", () => {
  test('once it has succeeded, and in no other state', () => {
    const expected: Record<PaymentStatus, boolean> = {
      requires_payment_method: false,
      requires_confirmation: false,
      requires_action: false,
      processing: false,
      requires_capture: false,
      canceled: false,
      succeeded: true,
    };
    for (const [status, isThere] of Object.entries(expected) as [PaymentStatus, boolean][]) {
      expect(isMoneyThere({ status, refunded: false, disputed: false }), status).toBe(isThere);
    }
  });

  test('unless some of it was given back or a bank has called it into question', () => {
    const status = 'succeeded';
    expect(isMoneyThere({ status, refunded: true, disputed: false })).toBe(false);
    expect(isMoneyThere({ status, refunded: false, disputed: true })).toBe(false);
    expect(isMoneyThere({ status, refunded: true, disputed: true })).toBe(false);
  });
});
