import { describe, expect, test } from 'vitest';
import type { ProviderPayment } from '#src/payments/provider/provider.ts';
import type { Claims } from '#src/payments/refunds/refund-rules.ts';
import { type BookedPayment, findBookMistake } from './consistency-rules.ts';

const order = {
  id: 'order-1',
  totalCents: 113_943,
  currency: 'usd',
  refundCents: 0,
  unassignedCents: 0,
  refundState: null,
} as const;
type BookedOrder = BookedPayment['orders'][number];

/** A payment of one order in this state. */
const booked = (
  state: BookedPayment['shares'][number]['state'],
  written: BookedOrder = order,
): BookedPayment => ({
  shares: [{ orderId: written.id, state, amountCents: written.totalCents }],
  orders: [written],
  refunds: [],
});
const payment: ProviderPayment = {
  id: 'pi_1',
  clientSecret: '',
  status: 'succeeded',
  amountCents: 113_943,
  receivedCents: 113_943,
  currency: 'usd',
  orderIds: ['order-1'],
  shop: 'shop-1',
  refundedCents: 0,
  disputed: false,
  card: null,
};
const none: Claims = { refunds: [], disputes: [] };
const refund = (amountCents: number, state: 'pending' | 'succeeded' | 'failed' = 'succeeded') => ({
  refunds: [{ id: 're_1', amountCents, state, refundId: null }],
  disputes: [],
});
const lost = (amountCents: number): Claims => ({
  refunds: [],
  disputes: [{ id: 'dp_1', amountCents, state: 'lost' }],
});

test('a payment of the whole total agrees with its paid order', () => {
  expect(findBookMistake(booked('applied'), payment, none)).toBeNull();
});

test.each([
  ['unknown to the provider', null, 'the provider does not know the payment'],
  ['for another order', { orderIds: ['order-2'] }, 'at the provider the payment is for another order'],
  ['not paid', { status: 'processing', receivedCents: 0 }, 'paid here, processing at the provider'],
  ['a cent less', { receivedCents: 113_942 }, '113943 cents are paid here, 113942 at the provider'],
  ['in another currency', { currency: 'eur' }, '113943 cents are paid here, 113943 at the provider'],
] as const)('a paid order differs from a payment that is %s', (_what, change, mistake) => {
  const changed = change && { ...payment, ...change };
  expect(findBookMistake(booked('applied'), changed, none)).toBe(mistake);
});

describe('refunded money', () => {
  test.each([
    ['a part that both know of', 500, 'succeeded', refund(500)],
    ['all of it', 113_943, 'succeeded', refund(113_943)],
    ['a lost dispute', 113_943, 'succeeded', lost(113_943)],
    ['a dispute with its fee is no more than the total', 113_943, 'succeeded', lost(115_443)],
    ['one that is under way on both sides', 500, 'pending', refund(500, 'pending')],
    ['one that is still to be asked for', 500, 'pending', none],
    ['one that failed and is tried again', 500, 'failed', refund(500, 'failed')],
  ] as const)('the two sides agree: %s', (_what, refundCents, refundState, claims) => {
    const written = { ...order, refundCents, refundState };
    expect(findBookMistake(booked('applied', written), payment, claims)).toBeNull();
  });

  test.each([
    ['nothing here', 0, null, refund(500), '0 cents went back here, 500 at the provider'],
    ['more here', 501, 'succeeded', refund(500), '501 cents went back here, 500 at the provider'],
    [
      'done here, failed there',
      500,
      'succeeded',
      refund(500, 'failed'),
      '500 cents went back here, 0 at the provider',
    ],
    [
      'more there than is under way here',
      500,
      'pending',
      refund(501),
      '500 cents went back here, 501 at the provider',
    ],
  ] as const)('the two sides differ: %s', (_what, refundCents, refundState, claims, mistake) => {
    const written = { ...order, refundCents, refundState };
    expect(findBookMistake(booked('applied', written), payment, claims)).toBe(mistake);
  });
});

test('a refunded payment must be refunded or pending at the provider', () => {
  const given = { ...payment, refundedCents: 113_943 };
  expect(findBookMistake(booked('refunded'), given, none)).toBeNull();
  expect(findBookMistake(booked('refunded'), given, refund(113_943, 'pending'))).toBeNull();
  const mistake = 'refunded here, not at the provider';
  expect(findBookMistake(booked('refunded'), payment, none)).toBe(mistake);
  expect(findBookMistake(booked('refunded'), given, refund(113_943, 'failed'))).toBe(mistake);
});

test('a payment canceled here must not be paid at the provider', () => {
  const canceled = { ...payment, status: 'canceled', receivedCents: 0 } as const;
  expect(findBookMistake(booked('canceled'), canceled, none)).toBeNull();
  expect(findBookMistake(booked('canceled'), payment, none)).toBe('canceled here, paid at the provider');
});

test.each(['open', 'missing', 'refund_due'] as const)('a payment in state %s is not compared', (state) => {
  expect(findBookMistake(booked(state), { ...payment, receivedCents: 0 }, none)).toBeNull();
});

describe('a payment of several orders', () => {
  const second = { ...order, id: 'order-2', totalCents: 50_000 };
  const together = {
    ...payment,
    amountCents: 163_943,
    receivedCents: 163_943,
    orderIds: ['order-1', 'order-2'],
  };
  const shares = (first: 'applied' | 'refunded') => [
    { orderId: 'order-1', state: first, amountCents: 113_943 },
    { orderId: 'order-2', state: 'applied' as const, amountCents: 50_000 },
  ];
  const both = (first: Partial<BookedOrder> = {}, other: Partial<BookedOrder> = {}): BookedPayment => ({
    shares: shares('applied'),
    orders: [
      { ...order, ...first },
      { ...second, ...other },
    ],
    refunds: [],
  });

  test('equals the sum of the totals and names no other orders', () => {
    expect(findBookMistake(both(), together, none)).toBeNull();
    expect(findBookMistake(both(), { ...together, receivedCents: 113_943 }, none)).toBe(
      '163943 cents are paid here, 113943 at the provider',
    );
    expect(findBookMistake(both(), { ...together, orderIds: ['order-2'] }, none)).toBe(
      'at the provider the payment is for another order',
    );
  });

  test("agrees if the refunds sum to the orders' refunds", () => {
    const given = { refundCents: 50_000, refundState: 'succeeded' } as const;
    expect(findBookMistake(both({}, given), together, refund(50_000))).toBeNull();
    expect(findBookMistake(both({}, given), together, refund(49_999))).toBe(
      '50000 cents went back here, 49999 at the provider',
    );
  });

  test('counts unassigned money once for all orders', () => {
    const nobodys = { unassignedCents: 700, refundState: 'succeeded' } as const;
    expect(findBookMistake(both(nobodys, nobodys), together, refund(700))).toBeNull();
    expect(findBookMistake(both(nobodys, nobodys), together, refund(1400))).toBe(
      '700 cents went back here, 1400 at the provider',
    );
  });

  test('counts the refunded share of an order that could not take it', () => {
    const refunds = [{ orderId: 'order-1', state: 'succeeded', amountCents: 113_943 }] as const;
    const partly = { ...both(), shares: shares('refunded'), refunds };
    expect(findBookMistake(partly, together, refund(113_943))).toBeNull();
    expect(findBookMistake(partly, together, none)).toBe('113943 cents went back here, 0 at the provider');
  });
});
