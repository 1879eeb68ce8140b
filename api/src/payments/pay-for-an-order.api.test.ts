import { beforeEach, expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import {
  aDueOrder,
  anOpenPayment,
  confirmCard,
  controlSandbox,
  expectRefusal,
  orderBecomes,
  paidUnnoticed,
  paymentRows,
  readCode,
  readSandbox,
} from '#test/paying.ts';
import { loseEvents, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import type { PaymentProvider } from './provider/provider.ts';

const shop = useShop();
beforeEach(() => loseEvents(shop));

test('a customer pays by card and an administrator accepts the order', async () => {
  const { customer, order } = await aDueOrder(shop);
  const opened = await customer.asksToPay(order);
  expect(opened.status).toBe(200);
  expect(opened.headers.get('cache-control')).toBe('no-store');

  const confirmed = await confirmCard(shop, opened.body.clientSecret);
  expect(confirmed.body).toMatchObject({ status: 'succeeded', amount: 113943, currency: 'usd' });

  const transactionId = confirmed.body.id;
  const recorded = await customer.records(order, transactionId);
  expect(recorded.body).toEqual({ acknowledged: true, status: 'pending', transactionId });
  const admin = await signedInAs(shop, 'admin');
  expect((await admin.accepts(order)).body).toEqual({ acknowledged: true });
  expect(await customer.reads(order)).toMatchObject({ status: 'paid', transactionId });
});

test('the webhook alone makes the order pending', async () => {
  await controlSandbox(shop, { webhooks: 'deliver' });
  const { customer, order, id } = await paidUnnoticed(shop);
  expect((await orderBecomes(customer, order, 'pending')).transactionId).toBe(id);
});

test('simultaneous requests get the same open payment', async () => {
  const { customer, order } = await aDueOrder(shop);
  const answers = await Promise.all(Array.from({ length: 20 }, () => customer.asksToPay(order)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(({ body }) => body.clientSecret)).size).toBe(1);
  expect(await paymentRows(shop, order)).toHaveLength(1);
  const { intents } = await readSandbox(shop);
  const own = intents.filter(
    (intent: { metadata: { orderId: string } }) => intent.metadata.orderId === order._id,
  );
  expect(own).toHaveLength(1);
});

test('a declined payment can be retried with another card', async () => {
  const { customer, order, clientSecret, id } = await anOpenPayment(shop);
  const declined = await confirmCard(shop, clientSecret, 'pm_card_chargeDeclined');
  expect(declined.status).toBe(402);
  expect(declined.body.error).toMatchObject({
    type: 'card_error',
    code: 'card_declined',
    message: 'Your card was declined.',
    payment_intent: { id, status: 'requires_payment_method' },
  });
  expect((await customer.records(order, id)).status).toBe(409);
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });

  expect((await customer.asksToPay(order)).body.clientSecret).toBe(clientSecret);
  await confirmCard(shop, clientSecret);
  expect((await customer.records(order, id)).body.status).toBe('pending');
});

test('the price only proves that the customer saw the right total', async () => {
  const { customer, order } = await aDueOrder(shop);
  const ask = (price: unknown) => customer.post('/create-payment-intent', { price, order: order._id });
  const wrong = await ask(1);
  expectRefusal(wrong, 409, 'price-mismatch');
  expect(wrong.body.total).toBe(1139.43);
  expect((await ask(57 * 19.99)).status).toBe(200);
  expect((await ask('1139.43')).status).toBe(422);
  expect((await ask(-1)).status).toBe(422);
  const large = await ask(1_000_000);
  expect([large.status, large.body.detail]).toEqual([422, 'Amount must be no more than $999,999.99']);
});

test('a price alone finds the one unpaid order with that total', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { price: 3.5 });
  const ask = () => customer.post('/create-payment-intent', { price: 210 });
  expect((await ask()).status).toBe(404);
  const order = await customer.orders(product, 60);
  const opened = await ask();
  expect(opened.body).toEqual((await customer.asksToPay(order)).body);
  await customer.orders(product, 60);
  expectRefusal(await ask(), 409, 'order-ambiguous');
});

test("a stranger's, an unknown and an invalid order are not found", async () => {
  const { order } = await aDueOrder(shop);
  const stranger = await signedInAs(shop, 'user');
  expect((await stranger.asksToPay(order)).status).toBe(404);
  for (const id of ['019a0000-0000-7000-8000-000000000000', 'x']) {
    expect((await stranger.asksToPay({ ...order, _id: id })).status).toBe(404);
  }
});

test("an order that is paid answers 'Product Payment Already done'", async () => {
  const { customer, order } = await aPendingOrder(shop);
  const again = await customer.asksToPay(order);
  expect([again.status, readCode(again), again.body.title]).toEqual([
    409,
    'already-paid',
    'Product Payment Already done',
  ]);
});

test('reopening the payment page finds a payment that succeeded unnoticed', async () => {
  const { customer, order, id } = await paidUnnoticed(shop);
  expect(readCode(await customer.asksToPay(order))).toBe('already-paid');
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
});

test('a processing payment blocks opening, recording and cancelling', async () => {
  await controlSandbox(shop, { processing: true });
  const { customer, order, clientSecret, id } = await anOpenPayment(shop);
  expect((await confirmCard(shop, clientSecret)).body.status).toBe('processing');
  expect(readCode(await customer.asksToPay(order))).toBe('payment-processing');
  expect(readCode(await customer.cancels(order))).toBe('payment-processing');
  expect(readCode(await customer.records(order, id))).toBe('payment-not-completed');
  await controlSandbox(shop, { processing: false, finish: id });
  expect((await customer.records(order, id)).status).toBe(200);
});

