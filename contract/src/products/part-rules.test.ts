import { describe, expect, test } from 'vitest';
import { MAX_PART_NUMBER, MIN_PART_NUMBER } from '../calls/bounds.ts';
import {
  cardDescription,
  DEFAULT_KIND,
  foldPartNumber,
  isAvailable,
  isPartNumber,
  KINDS,
  partPath,
  SORTS,
  slugify,
} from './part-rules.ts';

describe('a product card', () => {
  test('cuts the description to 90 characters followed by an ellipsis', () => {
    expect(cardDescription('x'.repeat(89))).toBe('x'.repeat(89));
    expect(cardDescription('x'.repeat(90))).toBe('x'.repeat(90));
    expect(cardDescription('x'.repeat(91))).toBe(`${'x'.repeat(90)}…`);
    expect(cardDescription('abc'.repeat(40))).toBe(`${'abc'.repeat(30)}…`);
  });

  test('counts code points', () => {
    expect(cardDescription('💠'.repeat(90))).toBe('💠'.repeat(90));
    expect(cardDescription('💠'.repeat(91))).toBe(`${'💠'.repeat(90)}…`);
    for (const character of ['🇬🇧', '👨‍👩‍👧', '👍🏽', 'é']) {
      expect(cardDescription(character.repeat(90))).toBe(character.repeat(90));
      expect(cardDescription(character.repeat(91))).toBe(`${character.repeat(90)}…`);
    }
  });

  test('is out of stock below the minimum order', () => {
    expect(isAvailable({ quantity: 51, minimumOrder: 50 })).toBe(true);
    expect(isAvailable({ quantity: 50, minimumOrder: 50 })).toBe(true);
    expect(isAvailable({ quantity: 49, minimumOrder: 50 })).toBe(false);
  });
});

test('the default kind is the last kind, Other', () => {
  expect([DEFAULT_KIND, KINDS.at(-1)]).toEqual(['Other', 'Other']);
});

test('the orders of a list are these', () => {
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
  ])('ends %s with %s', (name, slug) => {
    expect(slugify(name)).toBe(slug);
  });

  test('has at most 80 characters and no final hyphen', () => {
    expect(slugify('a'.repeat(120))).toBe('a'.repeat(80));
    expect(slugify(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79));
  });
});

describe('a part number', () => {
  test('has three to 64 characters', () => {
    const lengths = [MIN_PART_NUMBER - 1, MIN_PART_NUMBER, MAX_PART_NUMBER, MAX_PART_NUMBER + 1];
    expect(lengths.map((length) => isPartNumber('A'.repeat(length)))).toEqual([false, true, true, false]);
  });

  test.each([
    ['“PF‑D6101”', 'PF-D6101'],
    ["'PF–D6101'", 'PF-D6101'],
    ["PF-D'6101'", "PF-D'6101'"],
    ["'PF'-D6101", "'PF'-D6101"],
  ])('loses quotes only around the whole: %s', (written, folded) => {
    expect(foldPartNumber(written)).toBe(folded);
  });
});
