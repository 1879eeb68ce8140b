import { createDownload } from '@parts-forge/contract/files/downloads';
import { openPayment, recordPayment } from '@parts-forge/contract/money/payments';
import { listOrders, type Order, readOrder } from '@parts-forge/contract/orders/orders';
import { readConfig } from '@parts-forge/contract/people/identity';
import type { PaymentIntentResult } from '@stripe/stripe-js';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { aConfig, anOrder } from '#test/builders.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { cancelled, failed, findPayButton, inState, startFakeStripe, succeeded } from '#test/fake-stripe.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const stripe = startFakeStripe();

const success = 'Success: Congrats. Your Payment is completed.';
const pay = () => screen.findByRole('button', { name: 'Pay $7,740.00' });
const payWhenReady = () => findPayButton('$7,740.00');

beforeEach(() => {
  shop.signIn();
  shop.answer(openPayment, { clientSecret: 'pi_12345678_secret_1' });
});

function openPaymentPage(order: Order = anOrder(), query = '') {
  shop.answer(readOrder, order);
  return openPage(`/dashboard/payment/${order._id}${query}`);
}

/** The shop records the payment, which makes the order pending. */
function acceptPayment(order: Order) {
  shop.respond(recordPayment, () => {
    shop.answer(readOrder, { ...order, status: 'pending', transactionId: 'pi_12345678' });
    return Response.json({ acknowledged: true, status: 'pending', transactionId: 'pi_12345678' });
  });
}

test('the page shows the order, its prices and the amount', async () => {
  const order = anOrder();
  await openPaymentPage(order);
  await payWhenReady();
  const summary = screen.getByRole('region', { name: 'Order' });
  for (const text of ['unpaid', '120', '$64.50', '$7,740.00']) expect(summary).toHaveTextContent(text);
  expect(shop.getSentBody(openPayment)).toEqual({ price: 7740, order: order._id });
});

test('the page shows the end of the reservation', async () => {
  await openPaymentPage(anOrder({ heldUntil: '2026-11-24T12:30:00.000Z' }));
  await payWhenReady();
  expect(screen.getByRole('region', { name: 'Order' })).toHaveTextContent(/Held until 24 Nov 2026, \d\d:30/);
});

const aboutLetters = /^Invoices print Latin, Greek and Cyrillic letters/;

test('the page warns of letters that invoices cannot print', async () => {
  await openPaymentPage(anOrder({ name: '山田 太郎' }));
  await payWhenReady();
  expect(screen.getByText(aboutLetters)).toBeVisible();
});

test('Pay is disabled until the card fields are ready', async () => {
  stripe.fields = 'loading';
  await openPaymentPage();
  expect(await pay()).toBeDisabled();
  expect(screen.getByText('Loading the card form…')).toBeInTheDocument();
});

test('the sandbox banner says that no money moves', async () => {
  await openPaymentPage();
  await pay();
  expect(screen.queryByText(/no money moves/)).not.toBeInTheDocument();
  shop.answer(readConfig, aConfig({ mode: 'sandbox' }));
  await openPage(`/dashboard/payment/${anOrder()._id}`);
  expect(await screen.findByText(/no money moves/)).toBeVisible();
});

test('a successful payment is recorded and shows its transaction ID', async () => {
  const order = anOrder();
  const { user } = await openPaymentPage(order);
  stripe.answer(succeeded());
  acceptPayment(order);
  await user.click(await payWhenReady());
  const heading = await screen.findByRole('heading', { name: success });
  expect(heading).toHaveFocus();
  expect(screen.getByText('pi_12345678')).toBeVisible();
  expect(shop.getSentBody(recordPayment)).toEqual({ order: order._id, transactionId: 'pi_12345678' });
  expect(screen.getByRole('region', { name: 'Order' })).toHaveTextContent('pending');
  // What comes next, and the paper.
  expect(screen.getByText(/^The shop confirms the payment and then ships\./)).toBeVisible();
  shop.refuse(createDownload, 'too-many');
  await user.click(screen.getByRole('button', { name: 'Invoice (PDF)' }));
  await waitFor(() =>
    expect(shop.getSentBody(createDownload)).toEqual({ what: 'invoice', order: order._id }),
  );
});

test("a declined card shows the provider's words and can be retried", async () => {
  const order = anOrder();
  const { user } = await openPaymentPage(order);
  stripe.answer(failed({ code: 'card_declined', message: 'Your card was declined.' }), succeeded());
  acceptPayment(order);
  await user.click(await payWhenReady());
  expect(await screen.findByText('Error: Your card was declined.')).toBeVisible();
  expect(shop.getRequests(recordPayment)).toEqual([]);
  await user.click(await payWhenReady());
  expect(await screen.findByText(success)).toBeVisible();
});

