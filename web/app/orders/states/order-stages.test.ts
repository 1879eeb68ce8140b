import type { OrderEvent } from '@parts-forge/contract/events/trail';
import type { Order } from '@parts-forge/contract/orders/orders';
import { expect, test } from 'vitest';
import { anOrder } from '#test/builders.ts';
import { listStages as listStagesOf } from './order-stages.ts';

const at = (minute: number) => `2026-11-21T14:${String(minute).padStart(2, '0')}:00.000Z`;
const event = (
  name: OrderEvent['event'],
  minute: number,
  kind: OrderEvent['by']['kind'] = 'user',
): OrderEvent => ({
  at: at(minute),
  event: name,
  by: { kind },
});
const ordered = event('ordered', 0);
const paid = event('paid', 6);
const listStages = (order: Order, trail: readonly OrderEvent[] | null) =>
  listStagesOf(order, trail, 'Parts Forge');
const shown = (stages: ReturnType<typeof listStages>) =>
  stages.map(({ name, state, note }) => [name, state, note]);

test.each([
  ['due', [ordered], ['now', 'open', 'open'], 'after payment'],
  ['pending', [paid, ordered], ['done', 'now', 'open'], 'being confirmed'],
  ['paid', [event('accepted', 40, 'admin'), paid, ordered], ['done', 'done', 'done'], undefined],
] as const)('an order that is %s has its stages done, now or open', (status, trail, states, note) => {
  const stages = listStages(anOrder({ status }), trail);
  expect(shown(stages)).toEqual([
    ['Ordered', states[0], undefined],
    ['Paid', states[1], undefined],
    ['Accepted and shipped', states[2], note],
  ]);
  expect(stages[0]?.at).toBe(at(0));
});

test('a trail newer than its order repeats no stage', () => {
  const names = listStages(anOrder(), [paid, ordered]).map(({ name }) => name);
  expect(names).toEqual(['Ordered', 'Paid', 'Accepted and shipped']);
});

test('a disputed order waits for the dispute, before and after shipping', () => {
  const disputed = event('disputed', 50, 'provider');
  const waiting = listStages(anOrder({ status: 'pending', disputed: true }), [disputed, paid, ordered]);
  expect(shown(waiting)).toEqual([
    ['Ordered', 'done', undefined],
    ['Paid', 'done', undefined],
    ['Disputed', 'now', undefined],
    ['Accepted and shipped', 'open', 'being confirmed'],
  ]);
  expect(waiting[2]?.at).toBe(at(50));
  const shipped = listStages(anOrder({ status: 'paid', disputed: true }), null);
  expect(shipped.map(({ name, state }) => [name, state])).toEqual([
    ['Ordered', 'done'],
    ['Paid', 'done'],
    ['Accepted and shipped', 'done'],
    ['Disputed', 'now'],
  ]);
});

test.each([
  ['cancelled', 'user', 'Cancelled'],
  ['cancelled', 'admin', 'Cancelled by Parts Forge'],
  ['expired', 'system', 'Expired'],
] as const)('an order that was %s by %s ends there', (closed, kind, name) => {
  const stages = listStages(anOrder({ closed }), [event(closed, 30, kind), ordered]);
  expect(shown(stages)).toEqual([
    ['Ordered', 'done', undefined],
    [name, 'done', undefined],
  ]);
});

test('a refunded order ends with the refund, before or after shipping', () => {
  const refunded = event('refunded', 50, 'admin');
  const early = listStages(anOrder({ status: 'pending', closed: 'refunded' }), [refunded, paid, ordered]);
  expect(early.map(({ name }) => name)).toEqual(['Ordered', 'Paid', 'Refunded']);
  const late = listStages(anOrder({ status: 'paid' }), [refunded, event('accepted', 40), paid, ordered]);
  expect(late.map(({ name }) => name)).toEqual(['Ordered', 'Paid', 'Accepted and shipped', 'Refunded']);
});

test('an order without a trail has its stages, without times', () => {
  const order = anOrder({ status: 'paid' });
  expect(listStages(order, null)).toEqual([
    { name: 'Ordered', state: 'done', at: order.createdAt },
    { name: 'Paid', state: 'done' },
    { name: 'Accepted and shipped', state: 'done' },
  ]);
  const closed = anOrder({ closed: 'cancelled' });
  expect(listStages(closed, null)).toEqual([
    { name: 'Ordered', state: 'done', at: closed.createdAt },
    { name: 'Cancelled', state: 'done' },
  ]);
});

test('a parcel is a stage behind the acceptance', () => {
  const shipments = [{ _id: 'p1', carrier: 'DHL', number: '0034', sentAt: at(50) }];
  const stages = listStages(anOrder({ status: 'paid', shipments }), null);
  expect(shown(stages).slice(2)).toEqual([
    ['Accepted and shipped', 'done', undefined],
    ['Sent', 'done', 'DHL'],
  ]);
});
