import { expect, test } from 'vitest';
import { groupByDay } from './group-by-day.ts';

test('rows are grouped by day, with the year if it differs', () => {
  const rows = [
    '2026-11-21T14:31:00Z',
    '2026-11-21T09:30:00Z',
    '2026-11-20T17:12:00Z',
    '2026-11-19T08:50:00Z',
    '2025-11-19T08:50:00Z',
  ];
  const groups = groupByDay(
    rows.map((at) => ({ at })),
    new Date('2026-11-21T15:00:00Z'),
    'UTC',
  );
  expect(groups.map(({ day, rows: { length } }) => [day, length])).toEqual([
    ['Today, 21 November', 2],
    ['Yesterday, 20 November', 1],
    ['Thursday, 19 November', 1],
    ['Wednesday, 19 November 2025', 1],
  ]);
});

const nameDays = (rows: readonly string[], now: string, timeZone: string) =>
  groupByDay(
    rows.map((at) => ({ at })),
    new Date(now),
    timeZone,
  ).map(({ day }) => day);

test('days follow the time zone', () => {
  const rows = ['2026-11-25T03:30:00Z', '2026-11-24T08:00:00Z', '2026-11-24T07:59:00Z'];
  expect(nameDays(rows, '2026-11-25T04:00:00Z', 'America/Los_Angeles')).toEqual([
    'Today, 24 November',
    'Yesterday, 23 November',
  ]);
});

test('yesterday is the previous day, also when the clock changes', () => {
  // The last hour of a 25-hour day, and the first hour after a 23-hour day.
  expect(nameDays(['2026-11-01T03:30:00Z'], '2026-11-02T04:30:00Z', 'America/New_York')).toEqual([
    'Yesterday, 31 October',
  ]);
  const rows = ['2027-03-14T16:00:00Z', '2027-03-13T16:00:00Z'];
  expect(nameDays(rows, '2027-03-15T04:30:00Z', 'America/New_York')).toEqual([
    'Yesterday, 14 March',
    'Saturday, 13 March',
  ]);
});
