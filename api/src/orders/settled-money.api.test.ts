import type { Order } from '@parts-forge/contract/orders/orders';
import type { Overview } from '@parts-forge/contract/orders/overview';
import { beforeEach, expect, test } from 'vitest';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { reconcile } from '#src/payments/events/reconcile.ts';
import { ProviderError } from '#src/payments/provider/provider.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { downloadFile } from '#test/downloads.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { controlSandbox, refundAtProvider } from '#test/paying.ts';
import { pendingTogether } from '#test/paying-several.ts';
import { loseEvents, withProvider } from '#test/payment-provider.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';

let nowMs: number;
const clock: Clock = { now: () => new Date(nowMs) };

let shop: TestShop;
let admin: Person;
beforeEach(async () => {
  nowMs = Date.parse('2026-11-18T09:00:00Z');
  shop = await startForTest({ clock });
  admin = await signedInAs(shop, 'admin');
  await loseEvents(shop);
});

/** Refund figures of the overview and the customer's summary, in dollars. */
async function readFigures(customer: Person) {
  const overview: Overview = (await admin.get('/overview')).body;
  const summary = await admin.get(`/user/${encodeURIComponent(customer.email)}/summary`);
  return {
    revenue: overview.revenue.at(-1)?.amount,
    orders: overview.orders.refunded,
    refunded: overview.amounts.refunded,
    ofCustomer: summary.body.refunded,
  };
}

/** Each order's refund and refund state, from the file. */
async function readFile(filters: { closed?: 'true' } = {}) {
  const { bytes } = await downloadFile(shop, admin, { what: 'orders', filters });
  const [header, ...rows] = bytes.toString('utf8').replace('\ufeff', '').trimEnd().split('\r\n');
  const columns = ['Refunded (USD)', 'Refund'];
  const places = columns.map((column) => header?.split(',').indexOf(column) ?? -1);
  // Names, addresses and phones of these customers have no comma.
  return rows.map((row) => {
    const cells = row.replaceAll(/"[^"]*"/g, '').split(',');
    return places.map((place) => cells[place]);
  });
}

/** Runs the next retry of failed refunds. */
async function followLater() {
  nowMs += 6 * 60_000;
  await reconcile(shop.services);
}

/** Two orders of $50 and $100, paid together. */
async function twoTogether() {
  const { orders, ...paid } = await pendingTogether(shop, 2);
  const [first, second] = orders as [Order, Order];
  return { ...paid, first, second };
}

test('an unassigned refund of a shared payment counts once', async () => {
  const { customer, id, second } = await twoTogether();
  await refundAtProvider(shop, id, 3000);
  await fetchEvents(shop.services);
  const figures = { revenue: 120, orders: 1, refunded: 30, ofCustomer: 30 };
  expect(await readFigures(customer)).toEqual(figures);
  expect(await readFile()).toEqual([
    ['0.00', 'succeeded'],
    ['30.00', 'succeeded'],
  ]);

  // Refunding an order does not reduce it.
  await admin.refunds(second);
  expect(await readFigures(customer)).toEqual({ revenue: 20, orders: 2, refunded: 130, ofCustomer: 130 });
  await refundAtProvider(shop, id, 2000);
  await fetchEvents(shop.services);
  expect(await readFigures(customer)).toEqual({ revenue: 0, orders: 2, refunded: 150, ofCustomer: 150 });
  expect(await readFile({ closed: 'true' })).toEqual([
    ['100.00', 'succeeded'],
    ['50.00', 'succeeded'],
  ]);
});

test('a refund that failed at the provider does not count', async () => {
  const { customer, id } = await twoTogether();
  await controlSandbox(shop, { newRefunds: 'pending' });
  const refund = await refundAtProvider(shop, id, 3000);
  await fetchEvents(shop.services);
  const figures = { revenue: 150, orders: 0, refunded: 0, ofCustomer: 0 };
  expect(await readFigures(customer)).toEqual(figures);
  await controlSandbox(shop, { finishRefund: { refund, status: 'failed' } });
  await fetchEvents(shop.services);
  expect(await readFigures(customer)).toEqual(figures);
  expect(await readFile()).toEqual([
    ['0.00', 'failed'],
    ['0.00', 'failed'],
  ]);
});

test('a failed refund counts once its retry succeeds', async () => {
  // $1,139.43, with $39.43 refunded at the provider.
  const { customer, id, order } = await aPendingOrder(shop);
  await refundAtProvider(shop, id, 3943);
  await fetchEvents(shop.services);
  await controlSandbox(shop, { newRefunds: 'failed' });
  await admin.refunds(order);
  await fetchEvents(shop.services);
  const without = { revenue: 1100, orders: 1, refunded: 39.43, ofCustomer: 39.43 };
  expect(await readFigures(customer)).toEqual(without);
  expect(await readFile({ closed: 'true' })).toEqual([['39.43', 'failed']]);

  // A refund at the provider counts; the refusal of the rest changes nothing.
  await controlSandbox(shop, { newRefunds: 'succeeded' });
  await refundAtProvider(shop, id, 10_000);
  await fetchEvents(shop.services);
  expect(await readFigures(customer)).toMatchObject({ revenue: 1000, refunded: 139.43 });
  const createRefund = () => Promise.reject(new ProviderError('refused', 'no balance'));
  await withProvider(shop, { createRefund }, followLater);
  shop.expectErrors(1);
  expect(await readFigures(customer)).toMatchObject({ revenue: 1000, refunded: 139.43 });

  await followLater();
  expect(await readFigures(customer)).toEqual({
    revenue: 0,
    orders: 1,
    refunded: 1139.43,
    ofCustomer: 1139.43,
  });
  expect(await readFile({ closed: 'true' })).toEqual([['1139.43', 'succeeded']]);
});
