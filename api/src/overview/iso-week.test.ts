import { expect, test } from 'vitest';
import { formatIsoWeek, listMondays } from './iso-week.ts';

test.each([
  ['2026-11-16', '2026-W47'],
  ['2026-11-22', '2026-W47'],
  ['2026-11-23', '2026-W48'],
  // A week belongs to its Thursday's year.
  ['2027-01-01', '2026-W53'],
  ['2024-12-31', '2025-W01'],
  ['2023-01-01', '2022-W52'],
])('%s is in the week %s', (day, week) => {
  expect(listMondays(day, 1).map(formatIsoWeek)).toEqual([week]);
});

test('weeks continue across the end of a year', () => {
  expect(listMondays('2027-01-05', 3).map(formatIsoWeek)).toEqual(['2026-W52', '2026-W53', '2027-W01']);
});
