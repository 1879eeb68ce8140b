import { describe, expect, test } from 'vitest';
import { refusals, takes } from '../../test/schema.ts';
import { activityQuerySchema } from './trail.ts';
import { CUSTOMER_EVENTS, STOCK_KINDS, stockKinds, TRAIL_EVENTS } from './trail-events.ts';

describe('the period of the activity', () => {
  test.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00.123Z', '2026-11-21T09:30:00.123Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as %s and accepts that again', (given, moment) => {
    expect(activityQuerySchema.parse({ from: given, to: given })).toEqual({ from: moment, to: moment });
    expect(activityQuerySchema.parse({ from: moment })).toEqual({ from: moment });
  });

  test.each([
    '',
    'yesterday',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '0000-01-01',
    '0000-01-01T00:00:00Z',
  ])('refuses %j', (from) => {
    expect(refusals(activityQuerySchema, { from })).toEqual({
      from: 'Must be a date, or a date and time with Z or an offset, such as 2026-11-21T09:30:00Z',
    });
  });

  test.each(['2026-11-21T09:30:00', '12026-11-21'])('needs an offset: %j', (to) => {
    expect(takes(activityQuerySchema, { to })).toBe(false);
  });
});

test("the filter who accepts a user's id in any case", () => {
  const id = '019a0b1c-2d3e-7f45-8a67-89abcdef0123';
  expect(activityQuerySchema.parse({ who: id.toUpperCase() })).toEqual({ who: id });
  expect(refusals(activityQuerySchema, { who: 'Ada' })).toEqual({ who: 'Must be the id of a user' });
});

test('the filter what accepts an event or a topic', () => {
  expect(takes(activityQuerySchema, { what: 'payments' })).toBe(true);
  expect(takes(activityQuerySchema, { what: 'role-changed' })).toBe(true);
  expect(refusals(activityQuerySchema, { what: 'ordered' })).toEqual({
    what: 'Must be an event or one of payments, orders, stock, products, people',
  });
});

test('the events for customers are those of the contract', () => {
  expect(CUSTOMER_EVENTS).toEqual([
    ...['ordered', 'paid', 'accepted', 'address-corrected', 'parcel-sent', 'parcel-removed'],
    ...['refunded', 'cancelled', 'expired'],
  ]);
  const written: readonly string[] = TRAIL_EVENTS;
  expect(CUSTOMER_EVENTS.filter((event) => !written.includes(event))).toEqual(['ordered']);
});

test('a ledger has the kinds of the contract', () => {
  expect(STOCK_KINDS).toEqual(['initial', 'order', 'cancel', 'expiry', 'refund', 'restock', 'correction']);
  expect(stockKinds).toEqual({
    'stock-initial': 'initial',
    'product-added': 'initial',
    cancelled: 'cancel',
    expired: 'expiry',
    refunded: 'refund',
    'stock-restocked': 'restock',
    'stock-corrected': 'correction',
  });
});
