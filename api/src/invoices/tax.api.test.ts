import type { Month } from '@parts-forge/contract/orders/overview';
import { readDay } from '@parts-forge/contract/text/days';
import { expect, test, vi } from 'vitest';
import type { Clock } from '#src/platform/core/clock.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { downloadFile, downloadPdf } from '#test/downloads.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { confirmCard, refundAtProvider } from '#test/paying.ts';
import { personAt } from '#test/person.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';
import { findInvoice, findNotes } from './store.ts';

const facts = {
  company: 'Mensah Repairs Ltd',
  taxNumber: 'gh 00.12-3',
  billingAddress: '4 Ring Road\nAccra',
  country: 'gh',
};

const shop = useShop({
  env: {
    SELLER_TAX_RATE: '19',
    SELLER_TAX_NAME: 'MwSt.',
    SELLER_EXEMPT_TEXT: 'Exempt by law',
    SELLER_COUNTRY: 'DE',
  },
});
const admin = usePerson(shop, 'admin');

const updateProfile = ({ email, token }: Person, body: object) =>
  shop.request(`/user/update/${email}`, { method: 'PUT', token, body });
const changeTax = ({ email }: Person, body: object) => admin.put(`/user/tax/${email}`, body);
const readUser = async ({ email }: Person) => (await admin.get(`/user/${email}`)).body;

const readWords = (pages: readonly string[]) => pages.join(' ').replace(/\s+/g, ' ');

/** @param untaxedRate of a customer who pays no tax */
async function aPaper(customer: Person, untaxedRate = 0) {
  const product = { ...(await aProduct(shop, { price: 19.99 })), untaxedRate };
  const order = await customer.orders(product, 57);
  await customer.pays(order);
  const paper = await findInvoice(shop.db, order._id);
  const { pages } = await downloadPdf(shop, customer, order);
  return { order, paper, text: readWords(pages) };
}

test('an invoice shows net, rate and tax', async () => {
  const { paper, text } = await aPaper(await signedInAs(shop, 'user'));
  expect(paper).toMatchObject({
    totalCents: 113_943,
    taxCents: 18_193,
    tax: { category: 'standard', rate: 1900 },
  });
  for (const words of ['Net $957.50', 'MwSt. 19 % $181.93', 'Total $1,139.43', 'Germany', 'net $16.798319']) {
    expect(text).toContain(words);
  }
});

