import { MAIL_KINDS } from '@parts-forge/contract/events/mail-kinds';
import type { DownloadRequest } from '@parts-forge/contract/files/downloads';
import type { Order } from '@parts-forge/contract/orders/orders';
import { partPath } from '@parts-forge/contract/products/part-rules';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedDemo } from '#src/demo/seed-demo.ts';
import { ensureFirstAdmin } from '#src/identity/administrators.ts';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { readAddresses } from '#src/pages/pages-build.ts';
import { aProduct, type Person, readProduct } from '#test/builders.ts';
import { checkEInvoice } from '#test/check-e-invoice.ts';
import { describedOperations } from '#test/described-operations.ts';
import { downloadFile, readPdf } from '#test/downloads.ts';
import { anImport } from '#test/imports.ts';
import { aShipment } from '#test/paid-orders.ts';
import { readSandbox } from '#test/paying.ts';
import { anOpenPaymentTogether } from '#test/paying-several.ts';
import { confirmCard } from '#test/person.ts';
import { askAndAgree } from '#test/prices-of-mails.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

/** JSON Schema has `$ref` and patterns, and a blog `${`. */
const expectNoDollar = (text: string, where: string): void =>
  expect([where, /.{0,30}(?:\$(?!ref"|[{"|)])|\bUSD\b|dollar).{0,30}/i.exec(text)?.[0]]).toEqual([
    where,
    undefined,
  ]);

const html = { accept: 'text/html' };
const month = new Date().toISOString().slice(0, 7);

/** Their totals share a cent of 20 % tax that does not round. */
const currencies = [
  { currency: 'EUR', price: 19.99, part: 123.45, cents: 100, text: '€999.50', decimals: '.00' },
  { currency: 'JPY', price: 1999, part: 12_345, cents: 1, text: '¥99,950', decimals: '' },
];

