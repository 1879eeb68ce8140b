import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import { canRefund, countRefundable } from '@parts-forge/contract/orders';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expireOrders } from '#src/orders/expire-orders.ts';
import { fetchEvents } from '#src/payments/fetch-events.ts';
import { createOrderPayments } from '#src/payments/order-payments.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPaidOrder, aPendingOrder, readStock } from '#test/paid-orders.ts';
import {
  aDueOrder,
  cancelOrder,
  confirmCard,
  controlSandbox,
  paymentRows,
  readClosedOrder,
  readCode,
  readOrder,
  recordPayment,
  refundAtProvider,
  refundOrder,
  sendEvent,
} from '#test/paying.ts';
import {
  beginWithoutEvents,
  createPayment,
  listRefunds,
  reconcileLater,
  withProvider,
} from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { findRefunds } from './refund-store.ts';

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
const eventAbout = (type: string, id: string) => ({
  id: `evt_${type.replaceAll('.', '_')}_${id}`,
  object: 'event',
  type,
  data: { object: { object: 'refund', id: 're_x', payment_intent: id } },
});

describe('an administrator gives the money of an order back', () => {
  test('a pending one is closed by it, and its pieces return', async () => {
    const pending = await aPendingOrder(shop);
    const answer = await refundOrder(shop, admin, pending.order, {
      reason: 'Out of stock',
      returnStock: true,
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      { acknowledged: true, refund: { amount: total, state: 'succeeded' } },
    ]);
    expect(await readOrder(shop, pending.customer, pending.order)).toBeNull();
    expect(await readClosedOrder(shop, pending.customer, pending.order)).toMatchObject({
      status: 'pending',
      closed: 'refunded',
      refund: { amount: total, state: 'succeeded' },
    });
    expect(await readStock(shop, pending)).toBe(1000);
    expect(await listRefunds(shop, pending.id)).toMatchObject([{ amount: 113943, status: 'succeeded' }]);
  });

  test('and keeps the pieces when they do not come back', async () => {
    const pending = await aPendingOrder(shop);
    await refundOrder(shop, admin, pending.order, { returnStock: false });
    expect(await readStock(shop, pending)).toBe(943);
  });

  test('a paid one stays, with its refund', async () => {
    const paid = await aPaidOrder(shop, admin);
    expect((await refundOrder(shop, admin, paid.order)).status).toBe(200);
    expect(await readOrder(shop, paid.customer, paid.order)).toMatchObject({
      status: 'paid',
      refund: { amount: total, state: 'succeeded' },
    });
    expect(await readStock(shop, paid)).toBe(1000);
    const again = await refundOrder(shop, admin, paid.order);
    expect([again.status, readCode(again)]).toEqual([409, 'already-refunded']);
    expect(await readStock(shop, paid)).toBe(1000);
  });

  test('of many presses at once one counts, and the money goes back once', async () => {
    const pending = await aPendingOrder(shop);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refundOrder(shop, admin, pending.order)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await listRefunds(shop, pending.id)).toHaveLength(1);
    expect(await readStock(shop, pending)).toBe(1000);
  });

  test('not of an unpaid, a cancelled or an unknown one, and nobody else does', async () => {
    const { customer, order } = await aDueOrder(shop);
    const due = await refundOrder(shop, admin, order);
    expect([due.status, readCode(due)]).toEqual([409, 'not-refundable']);
    await cancelOrder(shop, customer, order);
    expect((await refundOrder(shop, admin, order)).status).toBe(404);
    expect(
      (await refundOrder(shop, admin, { ...order, _id: '019a0000-0000-7000-8000-000000000000' })).status,
    ).toBe(404);
    const pending = await aPendingOrder(shop);
    expect((await refundOrder(shop, pending.customer, pending.order)).status).toBe(403);
    for (const body of [{}, { returnStock: 'yes' }, { returnStock: true, reason: 'x'.repeat(201) }]) {
      expect((await refundOrder(shop, admin, pending.order, body)).status).toBe(422);
    }
    expect(await readOrder(shop, pending.customer, pending.order)).toMatchObject({ status: 'pending' });
  });

  test('only what is left of it, when a part went back before', async () => {
    const pending = await aPendingOrder(shop);
    await refundAtProvider(shop, pending.id, 100);
    const { body } = await refundOrder(shop, admin, pending.order);
    expect(body.refund).toEqual({ amount: 1138.43, state: 'succeeded' });
    expect((await listRefunds(shop, pending.id)).map(({ amount }) => amount).sort()).toEqual([100, 113843]);
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({ refund: { amount: total } });
  });

  test('all of it of a shipped one as well, as its page says', async () => {
    await controlSandbox(shop, { newRefunds: 'pending' });
    const paid = await aPaidOrder(shop, admin);
    const refund = await refundAtProvider(shop, paid.id, 100);
    await sendEvent(shop, eventAbout('refund.created', paid.id));
    await controlSandbox(shop, { newRefunds: 'succeeded', finishRefund: { refund, status: 'failed' } });
    await sendEvent(shop, eventAbout('refund.failed', paid.id));
    const shown = await readOrder(shop, admin, paid.order);
    expect(shown).toMatchObject({ refund: { amount: 1, unassigned: 1, state: 'failed' } });
    expect(shown && [canRefund(shown), countRefundable(shown)]).toEqual([true, total]);
    const { body } = await refundOrder(shop, admin, paid.order);
    expect(body.refund).toEqual({ amount: total, state: 'succeeded' });
  });

  test('nothing, when all of it went back before', async () => {
    const paid = await aPaidOrder(shop, admin);
    await refundAtProvider(shop, paid.id);
    expect(readCode(await refundOrder(shop, admin, paid.order))).toBe('already-refunded');
    expect(await listRefunds(shop, paid.id)).toHaveLength(1);
    expect(await readStock(shop, paid)).toBe(943);
  });

  test('with a reason, which is kept with the refund; without one there is none', async () => {
    for (const [reason, kept] of [
      ['Out of stock', 'Out of stock'],
      ['', null],
    ]) {
      const pending = await aPendingOrder(shop);
      await refundOrder(shop, admin, pending.order, { reason, returnStock: true });
      const { db } = shop.services.database;
      expect(await findRefunds(db, pending.order._id)).toMatchObject([{ reason: kept, amountCents: 113943 }]);
    }
  });

  test('also of one that was paid twice and has the second payment back', async () => {
    const pending = await aPendingOrder(shop);
    const second = await createPayment(shop, { orderId: pending.order._id, email: pending.customer.email });
    await confirmCard(shop, second.clientSecret);
    await recordPayment(shop, pending.customer, pending.order, second.id);
    expect(await listRefunds(shop, second.id)).toHaveLength(1);
    const { status, body } = await refundOrder(shop, admin, pending.order);
    expect([status, body.refund]).toEqual([200, { amount: total, state: 'succeeded' }]);
    expect(await listRefunds(shop, pending.id)).toHaveLength(1);
  });

  test('nothing of an order that has expired, whoever asks', async () => {
    const { order } = await aDueOrder(shop);
    clock.aheadMs += 73 * 3_600_000;
    await expireOrders(shop.services, createOrderPayments(shop.services));
    admin = await signedInAs(shop, 'admin');
    expect((await refundOrder(shop, admin, order)).status).toBe(404);
  });

  test('while the provider does not answer nothing happens', async () => {
    const pending = await aPendingOrder(shop);
    await controlSandbox(shop, { faults: [{ fault: '429', on: 'GET' }] });
    expect((await refundOrder(shop, admin, pending.order)).status).toBe(503);
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ status: 'pending' });
    expect(await readStock(shop, pending)).toBe(943);
  });

  test.each(['timeout-before', 'timeout-after', '500', '429'])(
    'and the job finishes what the provider did not take at once (%s); it is given once',
    async (fault) => {
      const pending = await aPendingOrder(shop);
      await controlSandbox(shop, { faults: [{ fault, on: 'POST /v1/refunds', times: 3 }] });
      const { status, body } = await refundOrder(shop, admin, pending.order);
      const state = fault === '500' ? 'failed' : 'pending';
      expect([status, body.refund]).toEqual([200, { amount: total, state }]);
      const closed = await readClosedOrder(shop, admin, pending.order);
      expect(closed).toMatchObject({ closed: 'refunded', refund: { state } });
      expect(closed).not.toHaveProperty('disputed');
      await controlSandbox(shop, { faults: [] });
      await nextRound();
      await nextRound();
      expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
        refund: { state: 'succeeded' },
      });
      expect(await listRefunds(shop, pending.id)).toHaveLength(1);
    },
  );

  test('an order whose payment the provider does not know is closed, and the refund is shown as failed', async () => {
    const pending = await aPendingOrder(shop);
    await shop.services.database.db.delete(sandboxObjects).where(eq(sandboxObjects.id, pending.id));
    const { status, body } = await refundOrder(shop, admin, pending.order);
    expect([status, body.refund.state]).toEqual([200, 'failed']);
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
      closed: 'refunded',
      refund: { state: 'failed' },
    });
    expect(await readStock(shop, pending)).toBe(1000);
  });
});