test("an order's credit notes have exactly its invoice's tax", async () => {
  const { order, id } = await aPendingOrder(shop);
  await refundAtProvider(shop, id, 33);
  await refundAtProvider(shop, id, 50_000);
  await admin.refunds(order);
  const { db } = shop.services.database;
  const notes = await findNotes(db, order._id);
  const { papers } = (await admin.get(`/order/${order._id}?closed=true`)).body;
  expect(papers).toHaveLength(notes.length + 1);
  expect(papers[0]).toMatchObject({ kind: 'invoice', total: 1139.43, net: 957.5, tax: 181.93 });
  expect(papers[1]).toMatchObject({ kind: 'credit-note', number: expect.stringMatching(/^CN-20/) });
  expect(notes.length).toBeGreaterThan(0);
  expect(notes.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(113_943);
  expect(notes.reduce((sum, { taxCents }) => sum + taxCents, 0)).toBe(18_193);
});

test('a new rate counts for later orders alone', async () => {
  const later = await startForTest({
    shareDatabaseWith: shop,
    env: { SELLER_TAX_RATE: '7', SELLER_TAX_NAME: 'MwSt.' },
  });
  const { db } = shop.services.database;
  const { order } = await aPendingOrder(shop);
  const { order: laterOrder } = await aPendingOrder(later);
  const invoice = await findInvoice(db, laterOrder._id);
  expect(invoice).toMatchObject({ taxCents: 7_454, tax: { rate: 700 } });
  await personAt(later, admin).refunds(order);
  expect(await findNotes(db, order._id)).toMatchObject([{ taxCents: 18_193, tax: { rate: 1900 } }]);
});

test('later papers have the company of the profile', async () => {
  const customer = await signedInAs(shop, 'user');
  const former = await aPaper(customer);
  expect((await updateProfile(customer, facts)).status).toBe(200);
  expect(await readUser(customer)).toMatchObject({ ...facts, taxNumber: 'GH00123', country: 'GH' });
  const { paper, text } = await aPaper(customer);
  expect(paper?.buyer).toEqual({
    name: customer.name,
    email: customer.email,
    address: '4 Ring Road\nAccra',
    company: 'Mensah Repairs Ltd',
    taxNumber: 'GH00123',
    country: { code: 'GH', name: 'Ghana' },
  });
  expect(text).toContain(`To Mensah Repairs Ltd ${customer.name} 4 Ring Road Accra Ghana`);
  expect(text).toContain('Tax number GH00123');
  const again = await downloadPdf(shop, customer, former.order);
  expect(readWords(again.pages)).toBe(former.text);
});

test.each([
  ['exempt', 'Exempt by law'],
  ['reverse', 'Reverse charge: Exempt by law'],
] as const)('a customer marked as %s pays no tax, and papers have none', async (tax, words) => {
  const customer = await signedInAs(shop, 'user');
  await updateProfile(customer, facts);
  expect((await changeTax(customer, { tax, reason: 'Certificate 17' })).status).toBe(200);
  expect(await readUser(customer)).toMatchObject({ untaxed: { tax, reason: 'Certificate 17' } });
  const { order, paper, text } = await aPaper(customer, 1900);
  expect(order).toMatchObject({ price: 16.7983193277, totalPrice: 957.5, withoutTax: true });
  const copied = { category: tax, name: 'MwSt.', rate: 0, text: 'Exempt by law', reason: 'Certificate 17' };
  expect(paper).toMatchObject({ totalCents: 95_750, taxCents: 0, tax: copied });
  expect(text).toContain('57 $16.798319 $957.50');
  expect(text).toContain(`Total $957.50 ${words}`);
  expect(text).not.toMatch(/Net|MwSt/i);
  await changeTax(customer, { tax: 'standard' });
  expect(await readUser(customer)).not.toHaveProperty('untaxed');
  expect((await aPaper(customer)).paper?.taxCents).toBe(18_193);
});

test('pieces refunded without tax are together the total', async () => {
  const customer = await signedInAs(shop, 'user');
  await changeTax(customer, { tax: 'exempt', reason: 'Certificate 17' });
  const { order } = await aPaper(customer, 1900);
  const amounts: number[] = [];
  for (const quantity of [7, 25, 25]) {
    amounts.push((await admin.refunds(order, { quantity, returnStock: true })).body.refund.amount);
  }
  expect(amounts).toEqual([117.59, 419.95, 419.96]);
  const notes = await findNotes(shop.db, order._id);
  expect(notes.map(({ lines: [line] }) => [line?.quantity, line?.priceCents])).toEqual(
    [7, 25, 25].map((quantity) => [quantity, (1999 * 10_000) / 11_900]),
  );
});

test('a total with another tax than the present one is refused', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, {
    price: 1.03,
    quantity: 20_000,
    priceBreaks: [{ quantity: 10_000, price: 0.97 }],
  });
  const net = { ...product, untaxedRate: 1900 };
  const seen = await customer.places(net, 10_000);
  await changeTax(customer, { tax: 'exempt', reason: 'Certificate 17' });
  const later = await customer.places(product, 10_000);
  expect([seen, later].map(({ status, body }) => [status, body.price])).toEqual([
    [409, 0.97],
    [409, 0.8151260504],
  ]);
  const line = { productId: product._id, quantity: 10_000 };
  const { email, token } = customer;
  const saved = await shop.request(`/batch/${product._id}`, {
    method: 'PUT',
    token,
    body: { quantity: 10_000 },
  });
  expect(saved.body.data[0].price).toBe(0.8151260504);
  const place = (totalPrice: number) =>
    shop.request('/order/batch', {
      method: 'POST',
      token,
      body: { email, address: 'Accra', phone: '12345', lines: [{ ...line, totalPrice }] },
    });
  expect((await place(9700)).body.lines).toMatchObject([{ code: 'price-changed', price: 0.8151260504 }]);
  // The part's own price is taken, the break's charged.
  expect((await place(8655.46)).status).toBe(200);
  const { body } = await shop.request(`/order?email=${email}`, { token });
  expect(body.data).toMatchObject([{ quantity: 10_000, totalPrice: 8151.26 }]);
});

