import { expect, test } from 'vitest';
import { listNearNumbers } from './near-numbers.ts';

test.each([
  ['wrong', 'pfd6101'],
  ['missing', 'pfd6100i'],
  ['too many', 'pfd60i'],
  ['missing at the beginning', '1pfd610i'],
  ['missing at the end', 'pfd610i9'],
  ['too many at the beginning', 'fd610i'],
  ['swapped with the next one', 'pf6d10i'],
])('a number with one character %s is near', (_, meant) => {
  expect(listNearNumbers('pfd610i')).toContain(meant);
});

test('two wrong characters are not near, nor is the number itself', () => {
  const near = listNearNumbers('pfd610i');
  expect(near).not.toContain('pfd6202');
  expect(near).not.toContain('pfd610i');
});

test('the longest number has about two thousand near numbers', () => {
  const near = listNearNumbers('abcdefghijklmnopqrstuvwxyz012345');
  expect(near.length).toBeGreaterThan(2000);
  expect(near.length).toBeLessThan(2500);
});
