import { deleteObject, listObjects, putObject } from '@parts-forge/card-sandbox/object-store';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetPaymentEvents } from '#src/jobs.ts';
import { webhookEvents } from '#src/payments/schema.ts';
import { trail } from '#src/trail/schema.ts';
import { signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import {
  aDueOrder,
  anOpenPayment,
  confirmCard,
  controlSandbox,
  expectRefusal,
  orderBecomes,
  paidUnnoticed,
  readCode,
  readSandbox,
  sendEvent,
} from '#test/paying.ts';
import { createPayment, listRefunds, loseEvents, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import { findRefunds } from '../refunds/refund-store.ts';
import { findEventOutcome } from '../store.ts';
import { takeEvent } from './receive-event.ts';

const shop = useShop();
beforeEach(() => loseEvents(shop));

let number = 0;
const anEvent = (type: string, object: object) => {
  number += 1;
  return { id: `evt_test_${number}`, object: 'event', type, data: { object }, created: 1, livemode: false };
};
const aboutPayment = (type: string, id: string) =>
  anEvent(type, { object: 'payment_intent', id, status: 'succeeded' });

test('an event completes an order, and its repeats change nothing', async () => {
  const { customer, order, id } = await paidUnnoticed(shop);
  const event = aboutPayment('payment_intent.succeeded', id);
  const answers = await Promise.all([1, 2, 3].map(() => sendEvent(shop, event)));
  answers.push(await sendEvent(shop, event));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(4).fill([200, { received: true }]));
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
});

test('an event that the shop refused is delivered again', async () => {
  await controlSandbox(shop, { webhooks: 'hold' });
  const { customer, order } = await paidUnnoticed(shop);
  await controlSandbox(shop, {
    webhooks: 'deliver',
    faults: [{ fault: '429', on: 'GET /v1/payment_intents', times: 1 }],
  });
  await orderBecomes(customer, order, 'pending');
  shop.expectErrors([{ code: 'unavailable' }]);
});

test('a second payment of a pending order is refunded, the first stays', async () => {
  const { customer, order } = await aDueOrder(shop);
  const transactionId = await customer.pays(order);
  const second = await createPayment(shop, { orderId: order._id });
  await confirmCard(shop, second.clientSecret);
  expectRefusal(
    await customer.put(`/order/${order._id}`, { order: order._id, transactionId: second.id }),
    409,
    'already-paid',
  );
  expect(await shop.services.payments.findPayment(second.id)).toMatchObject({ refundedCents: 113943 });
  expect(await shop.services.payments.findPayment(transactionId)).toMatchObject({ refundedCents: 0 });
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId });
});

test('a bad signature is refused and changes nothing', async () => {
  const { customer, order, id } = await paidUnnoticed(shop);
  const event = aboutPayment('payment_intent.succeeded', id);
  const refused = [
    await sendEvent(shop, event, { secret: 'whsec_guessed' }),
    await sendEvent(shop, event, { tampered: true }),
    await shop.request('/webhooks/stripe', { method: 'POST', body: event }),
    await shop.request('/webhooks/stripe', {
      method: 'POST',
      body: event,
      headers: { 'stripe-signature': '' },
    }),
    await shop.request('/webhooks/stripe', {
      method: 'POST',
      body: event,
      headers: { 'stripe-signature': 't=1,v1=00' },
    }),
    await shop.request('/webhooks/stripe', { method: 'POST' }),
  ];
  expect(refused.map((answer) => [answer.status, readCode(answer)])).toEqual(
    Array(6).fill([400, 'bad-signature']),
  );
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });
});

test('a correctly signed lie changes nothing', async () => {
  const { customer, order, id } = await anOpenPayment(shop);
  const lies = [
    aboutPayment('payment_intent.succeeded', id),
    aboutPayment('payment_intent.succeeded', 'pi_that_nobody_made'),
    anEvent('charge.refunded', { object: 'charge', id: 'ch_1', payment_intent: id, refunded: true }),
    anEvent('payment_intent.succeeded', { object: 'payment_intent', id, metadata: { orderId: order._id } }),
  ];
  for (const lie of lies) expect((await sendEvent(shop, lie)).status).toBe(200);
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });
});

