import { noNumber } from '@parts-forge/contract/files/number-text';
import type { EditedPart } from '@parts-forge/contract/products/product-changes';
import { expect, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { describeField, listFieldNames } from './describe-field.ts';
import { compareEdits, editSchema, listChanges, toPart, toValues } from './edit-values.ts';

const base: EditedPart = aProduct({ price: 64.5, priceBreaks: [{ quantity: 500, price: 61.2 }] });

test('an unedited form has no changes', () => {
  const values = toValues(base);
  expect(editSchema.parse(values)).toEqual(values);
  expect(listChanges(base, values)).toEqual([]);
  expect(toPart(values)).toMatchObject({ image: base.image, images: base.images });
});

test('only fields that both edits changed differently are asked about', () => {
  const mine = { ...base, price: 65, name: 'Ours', kind: 'Displays' as const };
  const theirs = { ...base, price: 66, fits: ['Norda 12'], kind: 'Displays' as const };
  expect(compareEdits(base, mine, theirs)).toEqual({ taken: ['fits'], asked: ['price'] });
  expect(compareEdits(base, mine, base)).toEqual({ taken: [], asked: [] });
});

test('describeField puts each field on one line', () => {
  const part = { ...base, attributes: [{ name: 'Panel', value: 'OLED' }], fits: ['Norda 12', 'Ovo 7'] };
  expect(describeField(part, 'price')).toBe('$64.50');
  expect(describeField({ ...part, price: Number.NaN }, 'price')).toBe('none');
  expect(describeField(part, 'priceBreaks')).toBe('$61.20 from 500');
  const priceBreaks = [{ quantity: noNumber, price: noNumber }];
  expect(describeField({ ...part, priceBreaks }, 'priceBreaks')).toBe('none from none');
  expect(describeField(part, 'attributes')).toBe('Panel: OLED');
  expect(describeField(part, 'fits')).toBe('Norda 12, Ovo 7');
  expect(describeField({ ...part, fits: [] }, 'fits')).toBe('none');
  expect(describeField(part, 'images')).toBe('1 picture');
  expect(describeField(part, 'minimumOrder')).toBe('50');
  expect(listFieldNames(['price', 'priceBreaks'])).toBe('price, price breaks');
});
