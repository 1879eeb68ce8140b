import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aProduct, type Person, placeOrder, signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

const wrote = { cookie: 'other=1; shop.wrote=1' };

/** A shop on a database that several machines may share; the address itself is not used by these tests. */
let shop: TestShop;
let customer: Person;
beforeAll(async () => {
  shop = await startShop({ env: { DATABASE_URL: 'postgres://db.example/shop' } });
  customer = await signedInAs(shop, 'user');
});
afterAll(() => shop.close());

describe('the cookie of two seconds', () => {
  test('comes with each write that was made, for every path', async () => {
    const product = await aProduct(shop);
    const place = (quantity: number) => placeOrder(shop, customer, product, quantity);
    expect((await place(50)).headers.getSetCookie()).toEqual([
      'shop.wrote=1; Max-Age=2; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect((await place(1_000_000)).headers.getSetCookie()).toEqual([]);
  });

  test('comes with no read, which shared caches keep', async () => {
    expect((await shop.request('/product')).headers.getSetCookie()).toEqual([]);
    expect((await shop.request('/product', { headers: wrote })).headers.getSetCookie()).toEqual([]);
  });
});

test('where one process has the database a cookie that somebody made up has nothing made anew', async () => {
  const single = await startShop();
  try {
    const read = () => single.request('/all-products', { headers: { ...wrote, accept: 'text/html' } });
    await read();
    const { made, cached } = single.app.responses.counts;
    await read();
    expect(single.app.responses.counts).toMatchObject({ made, cached: cached + 1 });
  } finally {
    await single.close();
  }
});

describe('whoever has just written something', () => {
  test('reads what is, while others may be shown what was in memory; and both get the same answer for the same state', async () => {
    const { _id: id } = await aProduct(shop, { name: 'As it was' });
    const read = async (headers: Record<string, string> = {}) => {
      const { body, headers: sent } = await shop.request(`/product/${id}`, { headers });
      return { name: body.data.name, etag: sent.get('etag'), caching: sent.get('cache-control') };
    };
    const before = await read();
    expect(await read(wrote)).toEqual(before);
    // Nobody was told: as in the moment before another process's notification comes.
    await shop.services.database.pool.query("update products set name = 'As it is' where id = $1", [id]);
    expect((await read(wrote)).name).toBe('As it is');
    expect(await read()).toEqual(before);
    expect((await read({ cookie: 'shop.wrote=10' })).name).toBe('As it was');
  });

  test('is shown pages that are made anew, too', async () => {
    const page = { accept: 'text/html' };
    const read = async (headers: Record<string, string>) =>
      (await shop.request('/all-products', { headers })).body as string;
    const { _id: id } = await aProduct(shop, { name: 'Listed before' });
    expect(await read(page)).toContain('Listed before');
    await shop.services.database.pool.query("update products set name = 'Listed after' where id = $1", [id]);
    expect(await read({ ...page, ...wrote })).toContain('Listed after');
    expect(await read(page)).toContain('Listed before');
  });
});