test('a paper has the facts of the order, also when they changed', async () => {
  const customer = await signedInAs(shop, 'user');
  await updateProfile(customer, facts);
  await changeTax(customer, { tax: 'exempt', reason: 'Certificate 17' });
  const product = await aProduct(shop, { price: 12, priceBreaks: [{ quantity: 50, price: 11.9 }] });
  const net = { ...product, price: 11.9, untaxedRate: 1900 };
  const order = await customer.orders(net, 50);
  const { pool, db } = shop.services.database;
  await updateProfile(customer, { company: 'Other Ltd', taxNumber: 'ZZ999', country: 'US' });
  await pool.query("update products set number = 'NEW-1', name = 'New', price_breaks = '[]' where id = $1", [
    product._id,
  ]);
  const { clientSecret } = await customer.opensPayment(order);
  await admin.delete(`/user/${customer.email}`);
  await confirmCard(shop, clientSecret);
  await vi.waitFor(async () => expect(await findInvoice(db, order._id)).not.toBeNull());
  expect(await findInvoice(db, order._id)).toMatchObject({
    totalCents: 50_000,
    tax: { category: 'exempt', reason: 'Certificate 17' },
    buyer: { company: 'Mensah Repairs Ltd', taxNumber: 'GH00123', country: { code: 'GH' } },
    lines: [{ partNumber: product.number, name: product.name, fromQuantity: 50 }],
  });
});

test.each([
  ['company', { company: 'Other Ltd' }],
  ['tax number', { taxNumber: 'GH 124' }],
  ['country', { country: 'US' }],
])('another %s charges tax until an administrator confirms', async (_what, change) => {
  const customer = await signedInAs(shop, 'user');
  await updateProfile(customer, facts);
  const decided = { tax: 'reverse', reason: 'GH123 checked' };
  await changeTax(customer, decided);
  await updateProfile(customer, { ...facts, taxNumber: 'gh 00.12-3', phone: '12345' });
  expect(await readUser(customer)).toMatchObject({ untaxed: decided });
  await updateProfile(customer, change);
  const user = await readUser(customer);
  expect([user.untaxed, user.taxToCheck]).toEqual([undefined, decided]);
  expect((await aPaper(customer)).paper?.tax?.category).toBe('standard');
  await changeTax(customer, decided);
  expect(await readUser(customer)).not.toHaveProperty('taxToCheck');
});

test.each([
  [
    'taxNumber',
    { taxNumber: ' .- ' },
    'Reverse charge needs a tax number: the customer enters it in My Profile',
  ],
  ['country', { country: '' }, 'Reverse charge needs a country: the customer enters it in My Profile'],
  ['country', { country: 'DE' }, "Reverse charge needs another country than the seller's, DE"],
])('reverse charge is refused by %s of %j', async (path, change, message) => {
  const customer = await signedInAs(shop, 'user');
  await updateProfile(customer, { ...facts, ...change });
  const { status, body } = await changeTax(customer, { tax: 'reverse', reason: 'Checked' });
  expect([status, body.errors]).toEqual([422, [{ path, message }]]);
});

test("a start ends reverse charge in the seller's new country", async () => {
  const customer = await signedInAs(shop, 'user');
  await updateProfile(customer, { ...facts, country: 'FR' });
  await changeTax(customer, { tax: 'reverse', reason: 'Checked' });
  await startForTest({ shareDatabaseWith: shop, env: { SELLER_COUNTRY: 'FR' } });
  expect(await readUser(customer)).toMatchObject({ taxToCheck: { tax: 'reverse', reason: 'Checked' } });
});

test("reverse charge needs the seller's country", async () => {
  const other = await startForTest();
  const [customer, boss] = [await signedInAs(other, 'user'), await signedInAs(other, 'admin')];
  await customer.put(`/user/update/${customer.email}`, facts);
  const { status, body } = await boss.put(`/user/tax/${customer.email}`, {
    tax: 'reverse',
    reason: 'Checked',
  });
  const message = 'Reverse charge needs the country of the seller: set SELLER_COUNTRY';
  expect([status, body.errors]).toEqual([422, [{ path: 'country', message }]]);
});

