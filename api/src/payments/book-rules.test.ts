import { describe, expect, test } from 'vitest';
import { findBookMistake } from './book-rules.ts';
import type { Claims } from './payment-rules.ts';
import type { ProviderPayment } from './provider.ts';

const order = {
  id: 'order-1',
  totalCents: 113_943,
  currency: 'usd',
  refundCents: 0,
  refundState: null,
} as const;
const payment: ProviderPayment = {
  id: 'pi_1',
  clientSecret: '',
  status: 'succeeded',
  amountCents: 113_943,
  receivedCents: 113_943,
  currency: 'usd',
  orderId: 'order-1',
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
  expect(findBookMistake({ state: 'applied' }, order, payment, none)).toBeNull();
});

test.each([
  ['unknown to the provider', null, 'the provider does not know the payment'],
  ['for another order', { orderId: 'order-2' }, 'at the provider the payment is for another order'],
  ['not paid', { status: 'processing', receivedCents: 0 }, 'paid here, processing at the provider'],
  ['a cent less', { receivedCents: 113_942 }, '113943 cents are paid here, 113942 at the provider'],
  ['in another currency', { currency: 'eur' }, '113943 cents are paid here, 113943 at the provider'],
] as const)('a paid order differs from a payment that is %s', (_what, change, mistake) => {
  const changed = change && { ...payment, ...change };
  expect(findBookMistake({ state: 'applied' }, order, changed, none)).toBe(mistake);
});

describe('money that went back', () => {
  test.each([
    ['a part that both know of', 500, 'succeeded', refund(500)],
    ['all of it', 113_943, 'succeeded', refund(113_943)],
    ['a lost dispute', 113_943, 'succeeded', lost(113_943)],
    ['a dispute with its fee is no more than the total', 113_943, 'succeeded', lost(115_443)],
    ['one that is under way on both sides', 500, 'pending', refund(500, 'pending')],
    ['one that is still to be asked for', 500, 'pending', none],
    ['one that failed and is tried again', 500, 'failed', refund(500, 'failed')],
  ] as const)('agrees: %s', (_what, refundCents, refundState, claims) => {
    const written = { ...order, refundCents, refundState };
    expect(findBookMistake({ state: 'applied' }, written, payment, claims)).toBeNull();
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
  ] as const)('differs: %s', (_what, refundCents, refundState, claims, mistake) => {
    const written = { ...order, refundCents, refundState };
    expect(findBookMistake({ state: 'applied' }, written, payment, claims)).toBe(mistake);
  });
});

test('a payment that was given back here must be given back at the provider, or be on its way', () => {
  const given = { ...payment, refundedCents: 113_943 };
  expect(findBookMistake({ state: 'refunded' }, order, given, none)).toBeNull();
  expect(findBookMistake({ state: 'refunded' }, order, given, refund(113_943, 'pending'))).toBeNull();
  const mistake = 'given back here, not at the provider';
  expect(findBookMistake({ state: 'refunded' }, order, payment, none)).toBe(mistake);
  expect(findBookMistake({ state: 'refunded' }, order, given, refund(113_943, 'failed'))).toBe(mistake);
});

test('a payment that was canceled here must not be paid at the provider', () => {
  const canceled = { ...payment, status: 'canceled', receivedCents: 0 } as const;
  expect(findBookMistake({ state: 'canceled' }, order, canceled, none)).toBeNull();
  expect(findBookMistake({ state: 'canceled' }, order, payment, none)).toBe(
    'canceled here, paid at the provider',
  );
});

test.each(['open', 'missing', 'refund_due'] as const)('a payment that is %s is not judged yet', (state) => {
  expect(findBookMistake({ state }, order, { ...payment, receivedCents: 0 }, none)).toBeNull();
});
