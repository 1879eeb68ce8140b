import { describe, expect, test } from 'vitest';
import { cardDescription, DEFAULT_KIND, isAvailable, KINDS, partPath, SORTS, slugify } from './part-rules.ts';

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

test('a part of no kind is one of the last, which is for all the rest', () => {
  expect([DEFAULT_KIND, KINDS.at(-1)]).toEqual(['Other', 'Other']);
});

test('lists run newest first, by name, by price up or down', () => {
  expect(SORTS).toEqual(['match', 'newest', 'name', 'price', '-price']);
});

describe("the address of a part's page", () => {
  test('has the id and the name', () => {
    expect(partPath({ _id: 'an-id', name: 'OLED display assembly 6.1 inch' })).toBe(
      '/products/an-id/oled-display-assembly-6-1-inch',
    );
  });

  test.each([
    ['Écran à cristaux, n° 5', 'ecran-a-cristaux-n-5'],
    ['  SIM-tray kit / "Fjord"  ', 'sim-tray-kit-fjord'],
    ['../../admin?x=1#y', 'admin-x-1-y'],
    ['屏幕', 'part'],
    ['', 'part'],
  ])('of %s ends with %s', (name, slug) => {
    expect(slugify(name)).toBe(slug);
  });

  test('stays short, and does not end with a hyphen', () => {
    expect(slugify('a'.repeat(120))).toBe('a'.repeat(80));
    expect(slugify(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79));
  });
});

test('a part of which no kind is said is among the rest', () => {
  expect(DEFAULT_KIND).toBe('Other');
  expect(KINDS.at(-1)).toBe(DEFAULT_KIND);
});
