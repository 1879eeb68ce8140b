import { expect, test } from 'vitest';
import { formatIsoWeek, listMondays } from './iso-week.ts';

test.each([
  ['2026-11-16T00:00:00Z', '2026-W47'],
  ['2026-11-22T23:59:59Z', '2026-W47'],
  ['2026-11-23T00:00:00Z', '2026-W48'],
  // A week belongs to the year that has its Thursday.
  ['2027-01-01T12:00:00Z', '2026-W53'],
  ['2024-12-31T12:00:00Z', '2025-W01'],
  ['2023-01-01T12:00:00Z', '2022-W52'],
])('%s is in the week %s', (moment, week) => {
  expect(listMondays(new Date(moment), 1).map(formatIsoWeek)).toEqual([week]);
});

test('the weeks follow each other over the end of a year, the present one last', () => {
  expect(listMondays(new Date('2027-01-05T08:00:00Z'), 3).map(formatIsoWeek)).toEqual([
    '2026-W52',
    '2026-W53',
    '2027-W01',
  ]);
});