test("typing another card removes the last card's error", async () => {
  const { user } = await openPaymentPage();
  stripe.answer(failed({ code: 'card_declined', message: 'Your card was declined.' }));
  const button = await payWhenReady();
  act(() => stripe.type({ complete: true }));
  await user.click(button);
  expect(await screen.findByText('Error: Your card was declined.')).toBeVisible();
  act(() => stripe.type({ complete: false }));
  expect(screen.queryByText('Error: Your card was declined.')).not.toBeInTheDocument();
});

test("the provider's own changes keep the card's error", async () => {
  const { user } = await openPaymentPage();
  stripe.answer(failed({ code: 'card_declined', message: 'Your card was declined.' }));
  const button = await payWhenReady();
  act(() => stripe.type({ complete: true }));
  await user.click(button);
  const declined = await screen.findByText('Error: Your card was declined.');
  // The fields lack the focus.
  act(() => stripe.report({ complete: false }));
  expect(declined).toBeVisible();
});

test('the button is busy during a payment and pays once', async () => {
  const order = anOrder();
  const { user } = await openPaymentPage(order);
  const { promise, resolve } = Promise.withResolvers<PaymentIntentResult>();
  stripe.answer(promise);
  acceptPayment(order);
  await user.dblClick(await pay());
  const busy = await screen.findByRole('button', { name: 'Paying…' });
  expect(busy).toHaveAttribute('aria-busy', 'true');
  await user.click(busy);
  resolve(succeeded());
  expect(await screen.findByText(success)).toBeVisible();
  expect(stripe.confirmations).toBe(1);
});

test('a busy provider is asked again once', async () => {
  const order = anOrder();
  const { user } = await openPaymentPage(order);
  stripe.answer(failed({ code: 'lock_timeout' }), succeeded());
  acceptPayment(order);
  await user.click(await payWhenReady());
  expect(await screen.findByText(success)).toBeVisible();
  expect(stripe.confirmations).toBe(2);
});

test('a provider that stays busy shows an error', async () => {
  const { user } = await openPaymentPage();
  stripe.answer(failed({ code: 'lock_timeout' }), failed({ code: 'lock_timeout' }));
  await user.click(await payWhenReady());
  expect(
    await screen.findByText('Error: The payment provider is busy. Try again in a moment.'),
  ).toBeVisible();
});

test('a silent provider shows an error that promises no double charge', async () => {
  const { user } = await openPaymentPage();
  stripe.answer(new Error('network'));
  await user.click(await payWhenReady());
  expect(
    await screen.findByText(
      'Error: The payment provider did not answer. Try again; nothing is charged twice.',
    ),
  ).toBeVisible();
});

test('a processing payment cannot be retried', async () => {
  const order = anOrder();
  const { user } = await openPaymentPage(order);
  stripe.answer(inState('processing'));
  await user.click(await payWhenReady());
  expect(await screen.findByRole('heading', { name: 'Your payment is being processed' })).toHaveFocus();
  expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
  shop.answer(readOrder, { ...order, status: 'pending', transactionId: 'pi_12345678' });
  await user.click(screen.getByRole('button', { name: 'Look again' }));
  expect(await screen.findByRole('heading', { name: 'Product Payment Already done' })).toBeVisible();
});

