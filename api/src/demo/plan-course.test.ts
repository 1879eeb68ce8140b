import { expect, test } from 'vitest';
import { planCourse } from './plan-course.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const HELD_MS = 72 * HOUR_MS;
const plan = (
  fate: Parameters<typeof planCourse>[0]['fate'],
  daysAgo: number,
  holdMs: number | null = HELD_MS,
) => planCourse({ fate, daysAgo, totalCents: 100_000 }, 0, NOW, holdMs);

test('an order is paid within an hour and accepted within a day', () => {
  expect(plan(undefined, 10)).toMatchObject({
    placedAt: new Date('2026-05-22T12:00:00Z'),
    paidAt: new Date('2026-05-22T12:04:00Z'),
    acceptedAt: new Date('2026-05-22T14:04:00Z'),
    closed: null,
  });
  expect(plan(undefined, 1 / 24)).toMatchObject({
    paidAt: new Date('2026-06-01T11:04:00Z'),
    acceptedAt: null,
  });
  expect(plan(undefined, 0.001)).toMatchObject({ paidAt: null, acceptedAt: null });
});

test('an unpaid order expires after its holding time', () => {
  expect(plan('unpaid', 2)).toMatchObject({ closed: null, heldUntil: new Date('2026-06-02T12:00:00Z') });
  expect(plan('unpaid', 4)).toMatchObject({ closed: 'expired', closedAt: new Date('2026-05-31T12:00:00Z') });
  expect(plan('unpaid', 40, null)).toMatchObject({ closed: null, heldUntil: null });
});

test('a refund closes an order only before shipping', () => {
  expect(plan('refunded', 3)).toMatchObject({
    acceptedAt: null,
    closed: 'refunded',
    refund: { amountCents: 100_000 },
  });
  expect(plan('returned', 30)).toMatchObject({
    closed: null,
    refund: { amountCents: 100_000, isByShop: true },
  });
  expect(plan('partly-refunded', 3)).toMatchObject({
    closed: null,
    refund: { amountCents: 10_000, isByShop: false },
  });
});
