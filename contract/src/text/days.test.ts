import { expect, test } from 'vitest';
import { addDays, beginDay, isTimeZone, nameTimeZone, nextMonth, readDay } from './days.ts';

test.each([
  ['2026-11-21T03:30:00Z', 'America/Los_Angeles', '2026-11-20'],
  ['2026-11-21T11:00:00Z', 'Pacific/Auckland', '2026-11-22'],
  ['2026-11-21T00:00:00Z', 'UTC', '2026-11-21'],
])('the instant %s is in %s on %s', (at, timeZone, day) => {
  expect(readDay(new Date(at), timeZone)).toBe(day);
});

test.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'Pacific/Auckland', '2026-11-20T11:00:00.000Z'],
  ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
  // Days of a clock change, and the days after.
  ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
  ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00.000Z'],
  // Midnight is skipped, and repeated.
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
])('the day %s begins in %s at %s', (day, timeZone, at) => {
  expect(beginDay(day, timeZone).toISOString()).toBe(at);
});

test('addDays follows the calendar', () => {
  expect([addDays('2026-03-01', -1), addDays('2026-12-31', 1)]).toEqual(['2026-02-28', '2027-01-01']);
});

test('nextMonth follows the calendar', () => {
  expect(['2026-01', '2026-11', '2026-12', '2028-02'].map(nextMonth)).toEqual([
    '2026-02-01',
    '2026-12-01',
    '2027-01-01',
    '2028-03-01',
  ]);
});

test('isTimeZone accepts IANA names only', () => {
  expect(['UTC', 'America/New_York'].map(isTimeZone)).toEqual([true, true]);
  expect(['Mars/Base', '+02:00', ''].map(isTimeZone)).toEqual([false, false, false]);
  expect(nameTimeZone('America/New_York')).toBe('America/New York');
});
