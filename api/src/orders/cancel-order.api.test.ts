import type { Product } from '@parts-forge/contract/products/products';
import { beforeEach, expect, test, vi } from 'vitest';
import { aProduct, readProduct, signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import {
  aDueOrder,
  anOpenPayment,
  confirmCard,
  controlSandbox,
  expectRefusal,
  paidUnnoticed,
  paymentRows,
} from '#test/paying.ts';
import { useShop } from '#test/use-shop.ts';
import { closeUnpaidOrder } from './close-unpaid-order.ts';
import type { OrderRow } from './store.ts';

const shop = useShop();
beforeEach(() => controlSandbox(shop, { webhooks: 'drop', faults: [], processing: false }));

test('a customer cancels a due order and its stock returns', async () => {
  const { customer, product, order } = await aDueOrder(shop);
  expect((await readProduct(shop, product._id)).quantity).toBe(943);
  const cancelled = await customer.cancels(order);
  expect([cancelled.status, cancelled.body]).toEqual([200, { deletedCount: 1 }]);
  expect(await customer.reads(order)).toBeNull();
  expect((await readProduct(shop, product._id)).quantity).toBe(1000);
  expect((await customer.cancels(order)).status).toBe(404);
  expect((await readProduct(shop, product._id)).quantity).toBe(1000);
});

test('cancelling lists a sold-out part as in stock again', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { quantity: 50 });
  const order = await customer.orders(product, 50);
  const listInStock = async () =>
    (await shop.request(`/product?q=${product.number}&available=true`)).body.map(({ _id }: Product) => _id);
  expect(await listInStock()).toEqual([]);
  await customer.cancels(order);
  expect(await listInStock()).toEqual([product._id]);
});

test('an administrator cancels any due order', async () => {
  const { customer, product, order } = await aDueOrder(shop);
  expect((await (await signedInAs(shop, 'admin')).cancels(order)).body).toEqual({ deletedCount: 1 });
  expect(await customer.reads(order)).toBeNull();
  expect((await readProduct(shop, product._id)).quantity).toBe(1000);
});

test('an unknown order and a malformed id are not found', async () => {
  const { customer, order } = await aDueOrder(shop);
  for (const id of ['019a0000-0000-7000-8000-000000000000', 'x']) {
    expect((await customer.cancels({ ...order, _id: id })).status).toBe(404);
  }
});

test('nobody can cancel pending and paid orders', async () => {
  const { customer, product, order } = await aPendingOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  for (const status of ['pending', 'paid']) {
    for (const actor of [customer, admin]) {
      expectRefusal(await actor.cancels(order), 409, 'not-due');
    }
    expect(await customer.reads(order)).toMatchObject({ status });
    await admin.accepts(order);
  }
  expect((await readProduct(shop, product._id)).quantity).toBe(943);
});

test('cancelling also cancels the open payment for good', async () => {
  const { customer, order, clientSecret, id } = await anOpenPayment(shop);
  expect((await customer.cancels(order)).status).toBe(200);
  const late = await confirmCard(shop, clientSecret);
  expect(late.body.error).toMatchObject({
    code: 'payment_intent_unexpected_state',
    payment_intent: { status: 'canceled' },
  });
  expect(await shop.services.payments.findPayment(id)).toMatchObject({
    status: 'canceled',
    receivedCents: 0,
  });
  expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['canceled']);
  expect((await customer.asksToPay(order)).status).toBe(404);
  expect((await customer.records(order, id)).status).toBe(404);
});

test('cancelling an order paid without notice makes it pending', async () => {
  const { customer, product, order, id } = await paidUnnoticed(shop);
  expectRefusal(await customer.cancels(order), 409, 'already-paid');
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
  expect((await readProduct(shop, product._id)).quantity).toBe(943);
});

test('an unanswered provider request leaves the order unchanged', async () => {
  const { customer, product, order } = await aDueOrder(shop);
  await customer.opensPayment(order);
  await controlSandbox(shop, { faults: [{ fault: '429', on: '/cancel' }] });
  const answer = await customer.cancels(order);
  expectRefusal(answer, 503, 'unavailable');
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });
  expect((await readProduct(shop, product._id)).quantity).toBe(943);
  expect((await customer.cancels(order)).status).toBe(200);
  shop.expectErrors([{ code: 'unavailable' }]);
});

test('a stored provider failure does not block later cancellation', async () => {
  const { customer, order } = await aDueOrder(shop);
  await customer.opensPayment(order);
  await controlSandbox(shop, { faults: [{ fault: '500', on: '/cancel' }] });
  expectRefusal(await customer.cancels(order), 503, 'provider-broken');
  expect((await customer.cancels(order)).status).toBe(200);
  shop.expectErrors([{ code: 'provider-broken' }]);
});

test('the order of a deleted product can be cancelled', async () => {
  const { customer, product, order } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  await admin.delete(`/product/${product._id}`);
  expect((await customer.cancels(order)).body).toEqual({ deletedCount: 1 });
});

test('a customer and an administrator cannot both cancel one order', async () => {
  const admin = await signedInAs(shop, 'admin');
  for (let round = 0; round < 10; round += 1) {
    const { customer, product, order } = await aDueOrder(shop);
    await customer.opensPayment(order);
    const answers = await Promise.all([
      customer.cancels(order),
      admin.cancels(order),
      customer.cancels(order),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await readProduct(shop, product._id)).quantity).toBe(1000);
  }
});

test('placing and cancelling concurrently conserves the stock', async () => {
  const customers = await Promise.all(Array.from({ length: 6 }, () => signedInAs(shop, 'user')));
  const product = await aProduct(shop, { price: 2, quantity: 1000 });
  const ordered = await Promise.all(
    customers.map(async (customer, index) => {
      let pieces = 0;
      for (let round = 0; round < 8; round += 1) {
        const order = await customer.orders(product, 50);
        if (round % 2 === 0) await customer.asksToPay(order);
        if ((round + index) % 3 === 0) pieces += 50;
        else expect((await customer.cancels(order)).status).toBe(200);
      }
      return pieces;
    }),
  );
  const held = ordered.reduce((sum, pieces) => sum + pieces, 0);
  expect((await readProduct(shop, product._id)).quantity).toBe(1000 - held);
});

const check = (order: OrderRow | null): OrderRow => {
  if (!order) throw new Error('The order is gone.');
  return order;
};

test('closing gives up after five open payments and keeps the order', async () => {
  const { customer, order } = await aDueOrder(shop);
  const closeOpen = vi.fn(async () => {});
  const closed = closeUnpaidOrder(shop.services, { hasOpen: async () => true, closeOpen }, order._id, {
    by: null,
    move: 'cancel',
    check,
  });
  await expect(closed).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfterSeconds: 2 } });
  expect(closeOpen).toHaveBeenCalledTimes(5);
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });
});
