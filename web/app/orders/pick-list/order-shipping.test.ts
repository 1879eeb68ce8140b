import type { Order } from '@parts-forge/contract/orders';
import { expect, test } from 'vitest';
import { anOrder } from '#app/dev/builders.ts';
import { explainHold, findCaution } from './order-shipping.ts';

const refund = (wanted: NonNullable<Order['refund']>) =>
  anOrder({ status: 'pending', totalPrice: 90, refund: wanted });

test.each([
  ['pending', 'Its money is being given back.'],
  ['succeeded', 'Its money was given back.'],
  ['failed', 'Its money is to be given back.'],
] as const)('what is refunded whole is not sent, and a %s refund is called what it is', (state, words) => {
  expect(explainHold(refund({ amount: 90, state }))).toBe(words);
  expect(findCaution(refund({ amount: 90, state }))).toBeNull();
});

test.each(['pending', 'succeeded'] as const)('of what is refunded in part, %s, the rest is sent', (state) => {
  const order = refund({ amount: 40, state });
  expect(explainHold(order)).toBeNull();
  expect(findCaution(order)?.mark).toBe('partly refunded');
});

test('a part whose refund failed changes nothing about what is sent', () => {
  const order = refund({ amount: 40, state: 'failed' });
  expect([explainHold(order), findCaution(order)]).toEqual([null, null]);
});

test('money that nobody has assigned is not the order’s, and its payment is to be checked', () => {
  const order = refund({ amount: 120, state: 'succeeded', unassigned: 120 });
  expect(explainHold(order)).toBeNull();
  expect(findCaution(order)?.mark).toBe('check its payment');
});

test('beside unassigned money the order’s own part counts', () => {
  const order = refund({ amount: 70.1, state: 'succeeded', unassigned: 50 });
  expect(explainHold(order)).toBeNull();
  expect(findCaution(order)?.mark).toBe('partly refunded');
});

test('what is disputed or not paid for is not sent', () => {
  expect(explainHold(anOrder({ status: 'pending', disputed: true }))).toMatch(/disputes/);
  expect(explainHold(anOrder({ status: 'due' }))).toBe('It is not paid for.');
});
