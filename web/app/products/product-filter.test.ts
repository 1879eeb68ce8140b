import { expect, test } from 'vitest';
import { buildFilterQuery, buildListPath, readProductFilter } from './product-filter.ts';

const read = (query: string) => readProductFilter(new URLSearchParams(query));

test('an address without parameters shows everything, newest first', () => {
  expect(read('')).toEqual({ q: '', sort: 'newest', available: false, after: null });
  expect(buildFilterQuery(read(''))).toBe('');
  expect(buildListPath(read(''))).toBe('/product?limit=24');
});

test('search, sort, in-stock filter and page are read from the address and written back as they were', () => {
  const query = '?q=oled&sort=-price&available=true&after=abc';
  expect(buildFilterQuery(read(query))).toBe(query);
  expect(buildListPath(read(query))).toBe('/product?limit=24&q=oled&sort=-price&available=true&after=abc');
});

test('what the address says wrongly counts as not said', () => {
  expect(buildFilterQuery(read('sort=sideways&available=maybe&after=&q=%20%20'))).toBe('');
  expect(read(`q=${'x'.repeat(500)}`).q).toHaveLength(120);
});

test('a further page is kept for every cursor that the calls take, and for no longer one', () => {
  expect(read(`after=${'x'.repeat(800)}`).after).toHaveLength(800);
  expect(read(`after=${'x'.repeat(801)}`).after).toBeNull();
});

test('every character of a search text stays literal', () => {
  expect(buildListPath(read('q=50%25%26limit%3D1'))).toBe('/product?limit=24&q=50%25%26limit%3D1');
});
