import { describe, expect, test } from 'vitest';
import { cardDescription, isAvailable, SORTS } from './part-rules.ts';

describe('a product card', () => {
  test('cuts the description to 90 characters followed by an ellipsis', () => {
    expect(cardDescription('x'.repeat(89))).toBe('x'.repeat(89));
    expect(cardDescription('x'.repeat(90))).toBe('x'.repeat(90));
    expect(cardDescription('x'.repeat(91))).toBe(`${'x'.repeat(90)}…`);
    expect(cardDescription('abc'.repeat(40))).toBe(`${'abc'.repeat(30)}…`);
  });

  test('counts what people see as one character as one', () => {
    expect(cardDescription('💠'.repeat(90))).toBe('💠'.repeat(90));
    expect(cardDescription('💠'.repeat(91))).toBe(`${'💠'.repeat(90)}…`);
  });

  test('is out of stock below the minimum order', () => {
    expect(isAvailable({ quantity: 51, minimumOrder: 50 })).toBe(true);
    expect(isAvailable({ quantity: 50, minimumOrder: 50 })).toBe(true);
    expect(isAvailable({ quantity: 49, minimumOrder: 50 })).toBe(false);
  });
});

test('lists run newest first, by name, by price up or down', () => {
  expect(SORTS).toEqual(['newest', 'name', 'price', '-price']);
});
