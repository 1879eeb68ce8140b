import { readDay } from '@parts-forge/contract/days';
import type { Month } from '@parts-forge/contract/overview';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '#src/platform/core/clock.ts';
import { anOrder, aProduct, type Person, signedInAs } from '#test/builders.ts';
import { downloadFile, downloadPdf } from '#test/downloads.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { pay, refundAtProvider, refundOrder } from '#test/paying.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { findInvoice, findNotes } from './store.ts';

const facts = {
  company: 'Mensah Repairs Ltd',
  taxNumber: 'GH 00123',
  billingAddress: '4 Ring Road\nAccra',
  country: 'gh',
};

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startShop({
    env: {
      SELLER_TAX_RATE: '19',
      SELLER_TAX_NAME: 'MwSt.',
      SELLER_EXEMPT_TEXT: 'Exempt by law',
      SELLER_COUNTRY: 'DE',
    },
  });
  admin = await signedInAs(shop, 'admin');
});
afterAll(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const updateProfile = ({ email, token }: Person, body: object) =>
  shop.request(`/user/update/${email}`, { method: 'PUT', token, body });
const changeTax = ({ email }: Person, body: object) =>
  shop.request(`/user/tax/${email}`, { method: 'PUT', token: admin.token, body });
const readUser = async ({ email }: Person) =>
  (await shop.request(`/user/${email}`, { token: admin.token })).body;

const readWords = (pages: readonly string[]) => pages.join(' ').replace(/\s+/g, ' ');

async function aPaper(customer: Person) {
  const order = await anOrder(shop, customer, await aProduct(shop, { price: 19.99 }), 57);
  await pay(shop, customer, order);
  const paper = await findInvoice(shop.services.database.db, order._id);
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
  for (const words of ['Net $957.50', 'MwSt. 19 % $181.93', 'Total $1,139.43', 'Germany']) {
    expect(text).toContain(words);
  }
});

test("an order's credit notes have exactly its invoice's tax", async () => {
  const { order, id } = await aPendingOrder(shop);
  await refundAtProvider(shop, id, 33);
  await refundAtProvider(shop, id, 50_000);
  await refundOrder(shop, admin, order);
  const { db } = shop.services.database;
  const notes = await findNotes(db, order._id);
  const { papers } = (await shop.request(`/order/${order._id}?closed=true`, { token: admin.token })).body;
  expect(papers).toHaveLength(notes.length + 1);
  expect(papers[0]).toMatchObject({ kind: 'invoice', total: 1139.43, net: 957.5, tax: 181.93 });
  expect(papers[1]).toMatchObject({ kind: 'credit-note', number: expect.stringMatching(/^CN-20/) });
  expect(notes.length).toBeGreaterThan(0);
  expect(notes.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(113_943);
  expect(notes.reduce((sum, { taxCents }) => sum + taxCents, 0)).toBe(18_193);
});

test('a new rate counts for later invoices and their notes alone', async () => {
  const later = await startShop({
    shareDatabaseWith: shop,
    env: { SELLER_TAX_RATE: '7', SELLER_TAX_NAME: 'MwSt.' },
  });
  try {
    const { db } = shop.services.database;
    const { order } = await aPendingOrder(shop);
    const { order: laterOrder } = await aPendingOrder(later);
    const invoice = await findInvoice(db, laterOrder._id);
    expect(invoice).toMatchObject({ taxCents: 7_454, tax: { rate: 700 } });
    await refundOrder(later, admin, order);
    expect(await findNotes(db, order._id)).toMatchObject([{ taxCents: 18_193, tax: { rate: 1900 } }]);
  } finally {
    await later.close();
  }
});

test('later papers have the company of the profile', async () => {
  const customer = await signedInAs(shop, 'user');
  const former = await aPaper(customer);
  expect((await updateProfile(customer, facts)).status).toBe(200);
  expect(await readUser(customer)).toMatchObject({ ...facts, country: 'GH' });
  const { paper, text } = await aPaper(customer);
  expect(paper?.buyer).toEqual({
    name: customer.name,
    email: customer.email,
    address: '4 Ring Road\nAccra',
    company: 'Mensah Repairs Ltd',
    taxNumber: 'GH 00123',
    country: { code: 'GH', name: 'Ghana' },
  });
  expect(text).toContain(`To Mensah Repairs Ltd ${customer.name} 4 Ring Road Accra Ghana`);
  expect(text).toContain('Tax number GH 00123');
  const again = await downloadPdf(shop, customer, former.order);
  expect(readWords(again.pages)).toBe(former.text);
});

test.each([
  ['exempt', 'Exempt by law'],
  ['reverse', 'Reverse charge: Exempt by law'],
] as const)('a customer marked as %s has no tax on later papers', async (tax, words) => {
  const customer = await signedInAs(shop, 'user');
  expect((await changeTax(customer, { tax, reason: 'Certificate 17' })).status).toBe(200);
  expect(await readUser(customer)).toMatchObject({ untaxed: { tax, reason: 'Certificate 17' } });
  const { paper, text } = await aPaper(customer);
  const copied = { category: tax, name: 'MwSt.', rate: 0, text: 'Exempt by law', reason: 'Certificate 17' };
  expect(paper).toMatchObject({ taxCents: 0, tax: copied });
  expect(text).toContain(`Total $1,139.43 ${words}`);
  expect(text).not.toMatch(/Net|MwSt/);
  await changeTax(customer, { tax: 'standard' });
  expect(await readUser(customer)).not.toHaveProperty('untaxed');
  expect((await aPaper(customer)).paper?.taxCents).toBe(18_193);
});

test('a new reason alone is in the trail, without its words', async () => {
  const customer = await signedInAs(shop, 'user');
  for (const reason of ['Certificate 17', 'Certificate 17', 'Certificate 18']) {
    await changeTax(customer, { tax: 'exempt', reason });
  }
  const { rows } = await shop.services.database.pool.query(
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
  const zero = await startShop({ clock, env: { SELLER_TAX_RATE: '0' } });
  try {
    const person = await signedInAs(zero, 'admin');
    for (const tax of ['standard', 'exempt', 'reverse']) {
      const customer = await signedInAs(zero, 'user');
      const body = { tax, ...(tax !== 'standard' && { reason: 'a charity' }) };
      await zero.request(`/user/tax/${customer.email}`, { method: 'PUT', token: person.token, body });
      await pay(zero, customer, await anOrder(zero, customer, await aProduct(zero, { price: 1 }), 100));
    }
    const { body } = await zero.request('/overview/month?month=2030-05', { token: person.token });
    expect(body.taxes.map(({ category, net }: Month['taxes'][number]) => [category, net])).toEqual([
      ['exempt', 100],
      ['reverse', 100],
      ['zero', 100],
    ]);
  } finally {
    await zero.close();
  }
});

test.each([
  [{ country: 'XX' }, 'country'],
  [{ country: 'Ghana' }, 'country'],
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
  await shop.request(`/user/${customer.email}`, { method: 'DELETE', token: admin.token });
  const { rows } = await shop.services.database.pool.query(
    'select company, tax_number, billing_address, country, tax, tax_reason from users where id = $1',
    [customer.userId],
  );
  expect(rows).toEqual([
    { company: '', tax_number: '', billing_address: '', country: '', tax: 'standard', tax_reason: '' },
  ]);
});

test('a shop without a rate never speaks of tax', async () => {
  const untaxed = await startShop();
  try {
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
  } finally {
    await untaxed.close();
  }
});
