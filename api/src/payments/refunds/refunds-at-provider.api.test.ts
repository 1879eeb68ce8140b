import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { reconcile } from '#src/payments/events/reconcile.ts';
import type { PaymentProvider } from '#src/payments/provider/provider.ts';
import type { Person } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPaidOrder, aPendingOrder, readStock } from '#test/paid-orders.ts';
import {
  acceptPayment,
  aDueOrder,
  anOpenPayment,
  askProvider,
  cancelOrder,
  confirmCard,
  controlSandbox,
  orderBecomes,
  readClosedOrder,
  readCode,
  readOrder,
  recordPayment,
  refundAtProvider,
} from '#test/paying.ts';
import {
  beginWithoutEvents,
  createPayment,
  listRefunds,
  reconcileLater,
  withProvider,
} from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

const clock = createMovableClock();
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startShop({ clock });
});
beforeEach(async () => {
  admin = await beginWithoutEvents(shop);
});
afterAll(() => shop.close());

const nextRound = () => reconcileLater(shop, clock);
const total = 1139.43;

describe('an external refund', () => {
  /** The ways in which the shop can learn of the refund. */
  const ways: [string, () => Promise<unknown>][] = [
    ['by the job, when every event is lost', nextRound],
    ['by looking for events that no webhook brought', () => fetchEvents(shop.services)],
    ['by the next acceptance', async () => {}],
  ];
  test.each(ways)('a full refund closes the pending order and returns its pieces (%s)', async (_, look) => {
    const pending = await aPendingOrder(shop);
    await refundAtProvider(shop, pending.id);
    await look();
    const answer = await acceptPayment(shop, admin, pending.order);
    expect([answer.status, readCode(answer)]).toEqual([409, 'payment-refunded']);
    expect(await readClosedOrder(shop, pending.customer, pending.order)).toMatchObject({
      closed: 'refunded',
      refund: { amount: total, state: 'succeeded' },
    });
    expect(await readStock(shop, pending)).toBe(1000);
    await nextRound();
    expect(await readStock(shop, pending)).toBe(1000);
  });

  test('reaches the order through a webhook', async () => {
    const pending = await aPendingOrder(shop);
    await controlSandbox(shop, { webhooks: 'deliver' });
    await refundAtProvider(shop, pending.id, 100);
    await controlSandbox(shop, { webhooks: 'deliver' });
    await expect
      .poll(async () => (await readOrder(shop, admin, pending.order))?.refund)
      .toEqual({ amount: 1, state: 'succeeded', settled: 1 });
  });

  test('a partial refund blocks acceptance unless the administrator confirms it', async () => {
    const pending = await aPendingOrder(shop);
    await refundAtProvider(shop, pending.id, 100);
    await nextRound();
    expect(await readOrder(shop, pending.customer, pending.order)).toMatchObject({
      status: 'pending',
      refund: { amount: 1, state: 'succeeded' },
    });
    const refused = await acceptPayment(shop, admin, pending.order);
    expect([refused.status, readCode(refused)]).toEqual([409, 'partly-refunded']);
    const accept = (body: object) =>
      shop.request(`/order/accept/${pending.order._id}`, { method: 'PUT', token: admin.token, body });
    expect((await accept({ status: 'paid', despite: 'anything' })).status).toBe(422);
    expect((await accept({ status: 'paid', despite: 'partly-refunded' })).status).toBe(200);
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({
      status: 'paid',
      refund: { amount: 1 },
    });
  });

  test('appears on an accepted order, which stays open', async () => {
    const paid = await aPaidOrder(shop, admin);
    await refundAtProvider(shop, paid.id);
    await fetchEvents(shop.services);
    expect(await readOrder(shop, paid.customer, paid.order)).toMatchObject({
      status: 'paid',
      refund: { amount: total, state: 'succeeded' },
    });
    expect(await readStock(shop, paid)).toBe(943);
  });

  test('does not close the order while it is pending', async () => {
    await controlSandbox(shop, { newRefunds: 'pending' });
    const pending = await aPendingOrder(shop);
    const refund = await refundAtProvider(shop, pending.id);
    await nextRound();
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ refund: { state: 'pending' } });
    expect(readCode(await acceptPayment(shop, admin, pending.order))).toBe('payment-refunded');
    await controlSandbox(shop, { finishRefund: { refund, status: 'failed' } });
    await nextRound();
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ refund: { state: 'failed' } });
    expect((await acceptPayment(shop, admin, pending.order)).status).toBe(200);
  });
});

