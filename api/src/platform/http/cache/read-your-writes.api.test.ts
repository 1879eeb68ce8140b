import { expect, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { hasJustWritten } from './read-your-writes.ts';

const wrote = { cookie: 'other=1; shop.wrote=1' };

const shop = useShop();
const customer = usePerson(shop, 'user');

const rename = (id: string, name: string) =>
  shop.services.database.pool.query('update products set name = $2 where id = $1', [id, name]);

test('each successful write sets the cookie for two seconds', async () => {
  const product = await aProduct(shop);
  const place = (quantity: number) => customer.places(product, quantity);
  expect((await place(50)).headers.getSetCookie()).toEqual([
    'shop.wrote=1; Max-Age=2; Path=/; HttpOnly; SameSite=Lax',
  ]);
  expect((await place(1_000_000)).headers.getSetCookie()).toEqual([]);
});

test('a read never sets the cookie', async () => {
  for (const headers of [{}, wrote])
    expect((await shop.request('/product', { headers })).headers.getSetCookie()).toEqual([]);
});

test('a recent writer bypasses the cache of a process without the change', async () => {
  const { _id: id } = await aProduct(shop, { name: 'As it was' });
  const read = async (headers: Record<string, string> = {}) => {
    const { body, headers: sent } = await shop.request(`/product/${id}`, { headers });
    return { name: body.data.name, etag: sent.get('etag'), caching: sent.get('cache-control') };
  };
  const before = await read();
  expect(await read(wrote)).toEqual(before);
  // As before the other process's notification arrives.
  await rename(id, 'As it is');
  expect((await read(wrote)).name).toBe('As it is');
});

test.each(['shop.wrote=10', 'other.shop.wrote=1', 'shop-wrote=1'])(
  'the cookie %s names no writer',
  (cookie) => {
    expect(hasJustWritten({ headers: { cookie } })).toBe(false);
  },
);

test('a recent writer gets pages that are rendered again', async () => {
  const read = async (headers: Record<string, string> = {}) =>
    (await shop.request('/all-products', { headers: { accept: 'text/html', ...headers } })).body as string;
  const { _id: id } = await aProduct(shop, { name: 'Listed before' });
  expect(await read()).toContain('Listed before');
  await rename(id, 'Listed after');
  expect(await read(wrote)).toContain('Listed after');
});