test('no late or disordered event moves an order backwards', async () => {
  const { customer, order, id } = await paidUnnoticed(shop);
  const types = [
    'payment_intent.canceled',
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
    'payment_intent.processing',
    'payment_intent.created',
  ];
  for (const type of types) expect((await sendEvent(shop, aboutPayment(type, id))).status).toBe(200);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
});

test('a failed event is processed when it is sent again', async () => {
  const { customer, order, id } = await paidUnnoticed(shop);
  const event = aboutPayment('payment_intent.succeeded', id);
  await controlSandbox(shop, { faults: [{ fault: '429', on: 'GET' }] });
  expect((await sendEvent(shop, event)).status).toBe(503);
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });
  expect((await sendEvent(shop, event)).status).toBe(200);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
  shop.expectErrors([{ code: 'unavailable' }]);
});

test('duplicate, late and paused deliveries have the same effect', async () => {
  await controlSandbox(shop, { webhooks: 'twice' });
  const twice = await paidUnnoticed(shop);
  await orderBecomes(twice.customer, twice.order, 'pending');

  await controlSandbox(shop, { webhooks: 'delay', delayMs: 300 });
  const late = await paidUnnoticed(shop);
  await orderBecomes(late.customer, late.order, 'pending');

  await controlSandbox(shop, { webhooks: 'hold' });
  const held = await paidUnnoticed(shop);
  const { deliveries } = await readSandbox(shop);
  expect(deliveries.length).toBeGreaterThan(0);
  expect(await held.customer.reads(held.order)).toMatchObject({ status: 'due' });
  await controlSandbox(shop, { webhooks: 'deliver' });
  await orderBecomes(held.customer, held.order, 'pending');
});

test('a body above the limit is refused', async () => {
  const event = anEvent('payment_intent.succeeded', {
    object: 'payment_intent',
    padding: 'x'.repeat(300_000),
  });
  expect((await sendEvent(shop, event)).status).toBe(413);
});

test('events are deleted after thirty days', async () => {
  const { customer, order, id } = await paidUnnoticed(shop);
  const event = aboutPayment('payment_intent.succeeded', id);
  await sendEvent(shop, event);
  const { database } = shop.services;
  const noted = async () =>
    (await database.db.select().from(webhookEvents)).filter((row) => row.id === event.id).length;
  const fetchIds = async (kind: 'event' | 'delivery') =>
    (await listObjects(database.db, kind, { limit: 1000 })).map((object) =>
      'eventId' in object ? object.eventId : object.id,
    );
  const made = await fetchIds('event');
  const forgetAfter = (days: number) => {
    const now = new Date(Date.now() + days * 24 * 3_600_000);
    return forgetPaymentEvents({ ...shop.services, clock: { now: () => now } });
  };
  await forgetAfter(29.9);
  expect([await noted(), await fetchIds('event')]).toEqual([1, made]);
  // A pending delivery stays.
  const [eventId = ''] = made;
  const waiting = { id: 'dlv_waiting', eventId, tries: 0, nextAt: '2999-01-01T00:00:00Z' };
  await putObject(database.db, 'delivery', waiting, new Date());
  await forgetAfter(30.1);
  expect(await noted()).toBe(0);
  expect(new Set(await fetchIds('event'))).toEqual(new Set(await fetchIds('delivery')));
  expect(made.length).toBeGreaterThan((await fetchIds('event')).length);
  await deleteObject(database.db, 'delivery', waiting.id);

  // A repeat is processed again, without effect.
  expect((await sendEvent(shop, event)).status).toBe(200);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
});

test('a signed body that is no event is refused with 400', async () => {
  const bare = { id: 'evt_bare', type: 'charge.refunded' };
  for (const event of [{}, { object: 'event' }, { id: 7, type: 'x' }, { id: 'evt_1' }, bare]) {
    expectRefusal(await sendEvent(shop, event), 400, 'bad-request');
  }
  expect((await sendEvent(shop, { ...bare, data: { object: {} } })).status).toBe(200);
});