test('a refund that fails for a reason of ours is a failure of the server, and the job goes on with it', async () => {
  const pending = await aPendingOrder(shop);
  const createRefund = () => Promise.reject(new TypeError('a mistake of ours'));
  const answer = await withProvider(shop, { createRefund }, () => refundOrder(shop, admin, pending.order));
  expect(answer.status).toBe(500);
  await nextRound();
  expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({ refund: { state: 'succeeded' } });
});

describe('a refund is followed to its end', () => {
  test('one that is pending is shown as pending until the customer has the money', async () => {
    await controlSandbox(shop, { newRefunds: 'pending' });
    const pending = await aPendingOrder(shop);
    expect((await refundOrder(shop, admin, pending.order)).body.refund.state).toBe('pending');
    await nextRound();
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({ refund: { state: 'pending' } });
    const [made] = await listRefunds(shop, pending.id);
    await controlSandbox(shop, { finishRefund: { refund: made?.id, status: 'succeeded' } });
    await sendEvent(shop, eventAbout('refund.updated', pending.id));
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
      refund: { state: 'succeeded' },
    });
  });

  test('one that fails is shown as failed and tried again, never taken for done', async () => {
    await controlSandbox(shop, { newRefunds: 'failed' });
    const paid = await aPaidOrder(shop, admin);
    await refundOrder(shop, admin, paid.order);
    await sendEvent(shop, eventAbout('refund.failed', paid.id));
    expect(await readOrder(shop, admin, paid.order)).toMatchObject({
      refund: { amount: total, state: 'failed' },
    });
    expect(readCode(await refundOrder(shop, admin, paid.order))).toBe('already-refunded');
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect(await readOrder(shop, admin, paid.order)).toMatchObject({ refund: { state: 'succeeded' } });
    expect((await listRefunds(shop, paid.id)).map(({ status }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
  });

  test('also when it was for an order that could not take the payment', async () => {
    const { customer, order } = await aDueOrder(shop);
    const late = await createPayment(shop, { orderId: order._id, email: customer.email });
    await cancelOrder(shop, customer, order);
    await confirmCard(shop, late.clientSecret);
    await controlSandbox(shop, { newRefunds: 'failed' });
    expect(readCode(await recordPayment(shop, customer, order, late.id))).toBe('order-cancelled');
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refund_due']);
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refunded']);
    expect((await listRefunds(shop, late.id)).map(({ status }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
    // Weeks later the bank sends it back.
    const sent = (await listRefunds(shop, late.id)).find(({ status }) => status === 'succeeded');
    await controlSandbox(shop, { finishRefund: { refund: sent?.id, status: 'failed' } });
    await fetchEvents(shop.services);
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refund_due']);
    // Each event leads to another look, and none of them to another refund before its time.
    await fetchEvents(shop.services);
    await sendEvent(shop, eventAbout('refund.failed', late.id));
    expect(await listRefunds(shop, late.id)).toHaveLength(2);
    for (let round = 0; round < 8; round += 1) await nextRound();
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refunded']);
  });

  test('and only one of them is under way at a time', async () => {
    const { customer, order } = await aDueOrder(shop);
    const late = await createPayment(shop, { orderId: order._id, email: customer.email });
    await cancelOrder(shop, customer, order);
    await confirmCard(shop, late.clientSecret);
    await controlSandbox(shop, { newRefunds: 'failed' });
    await recordPayment(shop, customer, order, late.id);
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([nextRound(), nextRound(), fetchEvents(shop.services)]);
    }
    expect((await listRefunds(shop, late.id)).map(({ status }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
  });
});
