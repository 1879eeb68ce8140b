import type { Month } from '@parts-forge/contract/orders/overview';
import { beforeEach, expect, test, vi } from 'vitest';
import { awaitMonth } from '#src/invoices/movements.ts';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { type Clock, systemClock } from '#src/platform/core/clock.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { downloadFile } from '#test/downloads.ts';
import { controlSandbox } from '#test/paying.ts';
import { loseEvents } from '#test/payment-provider.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';
import { awaitWaiting } from '#test/waiting-statements.ts';

let nowMs: number;
const clock: Clock = { now: () => new Date(nowMs) };

let shop: TestShop;
let admin: Person;
beforeEach(async () => {
  shop = await startForTest({
    clock,
    env: { SELLER_TAX_RATE: '20', SHOP_TIME_ZONE: 'America/New_York' },
  });
  await at('2026-11-10T12:00:00Z');
});

/** Sign-ins end after a while. */
async function at(moment: string): Promise<void> {
  nowMs = Date.parse(moment);
  admin = await signedInAs(shop, 'admin');
}

const read = async (month = '2026-11'): Promise<Month> => {
  const { status, body } = await admin.get(`/overview/month?month=${month}`);
  expect(status).toBe(200);
  return body;
};

async function aSale(price: number, quantity: number, name = 'Display') {
  const product = await aProduct(shop, { price, name });
  const customer = await signedInAs(shop, 'user', { name: 'Amara, "Repairs"' });
  const order = await customer.orders(product, quantity);
  const id = await customer.pays(order);
  return { order, id, customer, product };
}

test('a month without papers is empty', async () => {
  expect(await read()).toEqual({
    received: 0,
    refunded: 0,
    lost: 0,
    net: 0,
    tax: 0,
    days: [],
    parts: [],
    taxes: [],
    papers: 0,
    notElectronic: [],
    refunds: { count: 0, orders: 0 },
    disputes: { lost: 0, open: 0 },
  });
});

test('days, parts and taxes add up to the month', async () => {
  const { order, product } = await aSale(12, 100);
  await at('2026-11-12T12:00:00Z');
  await aSale(6, 50, 'Battery');
  await admin.refunds(order);
  const { id } = await aSale(3, 50, 'Frame');
  await controlSandbox(shop, { dispute: { intent: id, status: 'needs_response' } });
  await fetchEvents(shop.services);
  const month = await read();
  expect(month).toMatchObject({ received: 1650, refunded: 1200, lost: 0, net: 450, tax: 75 });
  expect(month.days).toEqual([
    { day: '2026-11-10', received: 1200, refunded: 0, lost: 0, net: 1200 },
    { day: '2026-11-12', received: 450, refunded: 1200, lost: 0, net: -750 },
  ]);
  const pieces = { lost: 0 };
  expect(month.parts).toEqual([
    { number: product.number, name: 'Display', pieces: 0, received: 1200, refunded: 1200, ...pieces },
    { number: expect.any(String), name: 'Battery', pieces: 50, received: 300, refunded: 0, ...pieces },
    { number: expect.any(String), name: 'Frame', pieces: 50, received: 150, refunded: 0, ...pieces },
  ]);
  expect(month.taxes).toEqual([{ category: 'standard', name: 'VAT', rate: 20, net: 375, tax: 75 }]);
  expect(month).toMatchObject({
    papers: 4,
    refunds: { count: 1, orders: 1 },
    disputes: { lost: 0, open: 1 },
  });
});

test("a month begins and ends in the shop's time zone", async () => {
  await at('2026-11-01T03:59:59Z');
  await aSale(1, 100);
  await at('2026-11-01T04:00:00Z');
  await aSale(2, 100);
  // Standard time by now.
  await at('2026-12-01T04:59:59Z');
  await aSale(3, 100);
  await at('2026-12-01T05:00:00Z');
  await aSale(4, 100);
  expect((await read('2026-10')).received).toBe(100);
  expect((await read('2026-11')).days.map(({ day, received }) => [day, received])).toEqual([
    ['2026-11-01', 200],
    ['2026-11-30', 300],
  ]);
  expect((await read('2026-12')).received).toBe(400);
});

test('a refund counts in its own month and leaves the other', async () => {
  const { order } = await aSale(12, 100);
  const november = await read();
  await at('2026-12-02T12:00:00Z');
  await admin.refunds(order);
  expect({ ...(await read()), disputes: november.disputes }).toEqual(november);
  expect(await read('2026-12')).toMatchObject({ received: 0, refunded: 1200, net: -1200, tax: -200 });
});