describe.each(currencies)('a shop in $currency', ({ currency, price, part, cents, text, decimals }) => {
  const shop = useShop({
    env: {
      SHOP_CURRENCY: currency,
      SEED: 'demo',
      SELLER_COUNTRY: 'FR',
      SELLER_TAX_ID: 'FR12345678901',
      SELLER_TAX_RATE: '20',
    },
  });
  const admin = usePerson(shop, 'admin');
  const customer = usePerson(shop, 'user');
  let orders: Order[];
  let id: string;
  let shipmentId: string;

  /** Beside the demonstration a purchase of two orders: one is refunded in part, and one is sent. */
  beforeAll(async () => {
    const chief = { adminEmail: 'chief@shop.example', adminPassword: 'a long enough password' };
    await ensureFirstAdmin(chief, shop.services);
    await seedDemo(shop.services);
    await customer.put(`/user/update/${customer.email}`, { country: 'fr' });
    const priceBreaks = [{ quantity: 100, price: price - 1 }];
    const products = [await aProduct(shop, { price, priceBreaks }), await aProduct(shop, { price })];
    const { body } = await customer.placesBatch(products.map((product) => [product, 50]));
    const read = async (_id: string): Promise<Order> => (await customer.get(`/order/${_id}`)).body;
    orders = await Promise.all(body.insertedIds.map(read));
    const payment = await anOpenPaymentTogether(customer, orders);
    id = payment.id;
    await confirmCard(shop, payment.clientSecret);
    const [refunded, sent] = orders as [Order, Order];
    await customer.records(refunded, id);
    expect((await admin.refunds(refunded, { amount: part, returnStock: false })).status).toBe(200);
    expect((await admin.accepts(sent)).status).toBe(200);
    shipmentId = (await aShipment(admin, sent))._id;
  });

  test('the provider takes and refunds amounts in its smallest unit', async () => {
    const total = orders.reduce((sum, order) => sum + order.totalPrice, 0);
    const { intents, refunds } = await readSandbox(shop);
    expect(intents.find((intent: { id: string }) => intent.id === id)).toMatchObject({
      amount: Math.round(total * cents),
      currency: currency.toLowerCase(),
    });
    expect(refunds).toContainEqual(
      expect.objectContaining({ payment_intent: id, amount: Math.round(part * cents) }),
    );
    const proof = (await admin.get(`/overview/month/proof?month=${month}`)).body;
    expect([proof.agree, proof.differences]).toEqual([true, []]);
  });

  test("the demonstration's orders have the prices of its parts", async () => {
    const { data }: { data: Order[] } = (await admin.get('/order?limit=100')).body;
    const sold = data.filter(({ email }) => email !== customer.email);
    expect(sold.length).toBeGreaterThan(20);
    for (const order of sold) {
      const { price, priceBreaks } = await readProduct(shop, order.productId);
      expect([price, ...priceBreaks.map((each) => each.price)]).toContain(order.price);
    }
  });

  test('no call answers with a dollar', async () => {
    const file = await anImport(admin, `number,price (${currency})\nNEW-1,${price}\n`);
    const mail = (await admin.get('/mail')).body.data[0]._id;
    const ids: [start: string, id: string][] = [
      ['/product/import/', file._id],
      ['/product/', orders[0]?.productId ?? ''],
      ['/order/', orders[0]?._id ?? ''],
      ['/user/', customer.email],
      ['/mail/', mail],
    ];
    for (const { method, path, security } of await describedOperations(shop.app)) {
      if (method !== 'GET' || path === '/live') continue;
      const address = path.replace(/\{\w+\}/, ids.find(([start]) => path.startsWith(start))?.[1] ?? '');
      const query =
        path === '/price'
          ? `?products=${orders[0]?.productId}`
          : path.startsWith('/overview/month')
            ? `?month=${month}`
            : '';
      const answers = [await admin.get(address + query), await customer.get(address + query)];
      const answer = answers.find(({ status }) => status !== 403);
      expect([path, security, answer?.status]).toEqual([path, security, 200]);
      expectNoDollar(JSON.stringify(answer?.body), path);
    }
    const { body: described } = await shop.request('/openapi.json');
    expectNoDollar(JSON.stringify(described), 'openapi');
    expect(described.info.description).toContain(`Money is ${currency}`);
    expect((await shop.request('/config')).body.currency).toBe(currency);
  });

  test('no page that the server renders has a dollar', async () => {
    for (const { path } of readAddresses()) {
      const address = path.replace(/(?<=products\/|purchase\/):id/, orders[0]?.productId ?? '');
      const { body } = await shop.request(address.replace(/:\w+/g, '1'), { headers: html });
      const page = String(body).replace(
        /<!--.*?-->|<script(?! type="application\/ld\+json").*?<\/script>/gs,
        '',
      );
      expectNoDollar(page, path);
    }
    const own = await readProduct(shop, orders[0]?.productId ?? '');
    const page = String((await shop.request(partPath(own), { headers: html })).body);
    expect(page).toContain(`<meta name="currency" content="${currency}"/>`);
    expect(page).toContain(`"price":"${price}","priceCurrency":"${currency}"`);
  });

  test('no mail has a dollar', async () => {
    const { services } = shop;
    const part = await readProduct(shop, orders[1]?.productId ?? '');
    const quoteId = await askAndAgree(shop, customer, part);
    for (const kind of MAIL_KINDS) {
      const row = {
        id: services.ids.next(),
        kind,
        userId: customer.userId,
        orderId: orders[1]?._id ?? '',
        productId: orders[1]?.productId ?? '',
        ...(kind.startsWith('parcel-') && { shipmentId }),
        ...(kind.startsWith('quote-') && { quoteId }),
        createdAt: new Date(),
        nextAttemptAt: new Date(),
      };
      await services.database.db.insert(mailOutbox).values(row);
      const { body, status } = await admin.get(`/mail/${row.id}`);
      expect([kind, status]).toEqual([kind, 200]);
      expectNoDollar(`${body.subject}${body.text}${body.html}`, kind);
      if (kind === 'order-placed') expect(body.text).toContain(text);
    }
  });

  const take = async (who: Person, body: DownloadRequest): Promise<Buffer> =>
    (await downloadFile(shop, who, body)).bytes;

  test('no paper has a dollar, and e-invoices follow the norm', async () => {
    const order = orders[0]?._id ?? '';
    const invoice = (await readPdf(await take(customer, { what: 'invoice', order }))).pages.join(' ');
    expect(invoice).toContain(text);
    expect(invoice).toContain(currency);
    const zip = await take(admin, { what: 'invoices', month, as: 'zip' });
    const files = Object.entries(unzipSync(zip));
    expect(files.length).toBeGreaterThan(5);
    for (const [name, bytes] of files) {
      const isXml = name.endsWith('.xml');
      const content = isXml
        ? String(Buffer.from(bytes))
        : (await readPdf(Buffer.from(bytes))).pages.join(' ');
      expectNoDollar(content, name);
      if (isXml) expect([name, await checkEInvoice(content)]).toEqual([name, []]);
    }
    const xml = String(await take(customer, { what: 'invoice', order, as: 'xml' }));
    expect(xml).toContain(`<ram:InvoiceCurrencyCode>${currency}<`);
    expect(xml).toContain(`currencyID="${currency}">`);
    expect(xml).toContain(`<ram:DuePayableAmount>0${decimals}</`);
  });

  test('no file has a dollar', async () => {
    for (const what of ['orders', 'activity', 'stock'] as const)
      expectNoDollar(String(await take(admin, { what })), what);
    const movements = String(await take(admin, { what: 'month', month }));
    expectNoDollar(movements, 'month');
    // A negative amount is disarmed as no formula.
    expect(movements).toContain(`refunded,-${part}`);
    const catalogue = String(await take(admin, { what: 'catalogue', as: 'csv' }));
    expectNoDollar(catalogue, 'catalogue');
    for (const content of Object.values(unzipSync(await take(admin, { what: 'catalogue', as: 'xlsx' }))))
      expectNoDollar(String(Buffer.from(content)), 'workbook');
    const list = String((await shop.request('/price-list.csv')).body);
    expectNoDollar(list, 'price list');
    expect(list).toContain(`Unit price (${currency})`);
    // The shop reads its own file.
    expect((await anImport(admin, catalogue)).lines).toEqual([]);
  });
});