test('a payment canceled at the provider is replaced by a new one', async () => {
  const { customer, order, id } = await anOpenPayment(shop);
  await shop.services.payments.cancelPayment(id);
  const second = await customer.opensPayment(order);
  expect(second.id).not.toBe(id);
  expect((await paymentRows(shop, order)).map(({ state, attempt }) => [state, attempt])).toEqual([
    ['canceled', 1],
    ['open', 2],
  ]);
});

test('recording a payment is repeatable, also after acceptance', async () => {
  const { customer, order } = await aDueOrder(shop);
  const transactionId = await customer.pays(order);
  const again = await customer.records(order, transactionId);
  expect(again.body).toEqual({ acknowledged: true, status: 'pending', transactionId });
  await (await signedInAs(shop, 'admin')).accepts(order);
  expect((await customer.records(order, transactionId)).body.status).toBe('paid');
});

test("another order's payment pays nothing and is not refunded", async () => {
  const first = await aDueOrder(shop);
  const transactionId = await first.customer.pays(first.order);
  const other = await first.customer.orders(first.product, 57);
  expectRefusal(await first.customer.records(other, transactionId), 409, 'payment-of-other-order');
  expect(await first.customer.reads(other)).toMatchObject({ status: 'due' });
  const payment = await shop.services.payments.findPayment(transactionId);
  expect(payment).toMatchObject({ status: 'succeeded', refundedCents: 0 });
});

test('an unknown or invalid payment pays nothing', async () => {
  const { customer, order } = await aDueOrder(shop);
  const unknown = await customer.records(order, 'pi_0000000000');
  expectRefusal(unknown, 422, 'unknown-payment');
  expect(unknown.body.errors).toEqual([
    { path: 'transactionId', message: 'The payment provider does not know this payment' },
  ]);
  for (const transactionId of ['../pi_1234567', 7, null]) {
    expectRefusal(await customer.records(order, transactionId as string), 422, 'invalid');
  }
});

test('refusals and failures of the provider reach the customer', async () => {
  const customer = await signedInAs(shop, 'user');
  const cheap = await aProduct(shop, { price: 0.01, minimumOrder: 1 });
  const tooSmall = await customer.asksToPay(await customer.orders(cheap, 1));
  expectRefusal(tooSmall, 422, 'payment-refused');
  expect(tooSmall.body.detail).toBe(
    'This is too little for a payment by card: Amount must be at least $0.50 usd. Pay it together with other orders.',
  );
  expect((await customer.asksToPay(await customer.orders(cheap, 50))).status).toBe(200);

  const due = await aDueOrder(shop);
  const { clientSecret, id } = await due.customer.opensPayment(due.order);
  await confirmCard(shop, clientSecret);
  await controlSandbox(shop, { faults: [{ fault: '500', times: 9 }] });
  const broken = await due.customer.records(due.order, id);
  expectRefusal(broken, 503, 'provider-broken');
  expect(await due.customer.reads(due.order)).toMatchObject({ status: 'due' });
  await controlSandbox(shop, { faults: [] });
  expect((await due.customer.records(due.order, id)).status).toBe(200);
  shop.expectErrors([{ code: 'provider-broken' }]);
});

test('the order in the body must match the path', async () => {
  const { customer, order, id } = await paidUnnoticed(shop);
  const put = (named: unknown) => customer.put(`/order/${order._id}`, { order: named, transactionId: id });
  const mismatched = await put('019a0000-0000-7000-8000-000000000000');
  expectRefusal(mismatched, 422, 'invalid');
  expect(mismatched.body.errors).toMatchObject([{ path: 'order', message: 'Must be the order of the path' }]);
  expect((await put(order)).status).toBe(200);
});

test('the bank can ask the customer for authentication', async () => {
  const { customer, order, clientSecret, id } = await anOpenPayment(shop);
  const asked = await confirmCard(shop, clientSecret, 'pm_card_authenticationRequired');
  expect(asked.body.status).toBe('requires_action');
  expect(readCode(await customer.records(order, id))).toBe('payment-not-completed');
  const path = asked.body.next_action.redirect_to_url.url;
  const question = await shop.request(path);
  expect(question.body).toContain('test-source-authorize-3ds');
  expect(question.body).toContain('$1,139.43');
  const policy = question.headers.get('content-security-policy');
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+'; form-action 'self'; frame-ancestors 'self'/,
  );
  await fetch(shop.url + path, { method: 'POST', body: new URLSearchParams({ answer: 'authorize' }) });
  expect((await customer.records(order, id)).body.status).toBe('pending');
  expect((await shop.request(path)).body).toContain('This question is closed');
});

test('a payment without its secret is not returned', async () => {
  const { customer, order } = await aDueOrder(shop);
  const { payments } = shop.services;
  const createPayment: PaymentProvider['createPayment'] = async (payment) => ({
    ...(await payments.createPayment(payment)),
    clientSecret: '',
  });
  await withProvider(shop, { createPayment }, async () => {
    expectRefusal(await customer.asksToPay(order), 503, 'provider-broken');
  });
  shop.expectErrors([{ err: { message: expect.stringContaining('without its client secret') } }]);
  expect((await customer.asksToPay(order)).status).toBe(200);
});
