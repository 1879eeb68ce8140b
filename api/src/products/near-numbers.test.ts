import { expect, test } from 'vitest';
import { listNearNumbers } from './near-numbers.ts';

test.each([
  ['wrong', 'PF-D6101'],
  ['missing', 'PF-D6100I'],
  ['too many', 'PF-D60I'],
  ['missing at the beginning', '1PF-D610I'],
  ['missing at the end', 'PF-D610I9'],
  ['too many at the beginning', 'F-D610I'],
  ['swapped with the next one', 'PF-6D10I'],
])('a number in which one character is %s is near', (_, meant) => {
  expect(listNearNumbers('PF-D610I')).toContain(meant);
});

test('two wrong ones are not, nor is the number itself', () => {
  const near = listNearNumbers('PF-D610I');
  expect(near).not.toContain('PF-D6202');
  expect(near).not.toContain('PF-D610I');
});

test('there are some two thousand of the longest', () => {
  const near = listNearNumbers('ABCDEFGHIJKLMNOPQRSTUVWXYZ012345');
  expect(near.length).toBeGreaterThan(2000);
  expect(near.length).toBeLessThan(2500);
});
