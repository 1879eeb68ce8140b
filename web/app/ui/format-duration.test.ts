import { expect, test } from 'vitest';
import { formatDuration } from './format-duration.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test.each([
  [-5, 'under a minute'],
  [0, 'under a minute'],
  [minute - 1, 'under a minute'],
  [6 * minute, '6 min'],
  [hour - 1, '59 min'],
  [hour, '1 h'],
  [18 * hour + 40 * minute, '18 h'],
  [day, '1 day'],
  [day + 2 * hour, '1 day 2 h'],
  [3 * day - 1, '2 days 23 h'],
])('%i ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
