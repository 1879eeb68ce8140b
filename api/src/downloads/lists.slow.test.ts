import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { aLink, downloadFile } from '#test/downloads.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const readRows = (bytes: Buffer): string[] => bytes.toString('utf8').split('\r\n');

/** Inserts orders in small statements, as one large one would exceed the statement timeout. */
async function addOrders(customer: Person, productId: string, count: number, address = 'Accra') {
  for (let first = 1; first <= count; first += 500) {
    await shop.pool.query(
      `insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
         quantity, total_cents, created_at)
       select gen_random_uuid(), $1, $2, 'Part ' || n, '/images/x.webp', 100, 'Amara', $3, $6, '12345', 50, 5000,
         '2026-01-01'::timestamptz + n * interval '1 second'
       from generate_series($4::int, $5::int) as n`,
      [customer.userId, productId, customer.email, first, Math.min(first + 499, count), address],
    );
  }
}

describe('orders as CSV', () => {
  test('have a fixed header and a line for each order', async () => {
    const customer = await signedInAs(shop, 'user', { name: 'Zoë "Zed", O’Hara' });
    const body = { company: 'Zephyrline' };
    await customer.put(`/user/update/${customer.email}`, body);
    const product = await aProduct(shop, { name: 'Coil', price: 6.3 });
    const order = await customer.orders(product, 100);
    const transactionId = await customer.pays(order);
    const { bytes, headers } = await downloadFile(shop, customer, { what: 'orders' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header, row] = readRows(bytes);
    expect([header, row?.replace(/\d{4}-\d{5},,/, 'the invoice,,'), '']).toEqual([
      '\ufeffOrder,Ordered at,Status,Part number,Part,Quantity,Unit price (USD),Total (USD),Refunded (USD),Refund,Disputed,Customer,Email,Phone,Address,Reference,Transaction ID,Order ID,Parcels,Invoice,Credit and debit notes,Invoice net (USD),Invoice tax (USD),Company,Purchase',
      `${order.number},${order.createdAt},pending,${product.number},Coil,100,6.30,630.00,,,,"Zoë ""Zed"", O’Hara",${customer.email},233302771204,"12 Oxford Street, Osu\nAccra",,${transactionId},${order._id},,the invoice,,630.00,0.00,Zephyrline,`,
      '',
    ]);
  });

  test('name invoice and credit notes of each order', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const admin = await signedInAs(shop, 'admin');
    for (const quantity of [1, 2]) await admin.refunds(order, { quantity, returnStock: true });
    const papers = await downloadFile(shop, customer, { what: 'credit-note', order: order._id });
    const numbers = /(CN-[\d-]+)-(CN-[\d-]+)\.pdf/.exec(papers.headers.get('content-disposition') ?? '');
    const [, row = ''] = readRows((await downloadFile(shop, customer, { what: 'orders' })).bytes);
    expect(row).toMatch(new RegExp(`,\\d{4}-\\d{5},"${numbers?.[1]}; ${numbers?.[2]}",`));
  });

  test('mark text as text if a spreadsheet would run it', async () => {
    const customer = await signedInAs(shop, 'user', { name: '=HYPERLINK("http://x.example")' });
    const product = await aProduct(shop, { name: '+1' });
    const order = await customer.orders(product);
    await shop.pool.query(
      `update orders set phone = '+44 20', address = E'@SUM(1)', reference = '-1' where id = $1`,
      [order._id],
    );
    const [, row = ''] = readRows((await downloadFile(shop, customer, { what: 'orders' })).bytes);
    expect(row).toContain(`,'+1,`);
    expect(row).toContain(`,"'=HYPERLINK(""http://x.example"")",`);
    expect(row).toContain(",'+44 20,'@SUM(1),'-1,");
  });

  test("follow the list's filters and belong to their reader", async () => {
    const [customer, other] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'user')];
    const product = await aProduct(shop);
    const own = await customer.orders(product);
    const others = await other.orders(product);
    const paid = await other.orders(product);
    await other.pays(paid);
    const readIds = async (who: Person, filters = {}) =>
      readRows((await downloadFile(shop, who, { what: 'orders', filters })).bytes)
        .slice(1, -1)
        .map((row) => row.split(',').at(-8));
    expect(await readIds(customer)).toEqual([own._id]);
    expect(await readIds(customer, { email: customer.email })).toEqual([own._id]);
    expect(await readIds(admin)).toEqual(expect.arrayContaining([own._id, others._id, paid._id]));
    expect(await readIds(admin, { email: other.email })).toEqual([paid._id, others._id]);
    expect(await readIds(admin, { q: other.email, status: 'pending' })).toEqual([paid._id]);
  });

  test('contain each order once, for any number of orders', async () => {
    const customer = await signedInAs(shop, 'user');
    await addOrders(customer, (await aProduct(shop))._id, 1234);
    const rows = readRows((await downloadFile(shop, customer, { what: 'orders' })).bytes).slice(1, -1);
    expect(rows).toHaveLength(1234);
    expect(new Set(rows.map((row) => row.split(',').at(-8))).size).toBe(1234);
    expect(rows[0]).toContain('Part 1234,');
  });

  test('are read only as far as the reader consumes them', async () => {
    const customer = await signedInAs(shop, 'user');
    // 10 MB, more than the connection buffers.
    await addOrders(customer, (await aProduct(shop))._id, 10_000, 'x'.repeat(1000));
    const link = await aLink(customer, { what: 'orders' });
    let statements = 0;
    const count = () => {
      statements += 1;
    };
    const asked = request(shop.url + link).end();
    const [response] = await once(asked, 'response');
    await once(response, 'data');
    response.destroy();
    await once(response, 'close');
    shop.pool.on('acquire', count);
    // Later requests are answered while the rest would be read.
    for (let calls = 0; calls < 50; calls += 1) await customer.get('/order');
    shop.pool.off('acquire', count);
    // A page and its part numbers are two statements, forty times; each call above is two.
    expect(statements - 100).toBeLessThan(40);
  });
});

