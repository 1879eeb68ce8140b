import type { Order } from '@parts-forge/contract/orders/orders';
import { unzipSync } from 'fflate';
import { beforeEach, expect, test } from 'vitest';
import { proveMonth } from '#src/consistency/prove-month.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { checkEInvoice } from '#test/check-e-invoice.ts';
import { askForDownload, downloadFile, downloadPdf, openLink, readPdf } from '#test/downloads.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { confirmCard } from '#test/paying.ts';
import { anOpenPaymentTogether, aPurchase, payTogether } from '#test/paying-several.ts';
import { useShop } from '#test/use-shop.ts';
import { findInvoice, findNotes, type InvoiceRow } from './store.ts';

const clock = createMovableClock();
const shop = useShop({
  clock,
  env: {
    SELLER_TAX_RATE: '19.23',
    SELLER_TAX_NAME: 'VAT',
    SELLER_TAX_ID: 'IE6388047V',
    SELLER_COUNTRY: 'IE',
  },
});
let admin: Person;
beforeEach(async () => {
  admin = await signedInAs(shop, 'admin');
});

const findPapers = (orders: readonly Order[]) =>
  Promise.all(orders.map(({ _id }) => findInvoice(shop.db, _id)));

const countPapers = async (orders: readonly Order[]) =>
  new Set((await findPapers(orders)).map((paper) => paper?.id)).size;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test('a purchase that is paid at once has one invoice', async () => {
  const { customer, orders } = await aPurchase(shop, 7);
  await payTogether(shop, customer, orders);
  const [paper, ...others] = await findPapers(orders);
  expect(new Set(others.map((other) => other?.id))).toEqual(new Set([paper?.id]));
  expect(paper?.orderNumber).toBe(orders[0]?.number);
  const { lines = [], totalCents, taxCents } = paper ?? ({} as InvoiceRow);
  expect(lines.map(({ orderNumber }) => orderNumber)).toEqual(orders.map(({ number }) => number));
  expect(sum(lines.map(({ amountCents }) => amountCents))).toBe(totalCents);
  expect(sum(lines.map((line) => line.taxCents ?? 0))).toBe(taxCents);
  expect(taxCents).toBe(Math.round((totalCents * 1923) / 11_923));
});

test('any order of a purchase finds the paper, which names all', async () => {
  const { customer, orders } = await aPurchase(shop, 40);
  await payTogether(shop, customer, orders);
  const first = await downloadPdf(shop, customer, orders[0] as Order);
  const last = await downloadPdf(shop, customer, orders[39] as Order);
  expect(last.pages).toEqual(first.pages);
  const text = first.pages.join(' ');
  for (const { number } of orders) expect(text).toContain(`order ${number}`);
  expect(first.pages.every((page) => page.includes('Pos.'))).toBe(true);
});

test('two payments of a purchase have two papers', async () => {
  const { customer, orders } = await aPurchase(shop, 4);
  await payTogether(shop, customer, orders.slice(0, 2));
  await payTogether(shop, customer, orders.slice(2));
  expect(await countPapers(orders)).toBe(2);
  const { number } = orders[0] as Order;
  const named = (await findPapers(orders)).map((paper) => paper?.orderNumber);
  expect(named).toEqual([number, number, number, number]);
});

test('an order that cannot take its share is not on the paper', async () => {
  const { customer, orders } = await aPurchase(shop, 3);
  const { clientSecret, id } = await anOpenPaymentTogether(customer, orders);
  const [gone, ...others] = orders as [Order, ...Order[]];
  await shop.pool.query("update orders set closed = 'cancelled', closed_at = now() where id = $1", [
    gone._id,
  ]);
  // The provider's event may record the payment first.
  await confirmCard(shop, clientSecret);
  await customer.records(others[0] as Order, id);
  expect(await findInvoice(shop.db, gone._id)).toBeNull();
  const paper = await findInvoice(shop.db, others[1]?._id ?? '');
  expect(paper?.lines.map(({ orderId }) => orderId)).toEqual(others.map(({ _id }) => _id));
});

