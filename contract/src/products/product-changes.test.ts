import { describe, expect, test } from 'vitest';
import { refusals } from '../../test/schema.ts';
import {
  changeProduct,
  type EditedPart,
  findChangedFields,
  formatVersion,
  mergeChanges,
  productChangesSchema,
} from './product-changes.ts';

const part: EditedPart = {
  name: 'OLED display',
  number: 'PF-D6101',
  alsoKnownAs: [],
  kind: 'Displays',
  description: 'Flexible.',
  price: 64.5,
  minimumOrder: 50,
  orderStep: 25,
  availableUntil: null,
  deliveryDays: null,
  replacedBy: null,
  expectedAt: null,
  priceBreaks: [{ quantity: 500, price: 61.2 }],
  attributes: [{ name: 'Panel', value: 'OLED' }],
  fits: ['Norda 12'],
  image: '/a',
  images: ['/a', '/b', '/c'],
};

describe('an edit', () => {
  test('takes any of the fields, or none', () => {
    expect(productChangesSchema.parse({})).toEqual({});
    expect(productChangesSchema.parse({ price: 66 })).toEqual({ price: 66 });
    expect(productChangesSchema.parse(part)).toEqual(part);
  });

  test.each(Object.keys(part).filter((field) => part[field as keyof typeof part] !== null))(
    'refuses null for %s',
    (field) => {
      expect(Object.keys(refusals(productChangesSchema, { [field]: null }))).toEqual([field]);
    },
  );
});

describe('the merged part', () => {
  test('has the changed fields and keeps the others', () => {
    expect(mergeChanges(part, {})).toEqual(part);
    expect(mergeChanges(part, { price: 66, priceBreaks: [] })).toEqual({
      ...part,
      price: 66,
      priceBreaks: [],
    });
  });

  test('has its image first among its pictures', () => {
    expect(mergeChanges(part, { images: ['/b', '/a'] })).toMatchObject({ image: '/b', images: ['/b', '/a'] });
    expect(mergeChanges(part, { image: '/d' })).toMatchObject({ image: '/d', images: ['/d', '/b', '/c'] });
    expect(mergeChanges(part, { image: '/b' })).toMatchObject({ image: '/b', images: ['/b', '/c'] });
    // A contradiction stays, for `findPartProblems` to report.
    expect(mergeChanges(part, { image: '/d', images: ['/e'] })).toMatchObject({
      image: '/d',
      images: ['/e'],
    });
  });
});

test('findChangedFields compares values, not identities', () => {
  expect(findChangedFields(part, { ...part, fits: [...part.fits] })).toEqual([]);
  expect(findChangedFields(part, { ...part, priceBreaks: [], name: 'x', fits: ['Ovo 7'] })).toEqual([
    'name',
    'priceBreaks',
    'fits',
  ]);
});

describe('the edited version', () => {
  const header = changeProduct.headers?.['If-Match'];

  test('is quoted', () => {
    expect(formatVersion(3)).toBe('"3"');
    expect(header?.message).toBe('Must be the version in quotes, such as "3"');
  });

  test.each(['"3"', 'W/"3"', '*', ' ', '~', 'x'.repeat(200)])('accepts any header text: %j', (text) => {
    expect(header?.pattern.test(text)).toBe(true);
  });

  test.each(['', 'x'.repeat(201), '"3"\u007f', '\t"3"', '"é"'])('refuses %j', (text) => {
    expect(header?.pattern.test(text)).toBe(false);
  });
});

test('the version header has 1 to 200 printable characters', () => {
  const { pattern, message } = changeProduct.headers?.['If-Match'] ?? {};
  expect(message).toBe('Must be the version in quotes, such as "3"');
  for (const text of ['3', '"3"', 'x'.repeat(200)]) expect(pattern?.test(text), text).toBe(true);
  for (const text of ['', 'é', 'é"3"', '"3"é', '"3"\n', 'x'.repeat(201)]) {
    expect(pattern?.test(text), text).toBe(false);
  }
});
