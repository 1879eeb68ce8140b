import { expect, test } from 'vitest';
import { explainPieces, explainPrice, readPieces, readPrice, readTyped } from './number-text.ts';

test.each([
  ['50', 50],
  ['1,000', 1000],
  ['1.000', 1000],
  ['1 000', 1000],
  ['1\u202f000', 1000],
  ['12,345,678', 12_345_678],
  ['1.5', 1.5],
  ['-5', -5],
  ['1,5', Number.NaN],
  ['1,00', Number.NaN],
  ['1e5', Number.NaN],
  ['0x32', Number.NaN],
  ['fifty', Number.NaN],
  ['1,000.5', Number.NaN],
])('pieces written %j are read as %d', (written, pieces) => {
  expect(readPieces(written)).toBe(pieces);
});

test.each([
  ['6.30', 6.3],
  ['6,30', 6.3],
  ['64,5', 64.5],
  ['$6.30', 6.3],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['1 234,50', 1234.5],
  ['1,234,567', 1_234_567],
  ['1234', 1234],
  ['1,234', Number.NaN],
  ['1.234', Number.NaN],
  ['1.234.50', Number.NaN],
  ['6,3,0', Number.NaN],
  ['1e3', Number.NaN],
])('a price written %j is read as %d', (written, price) => {
  expect(readPrice(written)).toBe(price);
});

test('a price of many spaces is refused at once', () => {
  // A pattern that looks from each space takes minutes.
  expect(readPrice(`6.30${' '.repeat(300_000)}x`)).toBeNaN();
  expect(readPrice(`  6.30${' '.repeat(300_000)}`)).toBe(6.3);
  expect(readPrice(`${'0'.repeat(39)}1234.50`)).toBeNaN();
});

test('a form keeps an unreadable text, an empty field none', () => {
  const read = readTyped(readPrice);
  expect([read('6,30'), read(6.3), read('1,234'), read(''), read(' ')]).toEqual([
    6.3,
    6.3,
    '1,234',
    Number.NaN,
    Number.NaN,
  ]);
});

test('a sentence says what was read and how to write it', () => {
  expect(explainPrice('1,234')).toBe('“1,234” may be 1234 or 1.234. Write two decimals, such as 1234.00.');
  expect(explainPrice('x'.repeat(60_000))).toBe(`“${'x'.repeat(20)}…” is not a price. Write it as 6.30.`);
  expect(explainPieces('1,5')).toBe('“1,5” is not a whole number. Write digits only.');
});
