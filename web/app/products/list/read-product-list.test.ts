import { expect, test } from 'vitest';
import { readProductFilter } from '#app/products/product-filter.ts';
import { aProduct } from '#test/builders.ts';
import { readProductList } from './read-product-list.ts';

const parts = Array.from({ length: 100 }, () => aProduct());
const addresses: string[] = [];

/** A shop whose cursors are the index of the next page's first row. */
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

test('a document of a further page includes the pages before it', async () => {
  const { page, before } = await read('after=48', true);
  expect([...before, page].flatMap(({ rows }) => rows)).toEqual(parts.slice(0, 72));
  expect((await read('after=48', false)).before).toEqual([]);
});

test('an unreachable page has no pages before it', async () => {
  const { page, before } = await read('after=50', true);
  expect(page.rows).toHaveLength(24);
  expect(before).toEqual([]);
});

test('a short rest joins a further page', async () => {
  const { page } = await read('after=72', false);
  expect(page.rows).toHaveLength(28);
  expect(page).toMatchObject({ nextCursor: null });
});

test('a short rest joins the first page, a longer one does not', async () => {
  expect((await read('', false, 32)).page).toMatchObject({ rows: parts.slice(0, 32), nextCursor: null });
  expect((await read('', false, 33)).page.rows).toHaveLength(24);
});

test('a first page with a long rest reads no more', async () => {
  addresses.length = 0;
  expect((await read('', true)).page.rows).toHaveLength(24);
  expect(addresses).toEqual(['/product/facets', '/product?limit=24']);
});
