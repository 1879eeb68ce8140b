import { beforeEach, expect, test } from 'vitest';
import { createMovableClock } from '#test/movable-clock.ts';
import {
  aDueOrder,
  anOpenPayment,
  confirmCard,
  controlSandbox,
  expectRefusal,
  paidUnnoticed,
  paymentRows,
  readSandbox,
  sendEvent,
} from '#test/paying.ts';
import { createPayment, listRefunds, loseEvents, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import type { PaymentProvider } from '../provider/provider.ts';
import { reconcile } from './reconcile.ts';

const clock = createMovableClock();
const aMinute = 61_000;

const shop = useShop({ clock });
beforeEach(async () => {
  await loseEvents(shop);
});

const reconciled = () => reconcile(shop.services);
const later = () => {
  clock.aheadMs += aMinute;
};

/** A provider whose process dies right after this call took effect. */
function dyingAfter(method: 'createPayment' | 'cancelPayment' | 'createRefund'): PaymentProvider {
  const { payments } = shop.services;
  let died = false;
  return {
    ...payments,
    [method]: async (argument: never) => {
      const done = await (payments[method] as (argument: never) => Promise<unknown>)(argument);
      if (died) return done;
      died = true;
      throw new Error('the process died');
    },
  };
}

test('the job makes the order pending without browser and webhook', async () => {
  const { customer, order, id } = await paidUnnoticed(shop);
  await reconciled();
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });
  later();
  expect((await reconciled()).settled).toBe(1);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
});

test('an unpaid payment stays open and is read less and less often', async () => {
  const { customer, order, clientSecret } = await anOpenPayment(shop);
  const asked: number[] = [];
  for (let minute = 0; minute < 10; minute += 1) {
    later();
    const before = (await paymentRows(shop, order))[0]?.updatedAt.getTime();
    await reconciled();
    const after = (await paymentRows(shop, order))[0]?.updatedAt.getTime();
    if (before !== after) asked.push(minute);
  }
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.length).toBeLessThan(7);
  expect((await customer.asksToPay(order)).body.clientSecret).toBe(clientSecret);
});

test('the next opening finds a payment whose creation was interrupted', async () => {
  const { customer, order } = await aDueOrder(shop);
  await withProvider(shop, dyingAfter('createPayment'), async () => {
    expect((await customer.asksToPay(order)).status).toBe(500);
  });
  shop.expectErrors([{ err: { message: 'the process died' } }]);
  const { intents } = await readSandbox(shop);
  const [made] = intents.filter(
    ({ metadata }: { metadata: { orderId: string } }) => metadata.orderId === order._id,
  );
  expect((await customer.opensPayment(order)).id).toBe(made.id);
  expect(await paymentRows(shop, order)).toHaveLength(1);
});

test('the next cancel completes an interrupted cancel', async () => {
  const { customer, order } = await aDueOrder(shop);
  await customer.opensPayment(order);
  await withProvider(shop, dyingAfter('cancelPayment'), async () => {
    expect((await customer.cancels(order)).status).toBe(500);
  });
  shop.expectErrors([{ err: { message: 'the process died' } }]);
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });
  expect((await customer.cancels(order)).status).toBe(200);
});

test('the job completes an interrupted refund once', async () => {
  const { customer, order } = await aDueOrder(shop);
  const stray = await createPayment(shop, { orderId: order._id });
  await customer.cancels(order);
  await confirmCard(shop, stray.clientSecret);
  const event = {
    id: 'evt_refund',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { object: 'payment_intent', id: stray.id } },
  };
  await withProvider(shop, dyingAfter('createRefund'), async () => {
    expect((await sendEvent(shop, event)).status).toBe(500);
  });
  shop.expectErrors([{ err: { message: 'the process died' } }]);
  expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refund_due']);
  later();
  expect((await reconciled()).refunded).toBe(1);
  expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refunded']);
  expect(await listRefunds(shop, stray.id)).toHaveLength(1);
});

test('the same key finds a payment whose answer was lost', async () => {
  const { customer, order } = await aDueOrder(shop);
  await controlSandbox(shop, {
    faults: [{ fault: 'timeout-after', on: 'POST /v1/payment_intents', times: 3 }],
  });
  expectRefusal(await customer.asksToPay(order), 503, 'unavailable');
  shop.expectErrors([{ code: 'unavailable' }]);
  expect((await customer.asksToPay(order)).status).toBe(200);
  const { intents } = await readSandbox(shop);
  const own = intents.filter(
    ({ metadata }: { metadata: { orderId: string } }) => metadata.orderId === order._id,
  );
  expect(own).toHaveLength(1);
});

test('a lost request is sent again, and short interruptions stay invisible', async () => {
  const { customer, order } = await aDueOrder(shop);
  await controlSandbox(shop, { faults: [{ fault: 'timeout-before', on: 'POST', times: 3 }] });
  expect((await customer.asksToPay(order)).status).toBe(503);
  shop.expectErrors([{ code: 'unavailable' }]);
  await controlSandbox(shop, { faults: [{ fault: 'timeout-before', on: 'POST', times: 1 }] });
  expect((await customer.asksToPay(order)).status).toBe(200);
});

test('a failure stored under the key leads to a new attempt', async () => {
  const { customer, order } = await aDueOrder(shop);
  await controlSandbox(shop, { faults: [{ fault: '500', on: 'POST /v1/payment_intents' }] });
  const broken = await customer.asksToPay(order);
  expectRefusal(broken, 503, 'provider-broken');
  shop.expectErrors([{ code: 'provider-broken' }]);
  const { clientSecret, id } = await customer.opensPayment(order);
  expect((await paymentRows(shop, order)).map(({ attempt }) => attempt)).toEqual([2]);
  await confirmCard(shop, clientSecret);
  expect((await customer.records(order, id)).status).toBe(200);
});

test('a busy provider leads to a refusal with Retry-After', async () => {
  const { customer, order } = await aDueOrder(shop);
  await controlSandbox(shop, { faults: [{ fault: '429', on: 'POST' }] });
  const busy = await customer.asksToPay(order);
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '5']);
  shop.expectErrors([{ code: 'unavailable' }]);
  expect(busy.body.detail).toBe('The payment provider does not answer. Try again in a moment.');
});

test('a payment that cannot be read does not delay the others', async () => {
  const first = await aDueOrder(shop);
  const second = await aDueOrder(shop);
  for (const { customer, order } of [first, second]) {
    const { clientSecret } = await customer.opensPayment(order);
    await confirmCard(shop, clientSecret);
  }
  later();
  await controlSandbox(shop, { faults: [{ fault: '429', on: 'GET' }] });
  const done = await reconciled();
  expect(done.failed).toBe(1);
  shop.expectErrors([{ msg: 'the payment could not be reconciled' }]);
  later();
  later();
  await reconciled();
  for (const { customer, order } of [first, second]) {
    expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
  }
});
