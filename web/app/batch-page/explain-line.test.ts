import type { Instead } from '@parts-forge/contract/products/instead';
import type { Product } from '@parts-forge/contract/products/products';
import { describe, expect, test } from 'vitest';
import { aBatchLine, aProduct } from '#test/builders.ts';
import { explainLine, findFormerPrice } from './explain-line.ts';

const product = aProduct({ quantity: 1110, minimumOrder: 200, orderStep: 25, price: 64.5 });
const explain = (typed: number | string, wanted: Partial<typeof product> = {}) =>
  explainLine(String(typed), aBatchLine({ product: { ...product, ...wanted } }), 'UTC');

describe('explainLine', () => {
  test.each([
    ['', ['Quantity is Required']],
    ['2oo', ['“2oo” is not a whole number. Write digits only.']],
    [200.5, ['Quantity must be a whole number']],
    [100, ['Minimum order ', 200, '.']],
    [190, ['Minimum order ', 200, '.']],
    [1200, ['1,110 of 1,200 are in stock. Order ', 1100, ' or fewer.']],
    [490, ['Order in steps of 25: ', 475, ' or ', 500, '.']],
    [1105, ['Order in steps of 25: ', 1100, '.']],
  ])('%s pieces have their own sentence', (pieces, sentence) => {
    expect(explain(pieces)).toEqual(sentence);
  });

  test('a line that can be ordered has no problem', () => {
    for (const pieces of [200, 225, 1100]) expect(explain(pieces)).toBeNull();
  });

  test('a part out of stock or unsold offers no other quantity', () => {
    expect(explain(400, { quantity: 0 })).toEqual(['None of 400 is in stock.']);
    expect(explain(200, { quantity: 199 })).toEqual([
      '199 of 200 are in stock, fewer than the minimum order of 200.',
    ]);
    expect(explain(225, { quantity: 210, minimumOrder: 225 })).toEqual([
      '210 of 225 are in stock, fewer than the minimum order of 225.',
    ]);
    expect(explainLine('200', aBatchLine({ product, gone: true }), 'UTC')).toEqual([
      'This part is no longer sold.',
    ]);
  });

  test('an expected day is said unless it has passed', () => {
    const expectedAt = '2999-12-12';
    const rest = ' now, or keep the line until 12 December 2999.';
    expect(explain(1200, { expectedAt })).toEqual(['1,110 of 1,200 are in stock. Order ', 1100, rest]);
    expect(explain(400, { quantity: 0, expectedAt })).toEqual([
      'None of 400 is in stock. More is expected on 12 December 2999.',
    ]);
    expect(explain(400, { quantity: 0, expectedAt: '2001-12-12' })).toEqual(['None of 400 is in stock.']);
  });

  test('a line says whether another part fits', () => {
    const other = { product: aProduct(), fits: 2, of: 3, quantity: 400 };
    const say = (wanted: Partial<Product>, instead: Instead[]) =>
      explainLine(
        '400',
        aBatchLine({ product: { ...product, quantity: 0, ...wanted }, instead }),
        'UTC',
      )?.join('');
    const none = 'None of 400 is in stock.';
    expect(say({}, [other])).toBe(`${none} What fits instead is below.`);
    expect(say({}, [{ ...other, named: true }])).toBe(`${none} Its successor is below.`);
    expect(say({ fits: ['Norda 12', 'Ovo 7'] }, [])).toBe(`${none} Nothing else fits its 2 models.`);
    expect(say({ fits: ['Norda 12'] }, [])).toBe(`${none} Nothing else fits its model.`);
    expect(say({}, [])).toBe(`${none} No other part is named for it.`);
  });

  test('a total above the payment limit is a problem', () => {
    expect(explain(20_000, { quantity: 30_000 })).toEqual(['Amount must be no more than $999,999.99']);
  });
});

describe('findFormerPrice', () => {
  test('a former price is given if the unit price differs now', () => {
    expect(findFormerPrice(aBatchLine({ product, price: 60 }))).toBe(6000);
    expect(findFormerPrice(aBatchLine({ product }))).toBeNull();
    const withBreaks = { ...product, priceBreaks: [{ quantity: 500, price: 61.2 }] };
    expect(findFormerPrice(aBatchLine({ product: withBreaks, quantity: 500, price: 61.2 }))).toBeNull();
    expect(findFormerPrice(aBatchLine({ product: withBreaks, quantity: 475, price: 61.2 }))).toBe(6120);
  });

  test('a part no longer sold has no former price', () => {
    expect(findFormerPrice(aBatchLine({ product, price: 60, gone: true }))).toBeNull();
  });
});
