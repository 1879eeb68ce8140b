import { describe, expect, test } from 'vitest';
import { totalCents, unitPriceCents, unitPriceFor } from './pricing.ts';

test('totalCents is quantity times unit price, to the cent', () => {
  expect(totalCents(57, 1999)).toBe(113_943);
  expect(totalCents(1, 1)).toBe(1);
  expect(totalCents(10_001, 9999)).toBe(99_999_999);
});

describe('the unit price of a quantity', () => {
  const priced = {
    price: 64.5,
    priceBreaks: [
      { quantity: 500, price: 61.2 },
      { quantity: 5000, price: 57.9 },
    ],
  };

  test("is the part's own below the first break or without breaks", () => {
    expect(unitPriceFor(499, priced)).toBe(6450);
    expect(unitPriceFor(5000, { price: 64.5, priceBreaks: [] })).toBe(6450);
  });

  test('is that of the highest reached break, for the whole order', () => {
    expect(unitPriceFor(500, priced)).toBe(6120);
    expect(unitPriceFor(4999, priced)).toBe(6120);
    expect(unitPriceFor(5000, priced)).toBe(5790);
  });
});

describe('the unit price of a total', () => {
  test('makes the total', () => {
    expect(unitPriceCents(113_943, 57)).toBe(1999);
    expect(unitPriceCents(50, 50)).toBe(1);
    expect(unitPriceCents(0, 50)).toBe(0);
  });

  test('is null without a price in whole cents', () => {
    expect(unitPriceCents(113_942, 57)).toBeNull();
    expect(unitPriceCents(49, 50)).toBeNull();
  });

  test('is null for a quantity of 0', () => {
    expect(unitPriceCents(100, 0)).toBeNull();
    expect(unitPriceCents(0, 0)).toBeNull();
  });
});
