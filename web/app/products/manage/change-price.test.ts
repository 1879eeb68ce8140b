import { expect, test } from 'vitest';
import { changePrice, readPriceChange } from './change-price.ts';

test.each([
  ['5%', { kind: 'percent', by: 5 }],
  [' −2.5 % ', { kind: 'percent', by: -2.5 }],
  ['-0.40', { kind: 'amount', by: -0.4 }],
  ['+$1', { kind: 'amount', by: 1 }],
  ['0%', null],
  ['', null],
  ['5,5%', null],
  ['1.234', null],
  ['ten', null],
])('a clerk types %j for a change of prices', (text, change) => {
  expect(readPriceChange(text)).toEqual(change);
});

test.each([
  [89, { kind: 'percent', by: 5 }, 93.45],
  [10.01, { kind: 'percent', by: 2.5 }, 10.26],
  [64.5, { kind: 'percent', by: -100 }, 0],
  [1.1, { kind: 'amount', by: -0.2 }, 0.9],
] as const)('the price %d changes by %j to %d', (price, change, after) => {
  expect(changePrice(price, change)).toBe(after);
});
