import { expect, test } from 'vitest';
import { chooseScale } from './choose-scale.ts';

test.each([
  [41_300, '0 10 20 30 40 50', 'thousand $'],
  [50_000, '0 10 20 30 40 50', 'thousand $'],
  [50_001, '0 20 40 60', 'thousand $'],
  [1_234, '0 500 1,000 1,500', '$'],
  [5_001, '0 2 4 6', 'thousand $'],
  [2_400_000, '0 500 1,000 1,500 2,000 2,500', 'thousand $'],
  [10_000_000, '0 2 4 6 8 10', 'million $'],
  [0, '0 1', '$'],
  [-900, '0 1', '$'],
])('a highest value of %d dollars has the lines %s', (highest, lines, unit) => {
  const scale = chooseScale(highest);
  expect([scale.ticks.map((tick) => scale.format(tick)).join(' '), scale.unit]).toEqual([lines, unit]);
  expect(scale.top).toBeGreaterThanOrEqual(highest);
});
