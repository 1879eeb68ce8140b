import { randomUUID } from 'node:crypto';
import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orders } from '#src/orders/schema.ts';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { reconcile } from '#src/payments/events/reconcile.ts';
import { aProduct, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { choose, printSeed } from '#test/full-size.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { readStock } from '#test/paid-orders.ts';
import { aDueOrder, readCode } from '#test/paying.ts';
import { anOpenPaymentTogether, dueOrders } from '#test/paying-several.ts';
import { reconcileLater } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { type NetworkFault, type StripeEmulator, startStripeEmulator } from '#test/stripe-emulator.ts';

/** The payment code against a Stripe emulator, over TCP and a bad network. */

const clock = createMovableClock();
const webhookSecret = 'whsec_emulated';

let stripe: StripeEmulator;
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  printSeed();
  stripe = await startStripeEmulator();
  shop = await startShop({
    clock,
    env: {
      STRIPE_SECRET_KEY: 'sk_test_emulated',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_emulated',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: stripe.url,
    },
  });
});
beforeEach(async () => {
  stripe.clearFaults();
  // Signs in again, as the test clock outruns the token's lifetime.
  admin = await signedInAs(shop, 'admin');
});
afterAll(async () => {
  await shop.close();
  await stripe.close();
});

const nextRound = () => reconcileLater(shop, clock);

async function aPendingOrder() {
  const due = await aDueOrder(shop);
  const { id } = await due.customer.opensPayment(due.order);
  await stripe.confirm(id);
  expect((await due.customer.records(due.order, id)).status).toBe(200);
  return { ...due, id };
}
const listOrderPayments = async ({ _id }: Order) =>
  (await stripe.listPayments()).filter(({ orderId }) => orderId === _id);

async function sendEvent(type: string, paymentId: string) {
  const payload = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type,
    data: { object: { object: 'payment_intent', id: paymentId } },
  });
  const sdk = new Stripe('sk_test_emulated');
  const signature = sdk.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  return shop.request('/webhooks/stripe', {
    method: 'POST',
    body: payload,
    headers: { 'stripe-signature': signature },
  });
}

test('an order is paid, accepted and refunded', async () => {
  const pending = await aPendingOrder();
  expect(await pending.customer.reads(pending.order)).toMatchObject({ status: 'pending' });
  expect((await admin.accepts(pending.order)).status).toBe(200);
  const { body } = await admin.refunds(pending.order);
  expect(body.refund).toEqual({ amount: 1139.43, state: 'succeeded' });
  expect(await listOrderPayments(pending.order)).toMatchObject([{ netCents: 0 }]);
});

test('one payment pays several orders, and a refund covers a share', async () => {
  const { customer, orders } = await dueOrders(shop, 3);
  const [first, second, third] = orders as [Order, Order, Order];
  const replaced = await anOpenPaymentTogether(customer, [first, second]);
  const { id } = await anOpenPaymentTogether(customer, orders);
  expect((await stripe.confirm(replaced.id)).status).toBe(400);
  await stripe.confirm(id);
  expect((await customer.records(second, id)).status).toBe(200);
  for (const order of orders) {
    expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
  }
  expect((await admin.refunds(second)).body.refund).toEqual({ amount: 100, state: 'succeeded' });
  await stripe.refund(id, 1000);
  await nextRound();
  expect(await admin.readsClosed(second)).toMatchObject({ closed: 'refunded' });
  expect((await admin.reads(third))?.refund).toEqual({
    amount: 10,
    state: 'succeeded',
    unassigned: 10,
  });
  expect(readCode(await admin.accepts(first))).toBe('partly-refunded');
  const [payment] = (await stripe.listPayments()).filter((each) => each.id === id);
  expect(payment?.netCents).toBe(30_000 - 10_000 - 1000);
});

test('a webhook completes an order, and a bad signature does not', async () => {
  const { customer, order } = await aDueOrder(shop);
  const { id } = await customer.opensPayment(order);
  await stripe.confirm(id);
  expect((await sendEvent('payment_intent.succeeded', id)).status).toBe(200);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
});

test('cancelling cancels an open payment, not a paid one', async () => {
  const due = await aDueOrder(shop);
  const { id } = await due.customer.opensPayment(due.order);
  expect((await due.customer.cancels(due.order)).status).toBe(200);
  expect((await stripe.confirm(id)).status).toBe(400);
  expect(await readStock(shop, due)).toBe(1000);
  const paid = await aDueOrder(shop);
  const opened = await paid.customer.opensPayment(paid.order);
  await stripe.confirm(opened.id);
  expect(readCode(await paid.customer.cancels(paid.order))).toBe('already-paid');
  expect(await readStock(shop, paid)).toBe(943);
});

test('an external refund reaches the order, in full and in part', async () => {
  const [full, part] = [await aPendingOrder(), await aPendingOrder()];
  await stripe.refund(full.id);
  await stripe.refund(part.id, 100);
  await nextRound();
  expect(await admin.readsClosed(full.order)).toMatchObject({ closed: 'refunded' });
  expect(await readStock(shop, full)).toBe(1000);
  expect(readCode(await admin.accepts(part.order))).toBe('partly-refunded');
});

