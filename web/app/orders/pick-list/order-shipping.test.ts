import { countToSend, describeBox } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';
import { expect, test } from 'vitest';
import { anOrder } from '#test/builders.ts';
import { explainHold, findCaution } from './order-shipping.ts';

const refund = (wanted: NonNullable<Order['refund']>) =>
  anOrder({ status: 'pending', totalPrice: 90, refund: wanted });

test.each([
  ['pending', 'It is being refunded.'],
  ['succeeded', 'It was refunded.'],
  ['failed', 'Its refund is due.'],
] as const)('a full refund stops the order and reads as %s', (state, words) => {
  expect(explainHold(refund({ amount: 90, state }))).toBe(words);
  expect(findCaution(refund({ amount: 90, state }))).toBeNull();
});

test.each(['pending', 'succeeded', 'failed'] as const)(
  'the rest of a partly refunded order, %s, is sent',
  (state) => {
    const order = refund({ amount: 40, state });
    expect(explainHold(order)).toBeNull();
    expect(findCaution(order)?.mark).toBe('partly refunded');
  },
);

test('refunded pieces are left out, or checked after a part was sent', () => {
  const order = refund({ amount: 40, state: 'succeeded', quantity: 20, back: 20 });
  expect(countToSend(order)).toBe(order.quantity - 20);
  expect(countToSend({ ...order, status: 'paid', sent: 90 })).toBe(order.quantity - 110);
  expect(countToSend({ ...order, disputed: true })).toBe(0);
  expect(describeBox({ ...order, sent: 90 })).toBe(
    '10 of 120 pieces are to be sent: 20 went back, 90 are in parcels',
  );
  expect(findCaution(order)).toEqual({
    mark: '20 refunded',
    advice: '20 pieces of this order were refunded and left out.',
  });
  const one = refund({ amount: 2, state: 'succeeded', quantity: 1, unsure: 1 });
  expect(findCaution({ ...one, status: 'paid' })?.advice).toBe(
    'One piece of this order was refunded after a part was sent: check what goes into the box.',
  );
});

test('a failed refund at the provider changes nothing about shipping', () => {
  const order = refund({ amount: 40, state: 'failed', unassigned: 40 });
  expect([explainHold(order), findCaution(order)]).toEqual([null, null]);
});

test('an unassigned refund lets the order ship with a payment check', () => {
  const order = refund({ amount: 120, state: 'succeeded', unassigned: 120 });
  expect(explainHold(order)).toBeNull();
  expect(findCaution(order)?.mark).toBe('check its payment');
});

test("the order's own refund counts beside an unassigned one", () => {
  const order = refund({ amount: 70.1, state: 'succeeded', unassigned: 50 });
  expect(explainHold(order)).toBeNull();
  expect(findCaution(order)?.mark).toBe('partly refunded');
});

test('a disputed or unpaid order is not sent', () => {
  expect(explainHold(anOrder({ status: 'pending', disputed: true }))).toMatch(/disputes/);
  expect(explainHold(anOrder({ status: 'pending', disputed: true, inquiry: true }))).toMatch(/asks about/);
  expect(explainHold(anOrder({ status: 'due' }))).toBe('It is not paid for.');
  const back = anOrder({ status: 'pending', closed: 'refunded', returned: 90 });
  expect(explainHold(back)).toBe('It was refunded.');
});
