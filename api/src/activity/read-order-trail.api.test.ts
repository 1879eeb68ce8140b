import type { OrderEvent } from '@parts-forge/contract/events/trail';
import { beforeEach, describe, expect, test } from 'vitest';
import { expireOrders } from '#src/orders/expire-orders.ts';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { reconcile } from '#src/payments/events/reconcile.ts';
import { createOrderPayments } from '#src/payments/order-payments.ts';
import { type Person, signedInAgain, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import {
  aDueOrder,
  confirmCard,
  controlSandbox,
  paidUnnoticed,
  refundAtProvider,
  sendEvent,
} from '#test/paying.ts';
import { readActivity, readTrail } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';

const clock = createMovableClock();

let admin: Person;
const shop = useShop({ clock, env: { PAYMENT_HOURS: '0.01' } });
beforeEach(async () => {
  // Signs in again, as the test clock outruns the token's lifetime.
  admin = await signedInAs(shop, 'admin', { name: 'Ada Reyes' });
  await controlSandbox(shop, { webhooks: 'drop', faults: [], processing: false, newRefunds: 'succeeded' });
});

const total = 1139.43;
const nextRound = () => {
  clock.aheadMs += 61_000;
  return reconcile(shop.services);
};
/** Each entry's event and kind of actor, oldest first. */
const summarize = async (orderId: string, reader: Person = admin) =>
  (await readTrail(reader, orderId)).reverse().map(({ event, by }) => `${event} by ${by.kind}`);

test('the trail shows placing, payment and acceptance, newest first', async () => {
  const { customer, order } = await aPendingOrder(shop);
  await admin.accepts(order);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(await readTrail(admin, order._id)).toEqual([
    {
      at,
      event: 'accepted',
      by: { kind: 'admin', _id: admin.userId, name: 'Ada Reyes' },
      before: { status: 'pending' },
      after: { status: 'paid', amount: order.totalPrice },
    },
    {
      at,
      event: 'paid',
      by: { kind: 'user', _id: customer.userId, name: customer.name },
      transactionId: expect.stringMatching(/^pi_/),
      before: { status: 'due' },
      after: { status: 'pending', amount: total },
    },
    {
      at: order.createdAt,
      event: 'ordered',
      by: { kind: 'user', _id: customer.userId, name: customer.name },
      after: { status: 'due', quantity: 57, price: 19.99, totalPrice: total },
    },
  ]);
});

test('customers see only the kind of other actors; strangers see nothing', async () => {
  const { customer, order } = await aPendingOrder(shop);
  await admin.accepts(order);
  const [accepted, paid] = await readTrail(customer, order._id);
  expect(accepted?.by).toEqual({ kind: 'admin' });
  expect(paid?.by).toEqual({ kind: 'user', _id: customer.userId, name: customer.name });
  const stranger = await signedInAs(shop, 'user');
  expect((await stranger.get(`/order/${order._id}/trail`)).status).toBe(404);
  const unknown = '/order/00000000-0000-4000-8000-000000000000/trail';
  expect((await admin.get(unknown)).status).toBe(404);
});

describe('the actor of a payment', () => {
  test('is the provider when its event comes first', async () => {
    const { customer, order, id } = await paidUnnoticed(shop);
    const type = 'payment_intent.succeeded';
    await sendEvent(shop, {
      id: `evt_${id}`,
      object: 'event',
      type,
      data: { object: { object: 'payment_intent', id } },
    });
    await customer.records(order, id);
    expect(await summarize(order._id)).toEqual(['ordered by user', 'paid by provider']);
  });

  test('is the system when the job comes first', async () => {
    const { order } = await paidUnnoticed(shop);
    await nextRound();
    expect(await summarize(order._id)).toEqual(['ordered by user', 'paid by system']);
  });
});

describe('the end of an order', () => {
  test('is recorded as cancelled by its customer', async () => {
    const { customer, order } = await aDueOrder(shop);
    await customer.cancels(order);
    expect(await summarize(order._id, customer)).toEqual(['ordered by user', 'cancelled by user']);
  });

  test('is recorded as expired by the system', async () => {
    const { order } = await aDueOrder(shop);
    clock.aheadMs += 40_000;
    await expireOrders(shop.services, createOrderPayments(shop.services));
    expect(await summarize(order._id)).toEqual(['ordered by user', 'expired by system']);
  });

  test('is recorded as refunded, with steps hidden from the customer', async () => {
    await controlSandbox(shop, { newRefunds: 'failed' });
    const { customer, order } = await aPendingOrder(shop);
    await admin.refunds(order);
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) await nextRound();
    const trail = await readTrail(await signedInAs(shop, 'admin'), order._id);
    expect(trail.map(({ event, by, after }) => [event, by.kind, after?.refundState])).toEqual([
      ['refund-changed', 'system', 'succeeded'],
      ['refund-changed', 'system', 'failed'],
      ['refunded', 'admin', 'pending'],
      ['paid', 'user', undefined],
      ['ordered', 'user', undefined],
    ]);
    expect(trail[2]).toMatchObject({
      before: { refund: 0, disputed: false },
      after: { refund: total, refundState: 'pending', disputed: false, closed: 'refunded' },
    });
    expect(await summarize(order._id, await signedInAgain(shop, customer))).toEqual([
      'ordered by user',
      'paid by user',
      'refunded by admin',
    ]);
  });
});