describe('other lists as CSV', () => {
  test('contain the activity under its filters', async () => {
    const customer = await signedInAs(shop, 'user');
    const product = await aProduct(shop);
    const order = await customer.orders(product);
    const transactionId = await customer.pays(order);
    const { bytes } = await downloadFile(shop, admin, { what: 'activity', filters: { q: transactionId } });
    const [header, row = '', ...more] = readRows(bytes);
    expect(header).toBe(
      '\ufeffAt,Event,By,By name,Order,Order ID,Part,Person,Person email,Transaction ID,Pieces,Before,After,Request ID,Key',
    );
    // The page and the provider report the payment at the same time.
    expect(row).toMatch(/,paid,(user|provider),/);
    expect(row).toContain(
      `,${order.number},${order._id},,,,${transactionId},,status: due,"status: pending; amount: ${order.totalPrice}",`,
    );
    expect(more).toEqual(['']);
  });

  test('contain the stock of all parts and the ledger of one', async () => {
    const product = await aProduct(shop, { name: 'Ledger part', price: 5, quantity: 900 });
    product.number = 'GH82-25461A/B';
    await shop.pool.query('update products set number = $1 where id = $2', [product.number, product._id]);
    const customer = await signedInAs(shop, 'user');
    const order = await customer.orders(product, 60);
    const stock = readRows((await downloadFile(shop, admin, { what: 'stock' })).bytes);
    expect(stock[0]).toBe(
      '\ufeffPart number,Part,Kind,Stock,Minimum order,Order step,Unit price (USD),Changed at,Part ID',
    );
    expect(stock.filter((row) => row.includes(product._id))).toEqual([
      expect.stringContaining(`${product.number},Ledger part,Other,840,50,1,5.00,`),
    ]);
    const counted = await admin.post(
      `/product/${product._id}/stock`,
      { set: 800, was: 840, reason: 'correction', note: 'Counted twice, shelf 4' },
      { 'idempotency-key': crypto.randomUUID() },
    );
    expect(counted.status).toBe(200);
    const file = await downloadFile(shop, admin, { what: 'stock', filters: { product: product._id } });
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="stock-GH82-25461A-B-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const ledger = readRows(file.bytes);
    expect(ledger[0]).toBe('\ufeffAt,Kind,Change,Balance,Order,Order ID,By,By name,Note');
    expect(ledger[1]).toMatch(/,correction,-40,800,,,admin,[^,]*,"Counted twice, shelf 4"$/);
    expect(ledger[2]).toMatch(
      new RegExp(`,order,-60,840,${order.number},${order._id},user,${customer.name},$`),
    );
    expect(ledger[3]).toMatch(/,initial,900,900,,,/);
  });
});
