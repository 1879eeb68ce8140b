import { expect, test } from 'vitest';
import { aProduct } from '#app/dev/builders.ts';
import { readProductFilter } from '#app/products/product-filter.ts';
import { readProductList } from './read-product-list.ts';

const parts = Array.from({ length: 100 }, () => aProduct());
const addresses: string[] = [];

/** A shop whose cursors are where the next page begins. */
const createShop = (count: number) => async (path: string) => {
  addresses.push(path);
  if (path.startsWith('/product/facets')) return Response.json({ kinds: [], fits: [] });
  const query = new URL(path, 'http://shop.invalid').searchParams;
  const [from, limit] = [Number(query.get('after') ?? 0), Number(query.get('limit'))];
  const next = from + limit < count ? { link: `<product?after=${from + limit}>; rel="next"` } : {};
  return Response.json(parts.slice(from, Math.min(count, from + limit)), {
    headers: { 'x-total-count': String(count), ...next },
  });
};
const read = (query: string, isDocument: boolean, count = 100) =>
  readProductList(createShop(count), readProductFilter(new URLSearchParams(query)), isDocument);

test('a document of a further page has the pages before it, as a reload leaves the list as it was', async () => {
  const { page, before } = await read('after=48', true);
  expect([...before, page].flatMap(({ rows }) => rows)).toEqual(parts.slice(0, 72));
  expect((await read('after=48', false)).before).toEqual([]);
});

test('of a page that none of the first ones leads to, it has nothing before', async () => {
  const { page, before } = await read('after=50', true);
  expect(page.rows).toHaveLength(24);
  expect(before).toEqual([]);
});

test('the rest of a few rows stands on the page before, on a further page, too', async () => {
  const { page } = await read('after=72', false);
  expect(page.rows).toHaveLength(28);
  expect(page).toMatchObject({ nextCursor: null });
});

test('a rest of a few rows stands on the first page, and more than a few do not', async () => {
  expect((await read('', false, 32)).page).toMatchObject({ rows: parts.slice(0, 32), nextCursor: null });
  expect((await read('', false, 33)).page.rows).toHaveLength(24);
});

test('a first page that many follow asks for no more', async () => {
  addresses.length = 0;
  expect((await read('', true)).page.rows).toHaveLength(24);
  expect(addresses).toEqual(['/product/facets', '/product?limit=24']);
});
