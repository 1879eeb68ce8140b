import { describe, expect, test } from 'vitest';
import { totalCents, unitPriceCents } from './pricing.ts';

test('the total is quantity times unit price, to the cent', () => {
  expect(totalCents(57, 1999)).toBe(113_943);
  expect(totalCents(1, 1)).toBe(1);
  expect(totalCents(10_001, 9999)).toBe(99_999_999);
});

describe('the unit price of a total', () => {
  test('is the one that makes the total', () => {
    expect(unitPriceCents(113_943, 57)).toBe(1999);
    expect(unitPriceCents(50, 50)).toBe(1);
    expect(unitPriceCents(0, 50)).toBe(0);
  });

  test('is null where no price in whole cents does', () => {
    expect(unitPriceCents(113_942, 57)).toBeNull();
    expect(unitPriceCents(49, 50)).toBeNull();
  });

  test('is null for a quantity of which there is no price', () => {
    expect(unitPriceCents(100, 0)).toBeNull();
    expect(unitPriceCents(0, 0)).toBeNull();
  });
});