test('a due order is payable again after its payment was refunded', async () => {
  const { customer, order } = await aDueOrder(shop);
  const { id } = await customer.opensPayment(order);
  await stripe.confirm(id);
  await stripe.refund(id);
  const next = await customer.opensPayment(order);
  expect(next.id).not.toBe(id);
  await stripe.confirm(next.id);
  expect((await customer.records(order, next.id)).status).toBe(200);
});

test('a server without events and disputes causes no failure', async () => {
  expect(await fetchEvents(shop.services)).toEqual({ taken: 0, failed: 0 });
  const pending = await aPendingOrder();
  const { body } = await admin.get(`/order/${pending.order._id}/payment`);
  expect(body).toMatchObject({ amount: 1139.43, received: 1139.43, refunded: 0, disputed: false });
});

describe('a bad network', () => {
  const faults: NetworkFault[] = [
    'delay',
    'drop-before',
    'drop-after',
    'repeat',
    '500',
    'garbage',
    'half',
    'empty',
  ];

  // With a reduced size each call meets three faults, the next call the next three; the storm has them all.

  /** For any first response, a later attempt has one payment and charges once. */
  test.each(choose(faults, 3, 0))('opening creates one payable payment (%s)', async (fault) => {
    const { customer, order } = await aDueOrder(shop);
    stripe.inject(fault, 'POST /v1/payment_intents', 3);
    const first = await customer.asksToPay(order);
    expect([200, 503]).toContain(first.status);
    stripe.clearFaults();
    const { id } = await customer.opensPayment(order);
    await stripe.confirm(id);
    await nextRound();
    expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
    const paid = (await listOrderPayments(order)).filter(({ netCents }) => netCents > 0);
    expect(paid).toMatchObject([{ id, netCents: 113943 }]);
  });

  test.each(choose(faults, 3, 1))('cancelling takes effect entirely or not at all (%s)', async (fault) => {
    const due = await aDueOrder(shop);
    const { id } = await due.customer.opensPayment(due.order);
    stripe.inject(fault, `POST /v1/payment_intents/${id}/cancel`, 3);
    const { status } = await due.customer.cancels(due.order);
    stripe.clearFaults();
    if (status !== 200) {
      expect(await due.customer.reads(due.order)).toMatchObject({ status: 'due' });
      expect((await due.customer.cancels(due.order)).status).toBe(200);
    }
    expect(await readStock(shop, due)).toBe(1000);
    expect((await stripe.confirm(id)).status).toBe(400);
  });

  test.each(choose(faults, 3, 2))('a refund is issued once and completes (%s)', async (fault) => {
    const pending = await aPendingOrder();
    stripe.inject(fault, 'POST /v1/refunds', 3);
    expect((await admin.refunds(pending.order)).status).toBe(200);
    stripe.clearFaults();
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect(await (await signedInAs(shop, 'admin')).readsClosed(pending.order)).toMatchObject({
      closed: 'refunded',
      refund: { state: 'succeeded' },
    });
    expect(await listOrderPayments(pending.order)).toMatchObject([{ netCents: 0 }]);
    expect(await readStock(shop, pending)).toBe(1000);
  });

  test('a storm keeps money and stock exact', async () => {
    const product = await aProduct(shop, { price: 3.33, quantity: 100_000 });
    const placed: Order[] = [];
    for (let round = 0; round < faults.length; round += 1) {
      const customers = await Promise.all([1, 2, 3].map(() => signedInAs(shop, 'user')));
      for (const on of ['POST /v1/payment_intents', 'GET /v1/payment_intents', '/cancel', '/v1/refunds']) {
        stripe.inject(faults[(round + on.length) % faults.length] ?? 'delay', on, 2);
      }
      await Promise.all(
        customers.map(async (customer, index) => {
          const order = await customer.orders(product, 50 + index);
          placed.push(order);
          const pay = async () => {
            const { status, body } = await customer.asksToPay(order);
            if (status !== 200) return;
            const id = body.clientSecret.replace(/_secret_.*$/, '');
            await stripe.confirm(id);
            if (index !== 1) await customer.records(order, id);
          };
          const acts = [pay(), pay()];
          if (index === 0) acts.push(customer.cancels(order).then(() => {}));
          await Promise.all(acts);
          if (index === 2) await admin.refunds(order);
        }),
      );
      stripe.clearFaults();
    }
    for (let round = 0; round < 6; round += 1) {
      clock.aheadMs += 300_000;
      await reconcile(shop.services);
    }
    let held = 0;
    const made = await stripe.listPayments();
    for (const { _id } of placed) {
      const [order] = await shop.db.select().from(orders).where(eq(orders.id, _id));
      if (!order) throw new Error('An order is lost.');
      const own = made.filter(({ orderId }) => orderId === _id);
      const net = own.reduce((sum, { netCents }) => sum + netCents, 0);
      const isPaid = order.status !== 'due' && order.closed === null;
      expect([_id, order.status, order.closed, net]).toEqual([
        _id,
        order.status,
        order.closed,
        isPaid ? order.totalCents : 0,
      ]);
      if (order.closed === null) held += order.quantity;
    }
    expect((await readProduct(shop, product._id)).quantity).toBe(100_000 - held);
  });
});
