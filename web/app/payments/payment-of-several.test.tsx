import { openPayment, recordPayment } from '@parts-forge/contract/money/payments';
import { type Order, readOrder } from '@parts-forge/contract/orders/orders';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { anOrder } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { cancelled, findPayButton, startFakeStripe, succeeded } from '#test/fake-stripe.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const stripe = startFakeStripe();

const success = 'Success: Congrats. Your Payment is completed.';
const two = () => [
  anOrder({ productName: 'Display', totalPrice: 100.1 }),
  anOrder({ productName: 'Coil', totalPrice: 200.2 }),
];
const pay = () => screen.findByRole('button', { name: 'Pay $300.30' });
const payWhenReady = () => findPayButton('$300.30');
const buildAddress = (orders: readonly Order[]) =>
  `/dashboard/payment?orders=${orders.map(({ _id }) => _id).join()}`;

/** Sets the shop's orders. */
function haveOrders(orders: readonly Order[]) {
  shop.respond(readOrder, ({ params }) => {
    const order = orders.find(({ _id }) => _id === params.id);
    return order ? Response.json(order) : createRefusal('not-found');
  });
}

beforeEach(() => {
  shop.signIn();
  shop.answer(openPayment, { clientSecret: 'pi_12345678_secret_1' });
});

function openPaymentPage(orders: readonly Order[], query = '') {
  haveOrders(orders);
  return openPage(`${buildAddress(orders)}${query}`);
}

test('the page lists the orders, their total and the amount', async () => {
  const orders = two();
  await openPaymentPage(orders);
  await payWhenReady();
  expect(screen.getByRole('heading', { level: 1, name: 'Pay for 2 orders' })).toBeVisible();
  const summary = within(screen.getByRole('region', { name: 'Orders' }));
  expect(summary.getAllByRole('listitem')).toHaveLength(2);
  for (const text of ['Display', 'Coil', '$100.10', '$200.20', '$300.30']) {
    expect(summary.getByText(text)).toBeVisible();
  }
  expect(shop.getSentBody(openPayment)).toEqual({ price: 300.3, orders: orders.map(({ _id }) => _id) });
});

test('a successful payment is recorded once for all orders', async () => {
  const orders = two();
  const { user } = await openPaymentPage(orders);
  stripe.answer(succeeded());
  shop.respond(recordPayment, () => {
    haveOrders(orders.map((order) => ({ ...order, status: 'pending', transactionId: 'pi_12345678' })));
    return Response.json({ acknowledged: true, status: 'pending', transactionId: 'pi_12345678' });
  });
  await user.click(await payWhenReady());
  expect(await screen.findByRole('heading', { name: success })).toHaveFocus();
  expect(shop.getRequests(recordPayment).map(({ params }) => params.id)).toEqual([orders[0]?._id]);
  const payment = within(screen.getByRole('region', { name: 'Payment' }));
  expect(payment.getByText('pi_12345678')).toBeVisible();
  expect(payment.getByText('$300.30')).toBeVisible();
});

test('orders of one purchase have one invoice', async () => {
  const orders = two().map((order) => ({
    ...order,
    purchase: { number: 10376, part: 1, orders: 2, total: 300.3 },
  }));
  const { user } = await openPaymentPage(orders);
  stripe.answer(succeeded());
  shop.answer(recordPayment, { acknowledged: true, status: 'pending', transactionId: 'pi_12345678' });
  await user.click(await payWhenReady());
  expect(await screen.findByRole('button', { name: 'Invoice (PDF)' })).toBeVisible();
});

test('a replaced payment can be opened again', async () => {
  const { user } = await openPaymentPage(two());
  stripe.answer(cancelled());
  await user.click(await payWhenReady());
  expect(await screen.findByRole('heading', { name: 'This payment was closed' })).toHaveFocus();
  expect(screen.getByText(/^Another page has opened a payment/)).toBeVisible();
  shop.answer(openPayment, { clientSecret: 'pi_87654321_secret_1' });
  await user.click(screen.getByRole('button', { name: 'Pay here' }));
  await payWhenReady();
  expect(shop.getRequests(openPayment)).toHaveLength(2);
});

test('an order cancelled during typing leaves the others payable', async () => {
  const orders = two();
  const { user } = await openPaymentPage(orders);
  stripe.answer(cancelled());
  await pay();
  haveOrders(orders.slice(1));
  await user.click(await payWhenReady());
  expect(await screen.findByRole('heading', { name: 'One of these orders was cancelled' })).toHaveFocus();
  expect(screen.getByText(/^Nothing was charged\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Look again' }));
  expect(await screen.findByText('One of these orders is not there')).toBeVisible();
  expectLink('Pay for the other one', `/dashboard/payment/${orders[1]?._id}`);
});

test('some paid orders are named, and the others are payable', async () => {
  const [first, second] = two();
  if (!first || !second) throw new Error('two orders are needed');
  await openPaymentPage([{ ...first, status: 'pending', transactionId: 'pi_12345678' }, second]);
  expect(await screen.findByRole('heading', { name: 'Some of these orders are paid for' })).toBeVisible();
  expectLink('Pay for the other order', `/dashboard/payment/${second._id}`);
  expect(shop.getRequests(openPayment)).toEqual([]);
});

test('all paid orders show the text of one paid order', async () => {
  await openPaymentPage(two().map((order) => ({ ...order, status: 'paid', transactionId: 'pi_12345678' })));
  expect(await screen.findByRole('heading', { name: 'Product Payment Already done' })).toBeVisible();
});

test("returning from the bank's page keeps the orders in the address", async () => {
  const orders = two();
  shop.answer(recordPayment, { acknowledged: true, status: 'pending', transactionId: 'pi_12345678' });
  stripe.answer(succeeded());
  const query = '&payment_intent=pi_12345678&payment_intent_client_secret=pi_12345678_secret_1';
  const page = await openPaymentPage(orders, query);
  expect(await screen.findByText(success)).toBeVisible();
  await waitFor(() => expect(page.getAddress()).toBe(buildAddress(orders)));
});

test('an address without orders leads to My Orders', async () => {
  const page = await openPage('/dashboard/payment?orders=,');
  expect(await screen.findByText('No orders yet')).toBeVisible();
  expect(page.getAddress()).toBe('/dashboard/my-orders');
});

test('orders that fail to load name the failure and a retry', async () => {
  const orders = two();
  shop.refuse(readOrder, 'internal', { requestId: '0198c2f4-dddd' });
  const { user } = await openPage(buildAddress(orders));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The orders could not be loaded');
  expect(alert).toHaveTextContent('Reference 0198c2f4-dddd');
  haveOrders(orders);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await payWhenReady();
});

test('orders above the limit of one payment are paid in parts', async () => {
  const orders = ['A', 'B', 'C'].map((productName) => anOrder({ productName, totalPrice: 499_999.5 }));
  await openPaymentPage(orders);
  expect(await screen.findByRole('heading', { name: 'Too much for one payment' })).toBeVisible();
  const way = screen.getByRole('link', { name: 'Pay 2 of 3 orders, $999,999.00' });
  expect(way).toHaveAttribute('href', buildAddress(orders.slice(0, 2)));
  expect(shop.getRequests(openPayment)).toHaveLength(0);
});
