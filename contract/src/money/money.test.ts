import { describe, expect, test } from 'vitest';
import { formatAmount, formatCents, formatPieces, hasWholeCents, toAmount, toCents } from './money.ts';

describe('cents', () => {
  test('toCents rounds the floating-point result of 57 × 19.99', () => {
    expect(57 * 19.99).not.toBe(1139.43);
    expect(toCents(57 * 19.99)).toBe(113_943);
  });

  test('toCents rounds half a cent up and drops less', () => {
    expect([0.005, 0.0049, 1.125, 999.504, 999.4951].map(toCents)).toEqual([1, 0, 113, 99_950, 99_950]);
    expect([0, 1, 999_999.99].map(toCents)).toEqual([0, 100, 99_999_999]);
  });

  test('toAmount gives the decimal amount', () => {
    expect([0, 1, 100, 113_943, 99_999_999].map(toAmount)).toEqual([0, 0.01, 1, 1139.43, 999_999.99]);
  });

  test('every price up to the highest survives the round trip', () => {
    const changed: number[] = [];
    for (let cents = 100; cents <= 10_000_000; cents += 37) {
      if (toCents(toAmount(cents)) !== cents) changed.push(cents);
    }
    expect(changed).toEqual([]);
  });
});

describe('hasWholeCents', () => {
  test.each([0, 0.07, 1, 19.99, 99_999.99, 100_000, 999_999.99, -1.5])('accepts %d', (amount) => {
    expect(hasWholeCents(amount)).toBe(true);
  });

  test.each([1.005, 0.001, 19.999, 1.0001, 0.996, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d',
    (amount) => {
      expect(hasWholeCents(amount)).toBe(false);
    },
  );

  test('accepts rounding errors: 57 × 19.99, 0.1 + 0.2', () => {
    expect([57 * 19.99, 0.1 + 0.2, 1.1 * 3].map(hasWholeCents)).toEqual([true, true, true]);
  });
});

describe('formatted numbers', () => {
  test('cents become dollars with two decimals and thousands', () => {
    expect([774_000, 5, 0, 99_999_999].map(formatCents)).toEqual([
      '$7,740.00',
      '$0.05',
      '$0.00',
      '$999,999.99',
    ]);
  });
  test('amounts become dollars with two decimals and thousands', () => {
    expect([64.5, 1234.5, 0].map(formatAmount)).toEqual(['$64.50', '$1,234.50', '$0.00']);
  });
  test('pieces have thousands separators', () => {
    expect([24_800, 50, 100_000_000].map(formatPieces)).toEqual(['24,800', '50', '100,000,000']);
  });
});
