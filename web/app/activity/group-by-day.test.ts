import { expect, test } from 'vitest';
import { groupByDay } from './group-by-day.ts';

test('rows stand under their days, with the year where it is another one', () => {
  const rows = [
    '2026-11-21T14:31:00',
    '2026-11-21T09:30:00',
    '2026-11-20T17:12:00',
    '2026-11-19T08:50:00',
    '2025-11-19T08:50:00',
  ];
  const groups = groupByDay(
    rows.map((at) => ({ at })),
    new Date('2026-11-21T15:00:00'),
  );
  expect(groups.map(({ day, rows: { length } }) => [day, length])).toEqual([
    ['Today, 21 November', 2],
    ['Yesterday, 20 November', 1],
    ['Thursday, 19 November', 1],
    ['Wednesday, 19 November 2025', 1],
  ]);
});
