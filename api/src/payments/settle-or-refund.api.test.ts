import { randomUUID } from 'node:crypto';
import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findInvoice } from '#src/invoices/store.ts';
import { markClosed } from '#src/orders/move-order.ts';
import { findOrdersEvenClosed } from '#src/orders/store.ts';
import { trail } from '#src/trail/schema.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import {
  aDueOrder,
  confirmCard,
  controlSandbox,
  paidUnnoticed,
  paymentRows,
  refundAtProvider,
} from '#test/paying.ts';
import { dueOrders, paidUnnoticedTogether } from '#test/paying-several.ts';
import { createPayment, listRefunds, loseEvents, readPayment, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { findRefunds } from './refunds/refund-store.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { countStrayPayments } from './store.ts';

const shop = useShop();
beforeEach(async () => {
  await loseEvents(shop);
});

const settle = async (id: string) => settleOrRefund(shop.services, await readPayment(shop, id));

/** The trail's entries about a payment, oldest first. */
const readEntries = (id: string) =>
  shop.db
    .select({ event: trail.event, before: trail.before, after: trail.after })
    .from(trail)
    .where(eq(trail.paymentId, id))
    .orderBy(trail.createdAt, trail.id);

/** A payment that succeeded after its order was cancelled, without the shop noticing. */
async function aPaymentTooLate() {
  const due = await aDueOrder(shop);
  const late = await createPayment(shop, { orderId: due.order._id });
  await due.customer.cancels(due.order);
  await confirmCard(shop, late.clientSecret);
  return { ...due, id: late.id };
}

describe('a payment that pays its order', () => {
  test('writes one trail entry with status and amount', async () => {
    const { order, id } = await paidUnnoticed(shop);
    expect([await settle(id), await settle(id)]).toEqual(['applied', 'already']);
    expect(await paymentRows(shop, order)).toMatchObject([{ id, state: 'applied' }]);
    expect(await readEntries(id)).toEqual([
      { event: 'paid', before: { status: 'due' }, after: { status: 'pending', amountCents: 113943 } },
    ]);
  });

  test('needs no list of refunds or disputes', async () => {
    const { id } = await aPendingOrder(shop);
    const { payments } = shop.services;
    const listRefunds = vi.fn(payments.listRefunds);
    const listDisputes = vi.fn(payments.listDisputes);
    await withProvider(shop, { listRefunds, listDisputes }, async () => {
      expect(await settle(id)).toBe('already');
      expect([listRefunds.mock.calls, listDisputes.mock.calls]).toEqual([[], []]);
      await settleOrRefund(shop.services, await readPayment(shop, id), { asksForDisputes: true });
      expect(listDisputes.mock.calls).toEqual([[id]]);
    });
  });
});

describe('a payment that no order can take', () => {
  test('is refunded, with the reason and one trail entry', async () => {
    await controlSandbox(shop, { newRefunds: 'pending' });
    const { order, id } = await aPaymentTooLate();
    expect(await settle(id)).toBe('refunded');
    expect(await paymentRows(shop, order)).toMatchObject([
      { id, state: 'refund_due', note: 'the order was cancelled' },
    ]);
    expect(await settle(id)).toBe('refunded');
    expect(await findRefunds(shop.db, order._id)).toMatchObject([
      { paymentId: id, amountCents: 113943, state: 'pending', note: 'the order was cancelled' },
    ]);
    expect(await readEntries(id)).toEqual([
      {
        event: 'payment-returned',
        before: null,
        after: { amountCents: 113943, refundState: 'pending' },
      },
    ]);
    expect(await listRefunds(shop, id)).toHaveLength(1);
  });

  test("is refunded with the order's status as reason", async () => {
    const { order } = await aPendingOrder(shop);
    const second = await createPayment(shop, { orderId: order._id });
    await confirmCard(shop, second.clientSecret);
    expect(await settle(second.id)).toBe('refunded');
    const [refund] = await findRefunds(shop.db, order._id, second.id);
    expect(refund).toMatchObject({ note: 'the order is pending' });
  });

  test('needs no refund after a full external refund', async () => {
    const { order, id } = await aPaymentTooLate();
    await refundAtProvider(shop, id);
    expect([await settle(id), await settle(id)]).toEqual(['refunded', 'refunded']);
    expect(await paymentRows(shop, order)).toMatchObject([{ id, state: 'refunded' }]);
    expect(await findRefunds(shop.db, order._id)).toEqual([]);
    expect(await readEntries(id)).toEqual([
      {
        event: 'payment-returned',
        before: null,
        after: { amountCents: 113943, refundState: 'succeeded' },
      },
    ]);
    expect(await listRefunds(shop, id)).toHaveLength(1);
  });
});

describe('a stray payment', () => {
  const countStrays = () => countStrayPayments(shop.db);

  test.each(['not an id', '', null])('with order id %j is reported once, not refunded', async (orderId) => {
    const before = await countStrays();
    const made = await createPayment(shop, { orderId: randomUUID() });
    await confirmCard(shop, made.clientSecret);
    const stray = { ...(await readPayment(shop, made.id)), orderIds: orderId === null ? [] : [orderId] };
    expect(await settleOrRefund(shop.services, stray)).toBe('stray');
    expect(await settleOrRefund(shop.services, stray)).toBe('stray');
    expect(await countStrays()).toBe(before + 1);
    expect(await readEntries(made.id)).toEqual([
      { event: 'payment-stray', before: null, after: { amountCents: 113943, refundedCents: 0 } },
    ]);
    shop.expectErrors([expect.objectContaining({ payment: made.id, receivedCents: 113943 })]);
    expect(await listRefunds(shop, made.id)).toEqual([]);
  });

  test('is no error after it was refunded at the provider', async () => {
    const before = await countStrays();
    const made = await createPayment(shop, { orderId: randomUUID() });
    await confirmCard(shop, made.clientSecret);
    await refundAtProvider(shop, made.id);
    expect(await settle(made.id)).toBe('stray');
    expect(await countStrays()).toBe(before);
  });
});

test('payments of another or of no shop are foreign', async () => {
  const { order } = await aDueOrder(shop);
  const made = await createPayment(shop, { orderId: order._id, shop: 'another-shop' });
  await confirmCard(shop, made.clientSecret);
  expect(await settle(made.id)).toBe('foreign');
  expect(await settleOrRefund(shop.services, { ...(await readPayment(shop, made.id)), shop: null })).toBe(
    'foreign',
  );
  expect(await readEntries(made.id)).toEqual([]);
});

test('a canceled payment unknown to the shop changes nothing', async () => {
  const { order } = await aDueOrder(shop);
  const made = await createPayment(shop, { orderId: order._id });
  await shop.services.payments.cancelPayment(made.id);
  expect(await settle(made.id)).toBe('canceled');
  expect(await paymentRows(shop, order)).toEqual([]);
});

test('a payment with a wrong sum is refunded as received', async () => {
  const { order } = await aDueOrder(shop);
  const { id, clientSecret } = await createPayment(shop, { orderId: order._id, amountCents: 100_000 });
  await confirmCard(shop, clientSecret);
  const publish = vi.spyOn(shop.services.changes, 'publish');
  expect(await settle(id)).toBe('refunded');
  expect(await paymentRows(shop, order)).toMatchObject([
    { state: 'refunded', amountCents: 100_000, paymentCents: 100_000 },
  ]);
  expect((await listRefunds(shop, id)).map(({ amount }) => amount)).toEqual([100_000]);
  // The mailer is notified at once.
  expect(publish.mock.calls).toEqual([['mail']]);
  publish.mockRestore();
});

const readStatuses = async (orders: readonly Order[]) => {
  const rows = await findOrdersEvenClosed(
    shop.db,
    orders.map(({ _id }) => _id),
  );
  return rows.map(({ closed, status }) => closed ?? status);
};
const readStates = (orders: readonly Order[]) =>
  Promise.all(orders.map(async (order) => (await paymentRows(shop, order)).map(({ state }) => state)));
/** Settles the payment. @returns the kinds of change that were published */
async function listNews(payment: ProviderPayment): Promise<unknown[]> {
  const publish = vi.spyOn(shop.services.changes, 'publish');
  try {
    await settleOrRefund(shop.services, payment);
    return publish.mock.calls.flat();
  } finally {
    publish.mockRestore();
  }
}

describe('a payment of several orders', () => {
  test('pays each share once, each with an invoice', async () => {
    const { orders, id } = await paidUnnoticedTogether(shop, 2);
    expect(await settleOrRefund(shop.services, await readPayment(shop, id))).toBe('applied');
    expect(await settleOrRefund(shop.services, await readPayment(shop, id))).toBe('already');
    expect(await readStatuses(orders)).toEqual(['pending', 'pending']);
    expect(await readStates(orders)).toEqual([['applied'], ['applied']]);
    for (const { _id, totalPrice } of orders) {
      expect(await findInvoice(shop.db, _id)).toMatchObject({
        transactionId: id,
        totalCents: totalPrice * 100,
      });
    }
  });

  test('notifies the mailer once', async () => {
    const { id } = await paidUnnoticedTogether(shop, 2);
    const payment = await readPayment(shop, id);
    expect(await listNews(payment)).toEqual(['mail']);
    expect(await listNews(payment)).toEqual([]);
  });
});

test.each([
  ['first', 0],
  ['last', 1],
])("the %s order's share is refunded after its closure, the other pays", async (_which, index) => {
  const { orders, id } = await paidUnnoticedTogether(shop, 2);
  const closed = orders[index] as Order;
  await markClosed(shop.db, closed._id, 'cancel', shop.services.clock.now());
  expect(await settleOrRefund(shop.services, await readPayment(shop, id))).toBe('applied');
  expect((await readStates([closed]))[0]).toEqual(['refunded']);
  expect((await listRefunds(shop, id)).map(({ amount }) => amount)).toEqual([closed.totalPrice * 100]);
  expect((await readStatuses(orders)).toSorted()).toEqual(['cancelled', 'pending']);
});

test.each([
  ['was received in part', { receivedCents: 14_999 }],
  ['was made for another sum', { amountCents: 14_999, receivedCents: 14_999 }],
])('a payment that %s is stray, as its shares are unknown', async (_what, is) => {
  const { orders, id } = await paidUnnoticedTogether(shop, 2);
  expect(await settleOrRefund(shop.services, { ...(await readPayment(shop, id)), ...is })).toBe('stray');
  shop.expectErrors([{ payment: id }]);
  expect(await readStatuses(orders)).toEqual(['due', 'due']);
  expect(await readStates(orders)).toEqual([['open'], ['open']]);
  expect(await listRefunds(shop, id)).toEqual([]);
});

test('a payment that also names an invalid id is stray', async () => {
  const { orders, id } = await paidUnnoticedTogether(shop, 1);
  const payment = await readPayment(shop, id);
  const stray = { ...payment, orderIds: [...payment.orderIds, 'not an id'] };
  expect(await settleOrRefund(shop.services, stray)).toBe('stray');
  shop.expectErrors([{ payment: id }]);
  expect(await readStatuses(orders)).toEqual(['due']);
});

describe('a payment of several orders that is newer than the backup', () => {
  async function aNewerPayment() {
    const { customer, orders } = await dueOrders(shop, 2);
    const made = await createPayment(shop, {
      orders: orders.map(({ _id }) => ({ id: _id, attempt: 99 })),
      shop: 'the-shop-before',
      amountCents: 15_000,
    });
    await confirmCard(shop, made.clientSecret);
    const restored = { ...shop.services, formerInstanceIds: ['the-shop-before'] };
    const settle = async () => settleOrRefund(restored, await readPayment(shop, made.id));
    return { customer, orders, id: made.id, settle };
  }

  test('pays them if all of them can take it', async () => {
    const { orders, settle } = await aNewerPayment();
    expect(await settle()).toBe('applied');
    expect(await readStatuses(orders)).toEqual(['pending', 'pending']);
  });

  test('is stray if one of them cannot take it', async () => {
    const { customer, orders, id, settle } = await aNewerPayment();
    await customer.cancels(orders[1] as Order);
    expect(await settle()).toBe('stray');
    shop.expectErrors([{ payment: id }]);
    expect((await readStatuses(orders)).toSorted()).toEqual(['cancelled', 'due']);
    expect(await listRefunds(shop, id)).toEqual([]);
  });
});