test("an ended month waits for the shop's first two papers", async () => {
  await at('2026-12-01T04:59:59Z');
  await loseEvents(shop);
  const product = await aProduct(shop);
  const customer = await signedInAs(shop, 'user');
  const orders = [await customer.orders(product), await customer.orders(product)];
  const [client, watcher] = [await shop.pool.connect(), await shop.pool.connect()];
  // An own row, as of a paper that is not stored yet.
  await client.query('begin');
  await client.query("insert into invoice_numbers values ('invoice', 2026, 0, '1970-01-01Z')");
  const paying = Promise.all(orders.map((order) => customer.pays(order)));
  await awaitWaiting(watcher, 2);
  await at('2026-12-01T05:00:01Z');
  const reading = read();
  await awaitWaiting(watcher, 3);
  await client.query('commit');
  watcher.release();
  client.release();
  await paying;
  const november = await reading;
  expect(november).toEqual({ ...(await read()), disputes: november.disputes });
  const { rows } = await shop.pool.query(
    "select sequence from invoices where series = 'invoice' order by sequence",
  );
  expect(rows).toEqual([{ sequence: 1 }, { sequence: 2 }]);
});

test('a payment with an early clock counts in the next month', async () => {
  await aSale(1, 100);
  await at('2026-12-01T05:00:01Z');
  await read();
  await at('2026-12-01T04:59:59Z');
  await aSale(2, 100);
  expect((await read()).received).toBe(100);
  expect((await read('2026-12')).days).toMatchObject([{ day: '2026-12-01', received: 200 }]);
});

test('an ended month waits for payments that began in it', async () => {
  await aSale(1, 100);
  await at('2026-12-01T05:00:01Z');
  const client = await shop.pool.connect();
  await client.query('begin');
  await client.query("update invoice_numbers set last = last where series = 'invoice'");
  const readCsv = () => downloadFile(shop, admin, { what: 'month', month: '2026-11' });
  const reading = Promise.all([read(), readCsv()]);
  const watcher = await shop.pool.connect();
  await awaitWaiting(watcher, 2);
  watcher.release();
  await client.query('commit');
  client.release();
  const [month, { bytes }] = await reading;
  expect(month.received).toBe(100);
  expect(bytes.toString('utf8').trim().split('\r\n')).toHaveLength(2);
});

test('the first read of an ended month alone writes its numbers', async () => {
  await aSale(1, 100);
  await at('2026-12-01T05:00:01Z');
  const readRows = async () => {
    await read();
    return (await shop.pool.query('select ctid, * from invoice_numbers')).rows;
  };
  expect(await readRows()).toEqual(await readRows());
});

test('a reader whose clock is ahead of the database moves no dates', async () => {
  await aSale(1, 100);
  vi.spyOn(systemClock, 'now').mockReturnValueOnce(new Date('2100-01-01T12:00:00Z'));
  await awaitMonth({ ...shop.services, clock: systemClock }, '2099-12');
  const { rows } = await shop.pool.query('select from invoice_numbers where year > 2026');
  expect(rows).toEqual([]);
});

test.each(['2026-13', '2026-00', '2026-1', '26-11', '2026-11-01', '', '1999-12'])(
  'the month %j is refused',
  async (month) => {
    const answer = await admin.get(`/overview/month?month=${month}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([{ path: 'month', message: 'Must be a month such as 2026-11' }]);
  },
);

test("the month's CSV has a signed line for each movement", async () => {
  const { order, id, customer, product } = await aSale(12, 100);
  await admin.refunds(order);
  const { headers, bytes } = await downloadFile(shop, admin, { what: 'month', month: '2026-11' });
  expect(headers.get('content-disposition')).toBe('attachment; filename="month-2026-11.csv"');
  const [head, ...lines] = bytes.toString('utf8').replace('\ufeff', '').trim().split('\r\n');
  expect(head).toBe(
    'Date,Kind,Amount (USD),Net (USD),Tax (USD),Tax,Tax rate (%),Tax category,Tax number,Order,Paper,Transaction ID,Customer,Company,Country,Part number,Part,Pieces,For invoice',
  );
  const part = `"${'Amara, ""Repairs""'}",,,${product.number},Display`;
  expect(lines).toEqual([
    `2026-11-10,received,1200.00,1000.00,200.00,VAT,20.00,standard,,${order.number},2026-00001,${id},${part},100,`,
    `2026-11-10,refunded,-1200.00,-1000.00,-200.00,VAT,20.00,standard,,${order.number},CN-2026-00001,${id},${part},-100,2026-00001`,
  ]);
  const readLines = async (who: Person) =>
    (await downloadFile(shop, who, { what: 'month', month: '2026-11' })).bytes.toString('utf8').split('\r\n');
  await aSale(1, 50);
  expect(await readLines(admin)).toHaveLength(lines.length + 3);
  // Customers get their own.
  expect((await readLines(customer)).slice(1, -1)).toEqual(lines);
  expect((await readLines(await signedInAs(shop, 'user'))).slice(1)).toEqual(['']);
});
