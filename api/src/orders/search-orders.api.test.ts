import type { Order } from '@parts-forge/contract/orders/orders';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { products } from '#src/products/schema.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { readActivity } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { orders } from './schema.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const search = (q: string, more = '') => admin.get(`/order?q=${encodeURIComponent(q)}${more}`);
const find = async (q: string, more = '') => (await search(q, more)).body.data.map(({ _id }: Order) => _id);

/** Sets columns that no call writes yet. */
const change = (order: Order, values: Partial<typeof orders.$inferInsert>) =>
  shop.db.update(orders).set(values).where(sql`${orders.id} = ${order._id}`);

describe('the order search', () => {
  let order: Order;
  let transactionId: string;
  const addParcel = async (body: object): Promise<string> => {
    const path = `/order/${order._id}/shipment`;
    return (await admin.post(path, body)).body.data._id;
  };
  beforeAll(async () => {
    const tomas = await signedInAs(shop, 'user', { name: 'Tomás Øster', email: 'tomas@movilcentro.example' });
    await tomas.put(`/user/update/${tomas.email}`, {
      company: 'Zephyrline Repairs Ltd',
      taxNumber: 'GB777888999',
      billingAddress: 'Quayside 5\nHull',
      country: 'gb',
    });
    order = await tomas.orders(await aProduct(shop, { name: 'OLED display assembly 6.1 inch' }));
    transactionId = await tomas.pays(order);
    const other = await signedInAs(shop, 'user', { name: 'Li Wen', email: 'li@wen.example' });
    await other.orders(await aProduct(shop, { name: 'Lithium-ion battery' }));
    await change(order, {
      reference: 'Werkstatt Süd 77_a',
      address: 'Calle de Alcalá 210\n28028 Madrid, Spain',
      phone: '+34 (911) 55-01 82',
      status: 'paid',
    });
    await addParcel({ carrier: 'DPD', number: '1550 1234 567890', quantity: 1 });
  });

  test('finds an order by its number, id or payment id', async () => {
    for (const q of [`${order.number}`, `#${order.number}`, order._id, transactionId]) {
      expect(await find(q), q).toEqual([order._id]);
    }
    expect(await find(transactionId.slice(0, -1))).toEqual([]);
    expect(await find(order._id.slice(0, -1))).toEqual([]);
    expect(await find('999999999999')).toEqual([]);
    expect(await find(`${order.number}`, '&status=due')).toEqual([]);
  });

  test('has the company, by which its customer is found, too', async () => {
    expect((await search('zephyrline')).body.data[0].company).toBe('Zephyrline Repairs Ltd');
    for (const q of ['zephyrline', 'GB777888999', 'quayside hull', 'tomas zephyrline']) {
      const { body } = await admin.get(`/user?q=${encodeURIComponent(q)}`);
      expect(
        body.map(({ email }: Person) => email),
        q,
      ).toEqual(['tomas@movilcentro.example']);
    }
  });

  test('finds activity by a parcel until it is removed', async () => {
    const about = async () => (await readActivity(shop, '?q=998877')).map(({ order: id }) => id);
    const parcel = await addParcel({ carrier: 'UPS', number: '998877', quantity: 1 });
    expect([await find('ups 998877'), new Set(await about())]).toEqual([[order._id], new Set([order._id])]);
    const path = `/order/${order._id}/shipment/${parcel}`;
    await admin.delete(path);
    expect([await find('998877'), await about()]).toEqual([[], []]);
  });

  test('finds orders by part number, in any case, after a rename', async () => {
    const part = await aProduct(shop, { name: 'Haptic motor' });
    const customer = await signedInAs(shop, 'user');
    const [first, second] = [await customer.orders(part), await customer.orders(part)];
    await change(first, { createdAt: new Date(0) });
    await shop.db.update(products).set({ name: 'Linear motor' }).where(sql`${products.id} = ${part._id}`);
    for (const q of [part.number, ` ${part.number.toLowerCase()} `]) {
      expect(await find(q), q).toEqual([second._id, first._id]);
    }
    expect(await find(part.number, '&limit=1')).toEqual([second._id]);
    expect(await find(part.number, '&status=paid')).toEqual([]);
    expect(await find(part.number.slice(0, -1))).toEqual([]);
    const own = await customer.get(`/order?email=${customer.email}&q=${part.number}`);
    expect(own.body.data).toHaveLength(2);
  });

  test.each([
    ['tomas', 'without accents'],
    ['TOMÁS', 'with them, in capital letters'],
    ['Tomás oster', 'by words of the name'],
    ['oled 6.1', 'by words that do not stand side by side'],
    ['6.1 madrid', 'by words of part and address'],
    ['alcala', 'by the address'],
    ['28028', 'by what looks like a number'],
    ['zephyrline repairs', 'by its company'],
    ['GB 777 888 999', 'by its tax number'],
    ['quayside hull', 'by its billing address'],
    ['DPD 15501234567890', 'by its parcel'],
    ['werkstatt sud', 'by its reference'],
    ['77_a', 'by its reference, every character literal'],
    ['34911550182', 'by the phone number without its marks'],
    ['911) 55-01', 'by the phone number as it was written'],
    ['movilcentro.example', 'by the email'],
    ['t', 'by one letter that begins a word'],
  ])('finds the order with %j, %s', async (q) => {
    expect(await find(q)).toContain(order._id);
  });

  test.each(['+44 113 243 0961', '0113 2430961', '+44 (0)113 243 0961', '+44-113-2430961'])(
    'finds the phone number %s in any notation',
    async (phone) => {
      await change(order, { phone });
      for (const q of [
        '+441132430961',
        '+44 113 243 0961',
        '+44 (0)113 243 0961',
        '00441132430961',
        '0113 243 0961',
        '(0)113 243 0961',
        '(0113) 243-0961',
      ]) {
        expect(await find(q), q).toEqual([order._id]);
      }
      for (const q of ['+491132430962', '0113 243 0962', '+44 114 243 0961']) {
        expect(await find(q), q).toEqual([]);
      }
    },
  );

  test.each(['+233 207 815204', '233207815204', '00233207815204', '0207 815204', '(0207) 815-204'])(
    'finds the phone number %s by its beginning in any notation',
    async (phone) => {
      await change(order, { phone });
      const typed = ['+233207', '+233 207', '00233 207', '+233 (0)207', '0207', '0207 815', '(0207) 81'];
      // Digits without a sign or leading zeros may not begin with a country code.
      const withCountry = phone.includes('233') ? ['233207', '233 207', '233-207'] : [];
      for (const q of [...typed, ...withCountry]) expect(await find(q), q).toEqual([order._id]);
      for (const q of ['+233208', '0208', '207 816']) expect(await find(q), q).toEqual([]);
    },
  );

  test.each([
    ['77%a', 'a percent sign is one'],
    ['77％a', 'and so is a wide one'],
    ['tomas battery', 'every word must be there'],
    ['lcala 211', 'digits are not guessed'],
    ['ß', 'a letter that is in none'],
    ['%', 'a sign that is in none'],
    ['\\', 'a backslash'],
    ['＼', 'a wide one'],
  ])('finds nothing with %j: %s', async (q) => {
    const { status, body, headers } = await search(q);
    expect([status, body.data, headers.get('x-total-count')]).toEqual([200, [], '0']);
  });
});