let takenNumber = 0;
const aTakenEvent = (type: string, paymentId: string | null) => {
  takenNumber += 1;
  return { id: `evt_outcome_${takenNumber}`, type, paymentId, createdAt: null };
};
/** Takes the event. @returns its stored outcome and the payments that were read from the provider */
async function take(event: ReturnType<typeof aTakenEvent>) {
  const findPayment = vi.fn(shop.services.payments.findPayment);
  const isNew = await withProvider(shop, { findPayment }, () => takeEvent(shop.services, event));
  const outcome = await findEventOutcome(shop.db, event.id);
  return { isNew, outcome, asked: findPayment.mock.calls.map(([id]) => id) };
}

describe('the outcome of an event', () => {
  test('is `applied` after a payment, and a repeat reads nothing', async () => {
    const { id } = await paidUnnoticed(shop);
    const event = aTakenEvent('payment_intent.succeeded', id);
    expect(await take(event)).toEqual({ isNew: true, outcome: 'applied', asked: [id] });
    expect(await take(event)).toEqual({ isNew: false, outcome: 'applied', asked: [] });
    expect(await take(aTakenEvent('charge.refunded', id))).toMatchObject({ isNew: true, outcome: 'already' });
  });

  test('is `unknown` for a payment unknown to the provider', async () => {
    const event = aTakenEvent('payment_intent.succeeded', 'pi_that_nobody_made');
    expect(await take(event)).toMatchObject({ outcome: 'unknown' });
  });

  test('is `ignored` for an irrelevant event, which reads nothing', async () => {
    const { id } = await paidUnnoticed(shop);
    expect(await take(aTakenEvent('payment_intent.created', id))).toEqual({
      isNew: true,
      outcome: 'ignored',
      asked: [],
    });
    expect(await take(aTakenEvent('charge.refunded', null))).toEqual({
      isNew: true,
      outcome: 'ignored',
      asked: [],
    });
  });
});

test.each([
  ['charge.dispute.created', 1],
  ['charge.refunded', 0],
])("%s reads the payment's disputes %i times", async (type, times) => {
  const { id } = await aPendingOrder(shop);
  const listDisputes = vi.fn(shop.services.payments.listDisputes);
  await withProvider(shop, { listDisputes }, () => takeEvent(shop.services, aTakenEvent(type, id)));
  expect(listDisputes).toHaveBeenCalledTimes(times);
});

describe('the refund of a payment that paid no order', () => {
  async function aRefundOnItsWay() {
    const { customer, order } = await aDueOrder(shop);
    const { id, clientSecret } = await createPayment(shop, { orderId: order._id });
    await customer.cancels(order);
    await confirmCard(shop, clientSecret);
    await controlSandbox(shop, { newRefunds: 'pending' });
    await customer.records(order, id);
    const readState = async () => (await findRefunds(shop.db, order._id))[0]?.state;
    expect(await readState()).toBe('pending');
    const finish = async (status: 'succeeded' | 'failed') => {
      const [made] = await listRefunds(shop, id);
      await controlSandbox(shop, { finishRefund: { refund: made?.id, status } });
    };
    return { id, readState, finish };
  }

  test('is read until it ends', async () => {
    const { id, readState, finish } = await aRefundOnItsWay();
    await finish('succeeded');
    await takeEvent(shop.services, aTakenEvent('refund.updated', id));
    expect(await readState()).toBe('succeeded');
    // The payment is read once to settle it; the ended refund is not read again.
    expect((await take(aTakenEvent('refund.updated', id))).asked).toEqual([id]);
  });

  test('stays pending after an event without news', async () => {
    const { id, readState } = await aRefundOnItsWay();
    await takeEvent(shop.services, aTakenEvent('refund.updated', id));
    expect(await readState()).toBe('pending');
  });
});

test("an order's refund is read with its order, once", async () => {
  await controlSandbox(shop, { newRefunds: 'pending' });
  const { order, id } = await aPendingOrder(shop);
  await (await signedInAs(shop, 'admin')).refunds(order);
  expect(await take(aTakenEvent('refund.updated', id))).toMatchObject({ outcome: 'already', asked: [id] });
});

test('the trail names the provider as actor of an event', async () => {
  const { id } = await paidUnnoticed(shop);
  await sendEvent(shop, {
    id: 'evt_of_the_provider',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { object: 'payment_intent', id } },
  });
  const entries = await shop.db.select().from(trail).where(eq(trail.paymentId, id));
  expect(entries).toMatchObject([{ event: 'paid', actor: 'provider', actorId: null }]);
});
