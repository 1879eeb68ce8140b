import { expect, test } from 'vitest';
import {
  buildFacetsPath,
  buildFilterQuery,
  buildListPath,
  listSorts,
  nameList,
  readProductFilter,
} from './product-filter.ts';

const read = (query: string) => readProductFilter(new URLSearchParams(query));

test('an address without parameters shows everything, newest first', () => {
  expect(read('')).toEqual({ q: '', kind: null, fits: '', sort: 'match', available: false, after: null });
  expect(buildFilterQuery(read(''))).toBe('');
  expect(buildListPath(read(''))).toBe('/product?limit=24');
  expect(buildFacetsPath(read(''))).toBe('/product/facets');
});

test('every filter is read from the address and written back unchanged', () => {
  const query = '?q=oled&kind=Sound+and+haptics&fits=Norda+12&sort=-price&available=true&after=abc';
  expect(buildFilterQuery(read(query))).toBe(query);
  expect(buildListPath(read(query))).toBe(`/product?limit=24&${query.slice(1)}&similar=true`);
  expect(buildFacetsPath(read(query))).toBe(
    '/product/facets?q=oled&kind=Sound+and+haptics&fits=Norda+12&available=true',
  );
});

test('the best match sorts only searches, and is their default', () => {
  const names = (q: string) => listSorts(q).map(({ name }) => name);
  const others = ['Name, A to Z', 'Price, low to high', 'Price, high to low'];
  expect(names('oled')).toEqual(['Best match', 'Newest first', ...others]);
  expect(names('')).toEqual(['Newest first', ...others]);
  expect(listSorts('')[0]?.sort).toBe('match');
  expect(buildListPath(read('q=oled'))).toBe('/product?limit=24&q=oled&similar=true');
  expect(buildListPath(read('q=oled&sort=newest'))).toBe('/product?limit=24&q=oled&sort=newest&similar=true');
});

test('invalid parameters count as absent', () => {
  expect(buildFilterQuery(read('sort=sideways&available=maybe&after=&q=%20%20&kind=Screens&fits=+'))).toBe(
    '',
  );
  expect(read(`q=${'x'.repeat(500)}`).q).toHaveLength(120);
  expect(read(`fits=${'x'.repeat(500)}`).fits).toHaveLength(60);
});

test('every cursor that the API accepts is kept, and no longer one', () => {
  expect(read(`after=${'x'.repeat(800)}`).after).toHaveLength(800);
  expect(read(`after=${'x'.repeat(801)}`).after).toBeNull();
});

test('every character of a search text stays literal', () => {
  expect(buildListPath(read('q=50%25%26limit%3D1'))).toBe(
    '/product?limit=24&q=50%25%26limit%3D1&similar=true',
  );
});

test.each([
  ['', 'All Products'],
  ['sort=price&after=abc', 'All Products'],
  ['q=oled', '“oled” · All Products'],
  [
    'q=oled&kind=Sound+and+haptics&fits=Norda+12&available=true',
    'Sound and haptics · Norda 12 · “oled” · in stock · All Products',
  ],
])('the list of %j has the title %s', (query, name) => {
  expect(nameList(read(query))).toBe(name);
});
