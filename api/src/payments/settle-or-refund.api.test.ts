import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { trail } from '#src/trail/schema.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, confirmCard, controlSandbox, paymentRows, refundAtProvider } from '#test/paying.ts';
import { createPayment, listRefunds, loseEvents, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { findRefunds } from './refunds/refund-store.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { countStrayPayments } from './store.ts';

const shop = useShop();
beforeEach(async () => {
  await loseEvents(shop);
});

/** The payment as the provider has it now. */
async function look(id: string): Promise<ProviderPayment> {
  const payment = await shop.services.payments.findPayment(id);
  if (!payment) throw new Error('The provider does not know the payment.');
  return payment;
}
const settle = async (id: string) => settleOrRefund(shop.services, await look(id));

/** The trail's entries about a payment, oldest first. */
const readEntries = (id: string) =>
  shop.services.database.db
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
    const { customer, order } = await aDueOrder(shop);
    const { id, clientSecret } = await customer.opensPayment(order);
    await confirmCard(shop, clientSecret);
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
      await settleOrRefund(shop.services, await look(id), { asksForDisputes: true });
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

  test("is refunded with the order's status as reason", async () => {
    const { order } = await aPendingOrder(shop);
    const second = await createPayment(shop, { orderId: order._id });
    await confirmCard(shop, second.clientSecret);
    expect(await settle(second.id)).toBe('refunded');
    const [refund] = await findRefunds(shop.services.database.db, order._id, second.id);
    expect(refund).toMatchObject({ note: 'the order is pending' });
  });

  test('needs no refund after a full external refund', async () => {
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

describe('a stray payment', () => {
  const countStrays = () => countStrayPayments(shop.services.database.db);

  test.each(['not an id', '', null])('with order id %j is reported once, not refunded', async (orderId) => {
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
    expect(shop.errors).toEqual([]);
  });
});

test('payments of another or of no shop are foreign', async () => {
  const { order } = await aDueOrder(shop);
  const made = await createPayment(shop, { orderId: order._id, shop: 'another-shop' });
  await confirmCard(shop, made.clientSecret);
  expect(await settle(made.id)).toBe('foreign');
  expect(await settleOrRefund(shop.services, { ...(await look(made.id)), shop: null })).toBe('foreign');
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
