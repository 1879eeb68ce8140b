import { describe, expect, test } from 'vitest';
import { aBatchLine, aProduct } from '#test/builders.ts';
import { explainLine, findFormerPrice } from './explain-line.ts';

const product = aProduct({ quantity: 1110, minimumOrder: 200, orderStep: 25, price: 64.5 });
const explain = (typed: number | string, wanted: Partial<typeof product> = {}) =>
  explainLine(String(typed), aBatchLine({ product: { ...product, ...wanted } }));

describe('explainLine', () => {
  test.each([
    ['', ['Quantity is Required']],
    ['2oo', ['“2oo” is not a whole number. Write digits only.']],
    [200.5, ['Quantity must be a whole number']],
    [100, ['Minimum order ', 200, '.']],
    [190, ['Minimum order ', 200, '.']],
    [1200, ['1,110 left. Order ', 1100, ' or fewer.']],
    [490, ['Order in steps of 25: ', 475, ' or ', 500, '.']],
    [1105, ['Order in steps of 25: ', 1100, '.']],
  ])('%s pieces have their own sentence', (pieces, sentence) => {
    expect(explain(pieces)).toEqual(sentence);
  });

  test('a line that can be ordered has no problem', () => {
    for (const pieces of [200, 225, 1100]) expect(explain(pieces)).toBeNull();
  });

  test('a part out of stock or unsold offers no other quantity', () => {
    expect(explain(200, { quantity: 199 })).toEqual(['Out of stock. Remove the line to order the others.']);
    expect(explain(225, { quantity: 210, minimumOrder: 225 })).toEqual([
      'Out of stock. Remove the line to order the others.',
    ]);
    expect(explainLine('200', aBatchLine({ product, gone: true }))).toEqual([
      'This part is no longer sold. Remove the line.',
    ]);
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
