import { afterAll, beforeAll, expect, test } from 'vitest';
import { anOrder, aProduct, signedInAs } from '#test/builders.ts';
import {
  anOpenPayment,
  confirmCard,
  controlSandbox,
  openPayment,
  orderBecomes,
  pay,
  recordPayment,
} from '#test/paying.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

async function aDueOrder() {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { price: 19.99, quantity: 1000 });
  return { customer, product, order: await anOrder(shop, customer, product, 57) };
}

test('a customer pays by card, the order is pending with its transaction id, and an administrator accepts it', async () => {
  const { customer, order } = await aDueOrder();
  const opened = await openPayment(shop, customer, order);
  expect(opened.status).toBe(200);
  expect(opened.headers.get('cache-control')).toBe('no-store');

  const confirmed = await confirmCard(shop, opened.body.clientSecret);
  expect(confirmed.body).toMatchObject({ status: 'succeeded', amount: 113943, currency: 'usd' });

  const recorded = await recordPayment(shop, customer, order, confirmed.body.id);
  expect(recorded.status).toBe(200);
  expect(recorded.body).toEqual({
    acknowledged: true,
    status: 'pending',
    transactionId: confirmed.body.id,
  });

  const admin = await signedInAs(shop, 'admin');
  const accepted = await shop.request(`/order/accept/${order._id}`, {
    method: 'PUT',
    token: admin.token,
    body: { status: 'paid' },
  });
  expect(accepted.body).toEqual({ acknowledged: true });
  const paid = await shop.request(`/order/${order._id}`, { token: customer.token });
  expect(paid.body).toMatchObject({ status: 'paid', transactionId: confirmed.body.id });
});

test('the webhook alone makes the order pending when the browser went away', async () => {
  const { customer, order } = await aDueOrder();
  const { clientSecret, id } = await anOpenPayment(shop, customer, order);
  await confirmCard(shop, clientSecret);
  expect((await orderBecomes(shop, customer, order, 'pending')).transactionId).toBe(id);
});