describe('a due order whose payment was refunded', () => {
  async function aGivenBackPayment(amountCents?: number) {
    const due = await aDueOrder(shop);
    const { clientSecret, id } = await anOpenPayment(shop, due.customer, due.order);
    await confirmCard(shop, clientSecret);
    await refundAtProvider(shop, id, amountCents);
    return { ...due, id };
  }

  test.each([
    ['the page opens it again', async () => {}],
    ['the job looks', async () => void (await nextRound())],
  ])('is payable again once %s', async (_, look) => {
    const { customer, order, id } = await aGivenBackPayment();
    await look();
    const answer = await recordPayment(shop, customer, order, id);
    expect([answer.status, readCode(answer)]).toEqual([409, 'payment-refunded']);
    const next = await anOpenPayment(shop, customer, order);
    expect(next.id).not.toBe(id);
    await confirmCard(shop, next.clientSecret);
    expect((await recordPayment(shop, customer, order, next.id)).status).toBe(200);
    expect(await listRefunds(shop, id)).toHaveLength(1);
  });

  test('is paid after a failed refund that the charge still counts', async () => {
    const { customer, order, id } = await aGivenBackPayment();
    const [refund] = await listRefunds(shop, id);
    await controlSandbox(shop, { finishRefund: { refund: refund?.id, status: 'failed' } });
    const { payments } = shop.services;
    const findPayment: PaymentProvider['findPayment'] = async (asked) => {
      const payment = await payments.findPayment(asked);
      return payment && { ...payment, refundedCents: payment.receivedCents };
    };
    await withProvider(shop, { findPayment }, async () => {
      expect((await recordPayment(shop, customer, order, id)).status).toBe(200);
    });
    expect(await readOrder(shop, customer, order)).toMatchObject({ status: 'pending', transactionId: id });
  });

  test('is cancellable', async () => {
    const given = await aGivenBackPayment();
    expect((await cancelOrder(shop, given.customer, given.order)).status).toBe(200);
    expect(await readStock(shop, given)).toBe(1000);
  });

  test('is paid despite a partial refund, and nothing more is refunded', async () => {
    const { customer, order, id } = await aGivenBackPayment(100);
    expect((await recordPayment(shop, customer, order, id)).status).toBe(200);
    expect(await readOrder(shop, customer, order)).toMatchObject({
      status: 'pending',
      refund: { amount: 1, state: 'succeeded' },
    });
    expect(await listRefunds(shop, id)).toHaveLength(1);
    expect(readCode(await acceptPayment(shop, admin, order))).toBe('partly-refunded');
  });
});

describe('a stray payment', () => {
  async function aStrayPayment() {
    const payment = await createPayment(shop, { amountCents: 5000 });
    await confirmCard(shop, payment.clientSecret);
    return payment.id;
  }

  test('is reported until it is refunded at the provider, never refunded here', async () => {
    const before = (await reconcile(shop.services)).stray;
    const id = await aStrayPayment();
    await fetchEvents(shop.services);
    expect(shop.errors).toEqual([expect.objectContaining({ payment: id, receivedCents: 5000 })]);
    shop.errors.length = 0;
    expect((await nextRound()).stray).toBe(before + 1);
    expect((await nextRound()).stray).toBe(before + 1);
    expect(await listRefunds(shop, id)).toEqual([]);
    await refundAtProvider(shop, id);
    await fetchEvents(shop.services);
    expect((await nextRound()).stray).toBe(before);
    expect(shop.errors).toEqual([]);
  });
});

test('a clock that ran ahead leaves no events unread', async () => {
  const asked: number[] = [];
  const listEvents: PaymentProvider['listEvents'] = async (since) => {
    asked.push(since.getTime());
    return [];
  };
  await withProvider(shop, { listEvents }, async () => {
    await fetchEvents(shop.services);
    const rightUntil = clock.now().getTime();
    clock.aheadMs = 3_600_000;
    await fetchEvents(shop.services);
    await fetchEvents(shop.services);
    clock.aheadMs = 0;
    await fetchEvents(shop.services);
    expect(asked.at(-1)).toBeLessThan(rightUntil);
  });
});

test('a running refund is taken from the list of events once', async () => {
  const pending = await aPendingOrder(shop);
  await refundAtProvider(shop, pending.id, 100);
  expect((await fetchEvents(shop.services)).taken).toBeGreaterThan(0);
  expect(await fetchEvents(shop.services)).toEqual({ taken: 0, failed: 0 });
  await controlSandbox(shop, { webhooks: 'deliver' });
  await orderBecomes(shop, admin, pending.order, 'pending');
  expect((await askProvider(shop, '/v1/refunds')).status).toBe(200);
});

// Last: looking for events afterwards would read a hundred refunds for each of their events.
test('an external refund is found behind a hundred failed ones', async () => {
  const pending = await aPendingOrder(shop);
  await refundAtProvider(shop, pending.id, 20_000);
  await controlSandbox(shop, { newRefunds: 'failed' });
  for (let count = 0; count < 101; count += 1) await refundAtProvider(shop, pending.id, 100);
  await controlSandbox(shop, { newRefunds: 'succeeded' });
  await nextRound();

  const refused = await acceptPayment(shop, admin, pending.order);
  expect([refused.status, readCode(refused)]).toEqual([409, 'partly-refunded']);
  const { body: payment } = await shop.request(`/order/${pending.order._id}/payment`, {
    token: admin.token,
  });
  expect(payment).toMatchObject({ amount: total, refunded: 200 });
  const refund = await shop.request(`/order/${pending.order._id}/refund`, {
    method: 'POST',
    token: admin.token,
    body: { returnStock: true },
  });
  expect(refund.status).toBe(200);
  expect(await readClosedOrder(shop, pending.customer, pending.order)).toMatchObject({
    refund: { amount: total, state: 'succeeded' },
  });
});