describe('the reason of a refund', () => {
  test('is visible to administrators, not to the customer', async () => {
    const { customer, order, id } = await aPendingOrder(shop);
    await refundAtProvider(shop, id, 100);
    await admin.refunds(order, { returnStock: true, reason: 'Arrived broken' });
    const readReasons = async (reader: Person) =>
      (await readTrail(reader, order._id)).map(({ event, after }) => [event, after?.reason]);
    expect(await readReasons(admin)).toContainEqual(['refunded', 'Arrived broken']);
    expect((await readReasons(admin)).filter(([, reason]) => reason !== undefined)).toHaveLength(1);
    const { body } = await admin.get(`/activity?q=${order._id}&what=refunded`);
    expect(body.data.map(({ after }: OrderEvent) => after?.reason)).toContain('Arrived broken');
    const customers = await customer.get(`/order/${order._id}/trail`);
    expect(customers.status).toBe(200);
    expect(JSON.stringify(customers.body)).not.toContain('broken');
  });
});

describe('money moved at the provider', () => {
  test('is recorded once as a refund that ends the order', async () => {
    const { customer, order, id } = await aPendingOrder(shop);
    await refundAtProvider(shop, id);
    await nextRound();
    await nextRound();
    expect(await summarize(order._id)).toEqual(['ordered by user', 'paid by user', 'refunded by system']);
    const reader = await signedInAs(shop, 'admin');
    const [refunded] = await readTrail(reader, order._id);
    expect(refunded?.after).toEqual({
      refund: total,
      refundState: 'succeeded',
      disputed: false,
      closed: 'refunded',
    });
    expect(customer.userId).toBeDefined();
  });

  test('is recorded for each partial refund, with the sum before', async () => {
    const { order, id } = await aPendingOrder(shop);
    await refundAtProvider(shop, id, 1000);
    await nextRound();
    await refundAtProvider(shop, id, 500);
    await nextRound();
    const [second, first] = await readTrail(await signedInAs(shop, 'admin'), order._id);
    expect([first?.before?.refund, first?.after?.refund]).toEqual([0, 10]);
    expect([second?.before?.refund, second?.after?.refund]).toEqual([10, 15]);
  });

  test('is recorded once per step for a cancelled order', async () => {
    const { customer, order } = await aDueOrder(shop);
    const late = await shop.services.payments.createPayment({
      orders: [{ id: order._id, attempt: 90 }],
      shop: shop.services.instanceId,
      amountCents: 113943,
      currency: 'usd',
      description: 'made by nobody',
    });
    await customer.cancels(order);
    await confirmCard(shop, late.clientSecret);
    await customer.records(order, late.id);
    await customer.records(order, late.id);
    await nextRound();
    const trail = await readTrail(await signedInAs(shop, 'admin'), order._id);
    expect(trail.map(({ event, after }) => [event, after?.refundState ?? after?.closed])).toEqual([
      ['refund-changed', 'succeeded'],
      ['payment-returned', 'pending'],
      ['cancelled', 'cancelled'],
      ['ordered', undefined],
    ]);
    expect(trail[1]?.after).toEqual({ amount: total, refundState: 'pending' });
  });

  test('is recorded once for an unknown order, under its id', async () => {
    const stray = await shop.services.payments.createPayment({
      orders: [{ id: '019a0000-0000-7000-8000-000000000000', attempt: 1 }],
      shop: shop.services.instanceId,
      amountCents: 5000,
      currency: 'usd',
      description: 'of an order that an older backup does not have',
    });
    await confirmCard(shop, stray.clientSecret);
    await fetchEvents(shop.services);
    await nextRound();
    shop.expectErrors([{ payment: stray.id, receivedCents: 5000 }]);
    expect(await readActivity(shop, `?q=${stray.id}`)).toMatchObject([
      { event: 'payment-stray', by: { kind: 'system' }, after: { amount: 50, refunded: 0 } },
    ]);
  });
});