test('a new reason alone is in the trail, without its words', async () => {
  const customer = await signedInAs(shop, 'user');
  for (const reason of ['Certificate 17', 'Certificate 17', 'Certificate 18']) {
    await changeTax(customer, { tax: 'exempt', reason });
  }
  const { rows } = await shop.pool.query(
    "select before, after from trail where event = 'tax-changed' and user_id = $1 order by id",
    [customer.userId],
  );
  expect(rows).toEqual([
    { before: { tax: 'standard' }, after: { tax: 'exempt' } },
    { before: { tax: 'exempt' }, after: { tax: 'exempt' } },
  ]);
});

test('the month counts zero, exempt and reverse charge apart', async () => {
  const clock: Clock = { now: () => new Date('2030-05-10T12:00:00Z') };
  const zero = await startForTest({ clock, env: { SELLER_TAX_RATE: '0', SELLER_COUNTRY: 'DE' } });
  const person = await signedInAs(zero, 'admin');
  for (const tax of ['standard', 'exempt', 'reverse']) {
    const customer = await signedInAs(zero, 'user');
    const body = { tax, ...(tax !== 'standard' && { reason: 'a charity' }) };
    await customer.put(`/user/update/${customer.email}`, facts);
    await person.put(`/user/tax/${customer.email}`, body);
    await customer.pays(await customer.orders(await aProduct(zero, { price: 1 }), 100));
  }
  const { body } = await person.get('/overview/month?month=2030-05');
  expect(body.taxes.map(({ category, net }: Month['taxes'][number]) => [category, net])).toEqual([
    ['exempt', 100],
    ['reverse', 100],
    ['zero', 100],
  ]);
});

test.each([
  [{ country: 'XX' }, 'country'],
  [{ country: 'Ghana' }, 'country'],
  [{ taxNumber: 'DE 12345678' }, 'taxNumber'],
  [{ taxNumber: 'NL123456789X01' }, 'taxNumber'],
  [{ company: 'x'.repeat(121) }, 'company'],
  [{ taxNummber: '1' }, 'taxNummber'],
])('a profile with %j is refused', async (body, path) => {
  const answer = await updateProfile(await signedInAs(shop, 'user'), body);
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toMatchObject([{ path }]);
});

test.each([
  [{ tax: 'exempt' }, 'reason'],
  [{ tax: 'exempt', reason: ' ' }, 'reason'],
  [{ tax: 'none' }, 'tax'],
  [{ tax: 'standard', reason: 'Why' }, 'reason'],
])('a change of the tax to %j is refused', async (body, path) => {
  const answer = await changeTax(await signedInAs(shop, 'user'), body);
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toMatchObject([{ path }]);
});

test('the company goes with the account', async () => {
  const customer = await signedInAs(shop, 'user');
  await updateProfile(customer, facts);
  await changeTax(customer, { tax: 'exempt', reason: 'Certificate 17' });
  await admin.delete(`/user/${customer.email}`);
  const { rows } = await shop.pool.query(
    'select company, tax_number, billing_address, country, tax, tax_reason from users where id = $1',
    [customer.userId],
  );
  expect(rows).toEqual([
    { company: '', tax_number: '', billing_address: '', country: '', tax: 'standard', tax_reason: '' },
  ]);
});

test('a shop without a rate never speaks of tax', async () => {
  const untaxed = await startForTest();
  const { order, customer } = await aPendingOrder(untaxed);
  const { pages } = await downloadPdf(untaxed, customer, order);
  const text = readWords(pages);
  expect(text).toContain('Total $1,139.43');
  expect(text).not.toMatch(/tax|VAT|Net/i);
  expect((await untaxed.request('/config')).body.chargesTax).toBe(false);
  const month = readDay(untaxed.services.clock.now(), 'UTC').slice(0, 7);
  const { bytes } = await downloadFile(untaxed, customer, { what: 'month', month });
  const [head, line] = bytes.toString().split('\r\n');
  expect(head).not.toMatch(/tax|net/i);
  expect(line?.split(',')).toHaveLength(head?.split(',').length ?? 0);
});