test('a search text without words finds every order', async () => {
  const all = await find('');
  expect(all.length).toBeGreaterThan(1);
  expect(await find('\u0301')).toEqual(all);
});

describe('the search among many orders', () => {
  /** Adds copies of an order, each a minute older. */
  async function copy(order: Order, count: number, values: string): Promise<void> {
    await shop.db.execute(sql`
      insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone, quantity,
        total_cents, created_at)
      select gen_random_uuid(), user_id, product_id, ${values}, image, price_cents, name, email, address, phone, quantity,
        total_cents, created_at - n * interval '1 minute'
      from orders, generate_series(1, ${count}::int) n where id = ${order._id}`);
  }

  test('paginates common words and finds rare and old ones', async () => {
    const buyer = await signedInAs(shop, 'user', { name: 'Many Orders' });
    const newest = await buyer.orders(await aProduct(shop, { name: 'Gasket' }));
    await copy(newest, 200, 'Gasket');
    await copy(newest, 60, 'Spacer');
    await copy(newest, 6_000, 'Screw');
    await shop.db.execute(sql`
      insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
        quantity, total_cents, created_at)
      select gen_random_uuid(), user_id, product_id, 'Vapour chamber', image, price_cents, name, email, address, phone,
        quantity, total_cents, created_at - interval '1 year' from orders where id = ${newest._id}`);

    const pages: number[] = [];
    const ids = new Set<string>();
    let path: string | undefined = '/order?q=gasket&limit=100';
    while (path) {
      const { body, headers } = await admin.get(path);
      pages.push(body.data.length);
      for (const { _id } of body.data) ids.add(_id);
      path = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect([pages, ids.size]).toEqual([[100, 100, 1], 201]);

    const rare = await search('vapour');
    expect([rare.body.data.length, rare.headers.get('x-total-count')]).toEqual([1, '1']);
    // Counts among the newest 5,000 alone, with 201 gaskets and a few others.
    const common = await search('screw', '&limit=5');
    expect(common.body.data.length).toBe(5);
    expect(common.headers.get('x-total-count')).toBe('1000+');
    const both = await search('gasket', '&limit=5');
    expect(both.headers.get('x-total-count')).toBe('201+');
    // Rarer words are counted exactly.
    const fewer = await search('spacer', '&limit=5');
    expect([fewer.body.data.length, fewer.headers.get('x-total-count')]).toEqual([5, '60']);
  });

  test('finds an old order by its email or by words with marks', async () => {
    const buyer = await signedInAs(shop, 'user', { email: 'many@workshop-supplies.example' });
    const newest = await buyer.orders(await aProduct(shop));
    await copy(newest, 6_000, 'Screw');
    const addOld = async (email: string, address: string) => {
      const { rows } = await shop.db.execute<{ id: string }>(sql`
        insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
          quantity, total_cents, created_at)
        select gen_random_uuid(), user_id, product_id, product_name, image, price_cents, name, ${email}, ${address}, phone,
          quantity, total_cents, created_at - interval '1 year' from orders where id = ${newest._id} returning id`);
      return rows[0]?.id;
    };
    const ada = await addOld('ada.okafor@workshop-supplies.example', 'Block-17,500-Ostrava');
    const other = await addOld('okafor.ada@workshop-supplies.example', 'Block-17,501-Ostrava');

    expect(await find('ada.okafor@workshop-supplies.example')).toEqual([ada]);
    expect(await find('ADA.Okafor@workshop')).toEqual([ada]);
    expect(await find('okafor.ada@workshop-supplies.example screw')).toEqual([]);
    expect(await find('okafor.ada@workshop-supplies.example ostrava')).toEqual([other]);
    expect(await find('block-17,500-ostrava')).toEqual([ada]);
    expect(await find('ada.okafor@supplies.example')).toEqual([]);
    expect((await search('workshop-supplies.example', '&limit=1')).headers.get('x-total-count')).toMatch(
      /\+$/,
    );
  });
});
