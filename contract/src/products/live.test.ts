import { describe, expect, test } from 'vitest';
import { refusals, requiredFields } from '../../test/schema.ts';
import { watchProducts } from './live.ts';

const { query } = watchProducts;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

describe('the watched parts', () => {
  test('are comma-separated ids without duplicates', () => {
    expect(query?.parse({ products: 'A, b,a,b' })).toEqual({ products: ['a', 'b'] });
  });

  test('are 50 at most', () => {
    expect(query?.parse({ products: ids(50).join() })).toEqual({ products: ids(50) });
    expect(query && refusals(query, { products: ids(51).join() })).toEqual({
      products: 'Must be no more than 50 ids',
    });
  });

  test.each([{}, { products: '' }, { products: 'a,,b' }])('are required: %j', (given) => {
    expect(Object.values(query ? refusals(query, given) : {})).toEqual(['products is Required']);
  });
});

test('an event carries stock and prices of a part', () => {
  const { product, gone } = watchProducts.events ?? {};
  expect(product && requiredFields(product)).toEqual(['_id', 'quantity', 'price', 'priceBreaks']);
  expect(gone && requiredFields(gone)).toEqual(['_id']);
});