test('parts of refunds of two lines each sum to their line', async () => {
  const { customer, orders } = await aPurchase(shop, 3);
  await payTogether(shop, customer, orders);
  const [first, second] = orders as [Order, Order];
  const refund = async (order: Order, quantity: number) => {
    const { status } = await admin.refunds(order, { quantity, returnStock: true });
    expect(status).toBe(200);
  };
  await Promise.all([refund(first, 7), refund(second, 13)]);
  await Promise.all([refund(first, 43), refund(second, 1)]);
  await refund(second, 36);
  for (const order of [first, second]) {
    const line = (await findInvoice(shop.db, order._id))?.lines.find(({ orderId }) => orderId === order._id);
    const notes = await findNotes(shop.db, order._id);
    expect(sum(notes.map(({ totalCents }) => totalCents))).toBe(line?.amountCents);
    expect(sum(notes.map(({ taxCents }) => taxCents))).toBe(line?.taxCents);
    expect(sum(notes.map(({ lines }) => lines[0]?.quantity ?? 0))).toBe(50);
    expect(notes.every((note) => note.orderNumber === order.number)).toBe(true);
  }
});

test('month, proof, CSV and ZIP have the paper of a purchase once', async () => {
  clock.aheadMs += 90 * 24 * 3_600_000;
  admin = await signedInAs(shop, 'admin');
  const { customer, orders } = await aPurchase(shop, 3);
  await payTogether(shop, customer, orders);
  const month = clock.now().toISOString().slice(0, 7);
  const total = sum(orders.map(({ totalPrice }) => Math.round(totalPrice * 100))) / 100;
  const { body } = await admin.get(`/overview/month?month=${month}`);
  expect(body).toMatchObject({ papers: 1, received: total });
  const byTotal = orders.map(({ totalPrice }) => totalPrice).sort((a, b) => b - a);
  expect(body.parts.map(({ received }: { received: number }) => received)).toEqual(byTotal);
  expect(body.parts.map(({ pieces }: { pieces: number }) => pieces)).toEqual([50, 50, 50]);
  expect(await proveMonth(shop.services, month)).toMatchObject({ agree: true, differences: [] });
  const csv = await downloadFile(shop, admin, { what: 'month', month });
  expect(String(csv.bytes).trim().split('\n')).toHaveLength(2);
  expect(String(csv.bytes)).toContain('3 parts,150');
  const ids = orders.map(({ _id }) => _id);
  const pdf = await downloadPdf(shop, customer, orders[0] as Order);
  const papers = await downloadFile(shop, customer, { what: 'invoices', orders: ids, as: 'pdf' });
  expect((await readPdf(papers.bytes)).pages).toHaveLength(pdf.pages.length);
  const { body: own } = await customer.get(`/order/${ids[1]}`);
  expect(own.papers).toMatchObject([{ kind: 'invoice', total: orders[1]?.totalPrice }]);
});

test("the XML of a paper needs the customer's country", async () => {
  const xmlOf = (customer: Person, order: Order) =>
    askForDownload(customer, { what: 'invoice', order: order._id, as: 'xml' });
  const { customer, orders } = await aPurchase(shop, 2);
  await payTogether(shop, customer, orders);
  const refused = await xmlOf(customer, orders[0] as Order);
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    expect.stringContaining("the customer's country was not known"),
  ]);
  const known = await customer.put(`/user/update/${customer.email}`, { country: 'fr' });
  expect(known.status).toBe(200);
  const two = await aPurchase(shop, 2, customer);
  await payTogether(shop, customer, two.orders);
  const link = await xmlOf(customer, two.orders[1] as Order);
  const { bytes, headers } = await openLink(shop, link.body.url);
  expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(await checkEInvoice(String(bytes))).toEqual([]);
  const ordered = [...String(bytes).matchAll(/(\d+)<.ram:IssuerAssignedID><ram:TypeCode>130/g)];
  expect(ordered.map(([, number]) => Number(number))).toEqual(two.orders.map(({ number }) => number));
  const ids = two.orders.map(({ _id }) => _id);
  const zip = await downloadFile(shop, customer, { what: 'invoices', orders: ids, as: 'zip' });
  expect(Object.keys(unzipSync(zip.bytes)).map((name) => name.slice(-4))).toEqual(['.pdf', '.xml']);
});
