import { randomUUID } from 'node:crypto';
import type { Order } from '@parts-forge/contract/orders/orders';
import { describe, expect, test } from 'vitest';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { downloadFile } from '#test/downloads.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder } from '#test/paying.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const customer = usePerson(shop, 'user', { name: 'Greta Solberg' });
const other = usePerson(shop, 'user', { name: 'Li Wen' });
const admin = usePerson(shop, 'admin');

const get = (path: string, person: Person | null) => shop.request(path, { token: person?.token });
const mine = (person: Person, more = '') => `/order?email=${encodeURIComponent(person.email)}${more}`;

describe('the list of orders', () => {
  test('gives customers their own orders alone, newest first', async () => {
    const product = await aProduct(shop);
    const first = await customer.orders(product);
    const second = await customer.orders(product);
    await other.orders(product);
    const { status, body, headers } = await get(mine(customer), customer);
    expect(status).toBe(200);
    expect(body.data.map((order: { _id: string }) => order._id)).toEqual([second._id, first._id]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(
      (await get(mine({ ...customer, email: customer.email.toUpperCase() }), customer)).body.data,
    ).toHaveLength(2);
  });

  test("shows the part number everywhere, even after the product's deletion", async () => {
    const buyer = await signedInAs(shop, 'user');
    const product = await aProduct(shop);
    const order = await buyer.orders(product);
    const readNumbers = async () => [
      (await get(mine(buyer), buyer)).body.data[0].partNumber,
      (await get(`/order?q=${order.number}`, admin)).body.data[0].partNumber,
      (await get(`/order/${order._id}`, buyer)).body.partNumber,
      (await get(`/user/${buyer.email}/data`, buyer)).body.orders[0].partNumber,
    ];
    expect(await readNumbers()).toEqual(Array(4).fill(product.number));
    await admin.delete(`/product/${product._id}`);
    expect(await readNumbers()).toEqual(Array(4).fill(product.number));
  });

  test('gives an administrator all orders, or those of one customer', async () => {
    const all = await get('/order', admin);
    expect(all.body.data.length).toBeGreaterThanOrEqual(3);
    const ofOne = await get(mine(other), admin);
    expect(ofOne.body.data.map((order: { email: string }) => order.email)).toEqual([other.email]);
  });

  test('refuses visitors, other customers, and customers without a filter', async () => {
    expect((await get('/order', null)).status).toBe(401);
    expect((await get(mine(customer), null)).status).toBe(401);
    expect((await get(mine(customer), other)).status).toBe(403);
    const whole = await get('/order?limit=wrong', customer);
    expect(whole.status).toBe(403);
    expect(whole.body.type).toBe('urn:parts-forge:problem:admin-needed');
  });

  test('filters by days and part, and sorts by time and total', async () => {
    const buyer = await signedInAs(shop, 'user');
    const [cheap, dear] = [await aProduct(shop, { price: 1 }), await aProduct(shop, { price: 9 })];
    const placed = [await buyer.orders(dear), await buyer.orders(cheap), await buyer.orders(dear, 60)];
    const [first, second, third] = placed.map(({ _id }) => _id);
    const since = placed[1]?.createdAt ?? '';
    const list = async (more: string) =>
      (await get(mine(buyer, more), admin)).body.data.map(({ _id }: { _id: string }) => _id);
    expect(await list(`&from=${since}`)).toEqual([third, second]);
    expect(await list(`&before=${since}`)).toEqual([first]);
    expect(await list(`&product=${dear._id}`)).toEqual([third, first]);
    const count = async (more: string, who = buyer) => (await get(`/order/counts?${more}`, who)).body;
    const none = { due: 0, pending: 0, paid: 0, toSend: 0, cancelled: 0, expired: 0, refunded: 0 };
    expect(await count(`email=${buyer.email}`)).toEqual({ ...none, due: 3 });
    expect(await count(`product=${cheap._id}`, admin)).toEqual({ ...none, due: 1 });
    expect((await get('/order/counts', buyer)).status).toBe(403);
    expect(await list('&sort=oldest')).toEqual([first, second, third]);
    expect(await list('&sort=total')).toEqual([second, first, third]);
    expect(await list('&sort=-total')).toEqual([third, first, second]);
    for (const sort of ['newest', 'oldest', 'total', '-total']) {
      const whole = await list(`&sort=${sort}`);
      const page = await get(mine(buyer, `&sort=${sort}&limit=2`), admin);
      const next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
      const rest = await get(next, admin);
      const both = [...page.body.data, ...rest.body.data];
      expect(both.map(({ _id }: { _id: string }) => _id)).toEqual(whole);
    }
  });

  test('shows the order of a number to those who may read it', async () => {
    const order = await customer.orders(await aProduct(shop));
    const find = async (query: string, person = admin) => {
      const { status, body } = await get(`/order?number=${order.number}${query}`, person);
      return status === 200 ? body.data.map(({ _id }: { _id: string }) => _id) : status;
    };
    expect([await find(''), await find(`&email=${customer.email}`, customer)]).toEqual(
      Array(2).fill([order._id]),
    );
    expect([await find(`&email=${other.email}`, other), await find('', other)]).toEqual([[], 403]);
    await customer.delete(`/order/${order._id}`);
    expect([await find(''), await find('&closed=any')]).toEqual([[], [order._id]]);
    for (const odd of ['', 'x', '-1', `%23${order.number}`, `${order.number}.0`])
      expect((await get(`/order?number=${odd}`, admin)).body.errors, odd).toEqual([
        { path: 'number', message: 'Must be the number of an order, such as 10001' },
      ]);
  });

  test('filters by status and searches part, name and email', async () => {
    const product = await aProduct(shop, { name: 'Rare 100%_antenna' });
    await other.orders(product);
    const countMatches = async (query: string) => (await get(`/order?${query}`, admin)).body.data.length;
    expect(await countMatches('q=100%25_ANT')).toBe(1);
    expect(await countMatches('q=100%25xANT')).toBe(0);
    expect(await countMatches('q=li%20wen')).toBe(2);
    expect(await countMatches('status=pending')).toBe(0);
    expect(await countMatches('q=li%20wen&status=due')).toBe(2);
    for (const wrong of [
      'status=unpaid',
      'limit=0',
      'limit=101',
      `q=${'x'.repeat(121)}`,
      'email=nobody',
      'after=x',
    ]) {
      expect((await get(`/order?${wrong}`, admin)).status, wrong).toBe(422);
    }
    for (const right of ['limit=1', 'limit=100', `q=${'x'.repeat(120)}`]) {
      expect((await get(`/order?${right}`, admin)).status, right).toBe(200);
    }
  });

  test('accepts an unencoded plus in an address', async () => {
    const buyer = await signedInAs(shop, 'user', { email: `a+b-${randomUUID()}@check.test` });
    const { _id } = await buyer.orders(await aProduct(shop));
    const list = await get(`/order?email=${buyer.email}`, buyer);
    expect(list.body.data.map((order: { _id: string }) => order._id)).toEqual([_id]);
  });

  test('paginates by the cursor of its Link header', async () => {
    const buyer = await signedInAs(shop, 'user');
    const product = await aProduct(shop);
    const placed: string[] = [];
    for (let count = 0; count < 5; count += 1) placed.unshift((await buyer.orders(product))._id);
    const seen: string[] = [];
    let path: string | undefined = mine(buyer, '&limit=2');
    let pages = 0;
    while (path) {
      const { body, headers } = await get(path, buyer);
      expect(headers.get('x-total-count')).toBe('5');
      seen.push(...body.data.map((order: { _id: string }) => order._id));
      path = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect(seen).toEqual(placed);
    expect(pages).toBe(3);
  });
});

test('an administrator lists orders by account, not by address', async () => {
  const [former, present] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'user')];
  const product = await aProduct(shop);
  const old = await former.orders(product);
  const own = await present.orders(product);
  await shop.pool.query('update orders set email = $1 where id = $2', [present.email, old._id]);
  const readIds = async (path: string, reader: Person) =>
    (await get(path, reader)).body.data.map(({ _id }: { _id: string }) => _id);
  expect(await readIds(mine(present), admin)).toEqual([own._id, old._id]);
  expect(await readIds(`/order?user=${present.userId}`, admin)).toEqual([own._id]);
  // The filter gives customers nothing more.
  expect(await readIds(mine(present, `&user=${former.userId}`), present)).toEqual([own._id]);
  expect((await get('/order?user=x', admin)).status).toBe(422);
  const filters = { user: present.userId };
  const { bytes } = await downloadFile(shop, admin, { what: 'orders', filters });
  expect(bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(2);
});

describe('a single order', () => {
  test('exists only for its customer and administrators', async () => {
    const order = await customer.orders(await aProduct(shop));
    expect((await get(`/order/${order._id}`, customer)).body).toEqual(order);
    expect((await get(`/order/${order._id}`, admin)).body).toEqual(order);
    expect((await get(`/order/${order._id}`, other)).status).toBe(404);
    expect((await get(`/order/${order._id}`, null)).status).toBe(401);
    expect((await get(`/order/${randomUUID()}`, customer)).status).toBe(404);
    expect((await get('/order/1', customer)).status).toBe(404);
  });
});

describe('the lists of closed orders', () => {
  test('closed= filters by how orders ended, for administrators and owners', async () => {
    const { customer, order } = await aDueOrder(shop);
    await customer.cancels(order);
    const pending = await aPendingOrder(shop);
    await admin.refunds(pending.order);
    const list = async (person: Person, query: string): Promise<Order[]> =>
      (await person.get(`/order?${query}`)).body.data;
    const own = `email=${encodeURIComponent(customer.email)}`;
    expect(await list(customer, own)).toEqual([]);
    expect((await list(customer, `${own}&closed=true`)).map(({ closed }) => closed)).toEqual(['cancelled']);
    expect(await list(customer, `${own}&closed=refunded`)).toEqual([]);
    const open = await customer.orders(await aProduct(shop));
    await shop.pool.query(`update orders set reference = 'PO 7' where id = $1`, [open._id]);
    const any = await list(customer, `${own}&closed=any`);
    expect(any.map(({ _id }) => _id)).toEqual([open._id, order._id]);
    expect((await list(customer, `${own}&closed=any&reference=PO%207`)).map(({ _id }) => _id)).toEqual([
      open._id,
    ]);
    expect(await list(customer, `${own}&closed=any&reference=PO`)).toEqual([]);
    expect((await admin.get('/order?closed=any')).status).toBe(422);
    const ids = async (query: string) => (await list(admin, query)).map(({ _id }) => _id);
    expect(await ids('closed=refunded')).toContain(pending.order._id);
    expect(await ids('closed=cancelled')).toContain(order._id);
    expect(await ids('closed=cancelled')).not.toContain(pending.order._id);
    expect(await ids('limit=100')).not.toContain(order._id);
    expect((await admin.get('/order?closed=yes')).status).toBe(422);
    const other = await shop.request(`/order/${order._id}?closed=true`, {
      token: (await signedInAs(shop, 'user')).token,
    });
    expect(other.status).toBe(404);
    expect((await admin.get(`/order/${order._id}?closed=expired`)).status).toBe(404);
  });
});