test('an order that is not due shows no card form', async () => {
  await openPaymentPage(anOrder({ status: 'pending', transactionId: 'pi_12345678' }));
  expect(await screen.findByRole('heading', { name: 'Product Payment Already done' })).toBeVisible();
  expect(screen.getByText(/^It is paid\. The shop confirms the payment and then ships;/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
  expect(shop.getRequests(openPayment)).toEqual([]);
});

test('an order paid elsewhere shows that when its payment opens', async () => {
  const order = anOrder();
  shop.respond(openPayment, () => {
    shop.answer(readOrder, { ...order, status: 'pending', transactionId: 'pi_12345678' });
    return createRefusal('already-paid');
  });
  await openPaymentPage(order);
  expect(await screen.findByRole('heading', { name: 'Product Payment Already done' })).toBeVisible();
});

test('an order cancelled during typing is not charged', async () => {
  const { user } = await openPaymentPage();
  stripe.answer(cancelled());
  await pay();
  shop.refuse(readOrder, 'not-found');
  await user.click(await payWhenReady());
  expect(await screen.findByRole('heading', { name: 'This order was cancelled' })).toHaveFocus();
  expect(screen.queryByText('unpaid')).not.toBeInTheDocument();
  expect(screen.getByText(/^Nothing was charged\./)).toBeVisible();
});

test.each(['order-cancelled', 'expired'] as const)(
  'a late payment of an order that is %s shows its refund',
  async (code) => {
    const { user } = await openPaymentPage();
    stripe.answer(succeeded());
    shop.refuse(recordPayment, code);
    await user.click(await payWhenReady());
    expect(
      await screen.findByText(/^Your payment went through after that and is refunded in full\./),
    ).toBeVisible();
  },
);

test('a payment that the shop fails to record counts as received', async () => {
  const { user } = await openPaymentPage();
  stripe.answer(succeeded());
  shop.refuse(recordPayment, 'internal', { requestId: '0198c2f4-bbb1' });
  await user.click(await payWhenReady());
  expect(
    await screen.findByRole('heading', { name: 'Your payment was received and is being recorded' }),
  ).toBeVisible();
  expect(screen.queryByText(/^Error:/)).not.toBeInTheDocument();
  expect(screen.getByText('pi_12345678')).toBeVisible();
  expect(screen.getByText('0198c2f4-bbb1')).toBeVisible();
});

test('recording is tried three times before the payment counts as received', async () => {
  const { user } = await openPaymentPage();
  stripe.answer(succeeded());
  shop.disconnect(recordPayment);
  await user.click(await payWhenReady());
  const heading = { name: 'Your payment was received and is being recorded' };
  expect(await screen.findByRole('heading', heading, { timeout: 4000 })).toBeVisible();
  expect(screen.queryByText(/^Error:/)).not.toBeInTheDocument();
  expect(shop.getRequests(recordPayment)).toHaveLength(3);
});

test("returning from the bank's page records the payment", async () => {
  const order = anOrder();
  stripe.answer(succeeded());
  acceptPayment(order);
  const query = '?payment_intent=pi_12345678&payment_intent_client_secret=pi_12345678_secret_1';
  const page = await openPaymentPage(order, query);
  expect(await screen.findByText(success)).toBeVisible();
  await waitFor(() => expect(page.getAddress()).toBe(`/dashboard/payment/${order._id}`));
});

test('returning after the shop recorded the payment shows success', async () => {
  const order = anOrder({ status: 'pending', transactionId: 'pi_12345678' });
  await openPaymentPage(
    order,
    '?payment_intent=pi_12345678&payment_intent_client_secret=pi_12345678_secret_1',
  );
  expect(await screen.findByText(success)).toBeVisible();
  expect(document.title).toBe('Payment completed · Parts Forge');
});

test('a missing order is named and leads to My Orders', async () => {
  shop.refuse(readOrder, 'not-found');
  await openPage(`/dashboard/payment/${anOrder()._id}`);
  expect(await screen.findByText('This order is not there')).toBeVisible();
  expect(shop.getRequests(listOrders)).toEqual([]);
});

test('a payment that fails to open names the failure and a retry', async () => {
  shop.refuse(openPayment, 'provider-broken', { requestId: '0198c2f4-bbb3' });
  const { user } = await openPaymentPage();
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The payment provider gave no usable answer.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-bbb3');
  shop.answer(openPayment, { clientSecret: 'pi_12345678_secret_1' });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await payWhenReady();
});

test('a failed script load is named and offers a retry', async () => {
  stripe.remove();
  shop.answer(readConfig, aConfig({ mode: 'sandbox', scriptUrl: '/sandbox/stripe/stripe.js' }));
  await openPaymentPage();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The card form could not be loaded. Check your connection and try again.',
  );
  expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
});

test('a failed load of the card fields is named', async () => {
  stripe.fields = 'failed';
  await openPaymentPage();
  expect(await screen.findByRole('alert')).toHaveTextContent('The card form could not be loaded.');
});

test("Stripe's script needs a document loaded at a payment's address", async () => {
  const loadedAt = (path: string) =>
    vi
      .spyOn(performance, 'getEntriesByType')
      .mockReturnValue([{ name: `http://localhost:3000${path}` } as PerformanceEntry]);
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue();

  loadedAt('/dashboard/my-orders');
  await openPaymentPage();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(screen.getByText('Loading the card form…')).toBeInTheDocument();

  loadedAt(`/dashboard/payment/${anOrder()._id}`);
  await openPaymentPage();
  await payWhenReady();
  expect(reload).toHaveBeenCalledOnce();
});

test("the sandbox's script needs no reload", async () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { name: 'http://localhost:3000/' } as PerformanceEntry,
  ]);
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue();
  shop.answer(readConfig, aConfig({ mode: 'sandbox', scriptUrl: '/sandbox/stripe/stripe.js' }));
  await openPaymentPage();
  expect(await screen.findByText(/no money moves/)).toBeVisible();
  await payWhenReady();
  expect(reload).not.toHaveBeenCalled();
});
