import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { trail } from '#src/trail/schema.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import {
  aDueOrder,
  anOpenPayment,
  cancelOrder,
  confirmCard,
  controlSandbox,
  paymentRows,
  refundAtProvider,
} from '#test/paying.ts';
import { createPayment, listRefunds, loseEvents, withProvider } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { findRefunds } from './refunds/refund-store.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { countStrayPayments } from './store.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
beforeEach(async () => {
  await loseEvents(shop);
  shop.errors.length = 0;
});
afterAll(() => shop.close());

/** The payment as the provider has it now. */
async function look(id: string): Promise<ProviderPayment> {
  const payment = await shop.services.payments.findPayment(id);
  if (!payment) throw new Error('The provider does not know the payment.');
  return payment;
}
const settle = async (id: string) => settleOrRefund(shop.services, await look(id));

/** What the trail says of a payment, oldest first. */
const readEntries = (id: string) =>
  shop.services.database.db
    .select({ event: trail.event, before: trail.before, after: trail.after })
    .from(trail)
    .where(eq(trail.paymentId, id))
    .orderBy(trail.createdAt, trail.id);

/** A payment that succeeded for an order which was cancelled meanwhile; the shop has not heard of it. */
async function aPaymentTooLate() {
  const due = await aDueOrder(shop);
  const late = await createPayment(shop, { orderId: due.order._id });
  await cancelOrder(shop, due.customer, due.order);
  await confirmCard(shop, late.clientSecret);
  return { ...due, id: late.id };
}

describe('a payment that pays its order', () => {
  test('is told once, with the order before and after, and the money', async () => {
    const { customer, order } = await aDueOrder(shop);
    const { id, clientSecret } = await anOpenPayment(shop, customer, order);
    await confirmCard(shop, clientSecret);
    expect([await settle(id), await settle(id)]).toEqual(['applied', 'already']);
    expect(await paymentRows(shop, order)).toMatchObject([{ id, state: 'applied' }]);
    expect(await readEntries(id)).toEqual([
      { event: 'paid', before: { status: 'due' }, after: { status: 'pending', amountCents: 113943 } },
    ]);
  });

  test('costs no question about refunds and disputes where nothing speaks of one', async () => {
    const { id } = await aPendingOrder(shop);
    const { payments } = shop.services;
    const listRefunds = vi.fn(payments.listRefunds);
    const listDisputes = vi.fn(payments.listDisputes);
    await withProvider(shop, { listRefunds, listDisputes }, async () => {
      expect(await settle(id)).toBe('already');
      expect([listRefunds.mock.calls, listDisputes.mock.calls]).toEqual([[], []]);
      await settleOrRefund(shop.services, await look(id), { asksForDisputes: true });
      expect(listDisputes.mock.calls).toEqual([[id]]);
    });
  });
});

describe('a payment that no order can take', () => {
  test('is given back, and how it came to that is noted and told once', async () => {
    await controlSandbox(shop, { newRefunds: 'pending' });
    const { order, id } = await aPaymentTooLate();
    expect(await settle(id)).toBe('refunded');
    expect(await paymentRows(shop, order)).toMatchObject([
      { id, state: 'refund_due', note: 'the order was cancelled' },
    ]);
    expect(await settle(id)).toBe('refunded');
    expect(await findRefunds(shop.services.database.db, order._id)).toMatchObject([
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

  test('as the order has another says so', async () => {
    const { order } = await aPendingOrder(shop);
    const second = await createPayment(shop, { orderId: order._id });
    await confirmCard(shop, second.clientSecret);
    expect(await settle(second.id)).toBe('refunded');
    const [refund] = await findRefunds(shop.services.database.db, order._id, second.id);
    expect(refund).toMatchObject({ note: 'the order is pending' });
  });

  test('and went back at the provider needs no refund of ours', async () => {
    const { order, id } = await aPaymentTooLate();
    await refundAtProvider(shop, id);
    expect([await settle(id), await settle(id)]).toEqual(['refunded', 'refunded']);
    expect(await paymentRows(shop, order)).toMatchObject([{ id, state: 'refunded' }]);
    expect(await findRefunds(shop.services.database.db, order._id)).toEqual([]);
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

describe('a payment of this shop that names no order of it', () => {
  const countStrays = () => countStrayPayments(shop.services.database.db);

  test.each(['not an id', '', null])('but %j, is reported once and given back by nobody', async (orderId) => {
    const before = await countStrays();
    const made = await createPayment(shop, { orderId: randomUUID() });
    await confirmCard(shop, made.clientSecret);
    const stray = { ...(await look(made.id)), orderIds: orderId === null ? [] : [orderId] };
    expect(await settleOrRefund(shop.services, stray)).toBe('stray');
    expect(await settleOrRefund(shop.services, stray)).toBe('stray');
    expect(await countStrays()).toBe(before + 1);
    expect(await readEntries(made.id)).toEqual([
      { event: 'payment-stray', before: null, after: { amountCents: 113943, refundedCents: 0 } },
    ]);
    expect(shop.errors).toEqual([expect.objectContaining({ payment: made.id, receivedCents: 113943 })]);
    expect(await listRefunds(shop, made.id)).toEqual([]);
  });

  test('but went back before it was noticed is no failure of anybody', async () => {
    const before = await countStrays();
    const made = await createPayment(shop, { orderId: randomUUID() });
    await confirmCard(shop, made.clientSecret);
    await refundAtProvider(shop, made.id);
    expect(await settle(made.id)).toBe('stray');
    expect(await countStrays()).toBe(before);
    expect(shop.errors).toEqual([]);
  });
});

test("another shop's payment, and one of nobody, are foreign", async () => {
  const { order } = await aDueOrder(shop);
  const made = await createPayment(shop, { orderId: order._id, shop: 'another-shop' });
  await confirmCard(shop, made.clientSecret);
  expect(await settle(made.id)).toBe('foreign');
  expect(await settleOrRefund(shop.services, { ...(await look(made.id)), shop: null })).toBe('foreign');
  expect(await readEntries(made.id)).toEqual([]);
});

test('a payment that was canceled and that the shop never noted changes nothing', async () => {
  const { order } = await aDueOrder(shop);
  const made = await createPayment(shop, { orderId: order._id });
  await shop.services.payments.cancelPayment(made.id);
  expect(await settle(made.id)).toBe('canceled');
  expect(await paymentRows(shop, order)).toEqual([]);
});

test('a payment of another sum than its order costs is given back as it was received', async () => {
  const { order } = await aDueOrder(shop);
  const { id, clientSecret } = await createPayment(shop, { orderId: order._id, amountCents: 100_000 });
  await confirmCard(shop, clientSecret);
  const publish = vi.spyOn(shop.services.changes, 'publish');
  expect(await settle(id)).toBe('refunded');
  expect(await paymentRows(shop, order)).toMatchObject([
    { state: 'refunded', amountCents: 100_000, paymentCents: 100_000 },
  ]);
  expect((await listRefunds(shop, id)).map(({ amount }) => amount)).toEqual([100_000]);
  // The mailer is told at once that the customer has a mail about it.
  expect(publish.mock.calls).toEqual([['mail']]);
  publish.mockRestore();
});
