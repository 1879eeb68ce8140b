import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes, sumCredited } from '#src/invoices/store.ts';
import { expireOrders } from '#src/orders/expire-orders.ts';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { createOrderPayments } from '#src/payments/order-payments.ts';
import { ProviderError } from '#src/payments/provider/provider.ts';
import { signedInAgain } from '#test/builders.ts';
import { testStories } from '#test/money-stories.ts';
import { aPendingOrder, readStock } from '#test/paid-orders.ts';
import {
  aDueOrder,
  confirmCard,
  controlSandbox,
  expectRefusal,
  paymentRows,
  readCode,
  refundAtProvider,
  sendEvent,
} from '#test/paying.ts';
import { pendingTogether } from '#test/paying-several.ts';
import {
  createPayment,
  listRefunds,
  reconcileLater,
  refreshPayment,
  useShopWithoutEvents,
  withProvider,
} from '#test/payment-provider.ts';
import { personAt } from '#test/person.ts';
import { startForTest } from '#test/use-shop.ts';
import { findRefunds } from './refund-store.ts';

const { clock, shop, admin } = useShopWithoutEvents();

const nextRound = () => reconcileLater(shop, clock);

const total = 1139.43;

const eventAbout = (type: string, id: string) => ({
  id: `evt_${type.replaceAll('.', '_')}_${id}`,
  object: 'event',
  type,
  data: { object: { object: 'refund', id: 're_x', payment_intent: id } },
});

const ofOrder = `
# closes a pending order and returns its pieces
pending
refund back | 1139.43 succeeded | order refunded, 1139.43 succeeded | stock 1000 | provider 1139.43

# keeps the pieces sold unless the administrator returns them
pending
refund | 1139.43 succeeded | order refunded, 1139.43 succeeded | stock 943

# leaves an accepted order open and shows the refund
accepted
refund back | 1139.43 succeeded | order paid, 1139.43 succeeded | stock 1000
refund back | already-refunded | stock 1000

# pays the rest after a partial external refund
pending
the provider refunds $1
refund back | 1138.43 succeeded | order refunded, 1139.43 succeeded | provider 1, 1138.43

# pays the full price of a shipped order, as its page shows
accepted
refunds will be pending
the provider refunds $1
the shop reads events
refunds will be succeeded
the pending refund of $1 becomes failed
the shop reads events | order paid, 1 failed, 1 unassigned | left 1139.43
refund back | 1139.43 succeeded

# is refused after a full external refund
accepted
the provider refunds
refund back | already-refunded | provider 1139.43 | stock 943
`;

const progress = `
# a pending refund stays pending until the money arrives
pending
refunds will be pending
refund back | 1139.43 pending
the job looks | order refunded, 1139.43 pending
the pending refund of $1139.43 becomes succeeded
the shop reads events | order refunded, 1139.43 succeeded

# a failed refund is shown as failed and retried
accepted
refunds will be failed
refund back | 1139.43 pending
the shop reads events | order paid, 1139.43 failed
refund back | already-refunded
refunds will be succeeded
the job looks 4 times | order paid, 1139.43 succeeded | provider 1139.43 failed, 1139.43
`;

describe('the refund of an order', () => {
  testStories(shop, clock, ofOrder);

  test('runs once for many simultaneous clicks', async () => {
    const pending = await aPendingOrder(shop);
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.refunds(pending.order)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await listRefunds(shop, pending.id)).toHaveLength(1);
    expect(await readStock(shop, pending)).toBe(1000);
  });

  test('waits for its turn, and is refused before it begins', async () => {
    const hasty = await startForTest({ env: { REQUEST_TIMEOUT_MS: '2000' }, shareDatabaseWith: shop });
    const pending = await aPendingOrder(shop);
    const stuck = Promise.withResolvers<null>();
    const look = vi.spyOn(hasty.services.payments, 'findPayment').mockReturnValue(stuck.promise);
    const first = Promise.all(Array.from({ length: 4 }, () => personAt(hasty, admin).refunds(pending.order)));
    await expect.poll(() => look.mock.calls.length).toBe(4);
    expectRefusal(await personAt(hasty, admin).refunds(pending.order), 503, 'overloaded');
    expect((await hasty.request('/product')).status).toBe(200);
    expect(look).toHaveBeenCalledTimes(4);
    stuck.resolve(null);
    await first;
    hasty.expectErrors(expect.arrayContaining([expect.objectContaining({ code: 'overloaded' })]));
  });

  test('is refused for unpaid, cancelled and unknown orders and for customers', async () => {
    const { customer, order } = await aDueOrder(shop);
    expectRefusal(await admin.refunds(order), 409, 'not-refundable');
    await customer.cancels(order);
    expect((await admin.refunds(order)).status).toBe(404);
    expect((await admin.refunds({ ...order, _id: '019a0000-0000-7000-8000-000000000000' })).status).toBe(404);
    const pending = await aPendingOrder(shop);
    expect((await pending.customer.refunds(pending.order)).status).toBe(403);
    for (const body of [{}, { returnStock: 'yes' }, { returnStock: true, reason: 'x'.repeat(201) }]) {
      expect((await admin.refunds(pending.order, body)).status).toBe(422);
    }
    expect(await pending.customer.reads(pending.order)).toMatchObject({ status: 'pending' });
  });

  test('counts only the external part as refunded while the rest fails', async () => {
    const pending = await aPendingOrder(shop);
    await refundAtProvider(shop, pending.id, 100);
    const createRefund = () => Promise.reject(new ProviderError('refused', 'The card was closed.', 'x'));
    await withProvider(shop, { createRefund }, () => admin.refunds(pending.order));
    expect(await admin.readsClosed(pending.order)).toMatchObject({
      refund: { amount: total, state: 'failed' },
    });
    const { email } = pending.customer;
    const { body } = await admin.get(`/user/${email}/summary`);
    expect(body).toMatchObject({ refunded: 1 });
  });

  test('stores its reason, or none', async () => {
    for (const [reason, kept] of [
      ['Out of stock', 'Out of stock'],
      ['', null],
    ]) {
      const pending = await aPendingOrder(shop);
      await admin.refunds(pending.order, { reason, returnStock: true });
      expect(await findRefunds(shop.db, pending.order._id)).toMatchObject([
        { reason: kept, amountCents: 113943 },
      ]);
    }
  });

  test('is possible after a double payment was refunded', async () => {
    const pending = await aPendingOrder(shop);
    const second = await createPayment(shop, { orderId: pending.order._id });
    await confirmCard(shop, second.clientSecret);
    await pending.customer.records(pending.order, second.id);
    expect(await listRefunds(shop, second.id)).toHaveLength(1);
    const { status, body } = await admin.refunds(pending.order);
    expect([status, body.refund]).toEqual([200, { amount: total, state: 'succeeded' }]);
    expect(await listRefunds(shop, pending.id)).toHaveLength(1);
  });

  test('is refused for an expired order', async () => {
    const { order } = await aDueOrder(shop);
    clock.aheadMs += 73 * 3_600_000;
    await expireOrders(shop.services, createOrderPayments(shop.services));
    const again = await signedInAgain(shop, admin);
    expect((await again.refunds(order)).status).toBe(404);
  });

  test('changes nothing while the provider does not respond', async () => {
    const pending = await aPendingOrder(shop);
    await controlSandbox(shop, { faults: [{ fault: '429', on: 'GET' }] });
    expect((await admin.refunds(pending.order)).status).toBe(503);
    shop.expectErrors([{ code: 'unavailable' }]);
    expect(await admin.reads(pending.order)).toMatchObject({ status: 'pending' });
    expect(await readStock(shop, pending)).toBe(943);
  });

  test.each(['timeout-before', 'timeout-after', '500', '429'])(
    'is finished once by the job after a provider failure (%s)',
    async (fault) => {
      const pending = await aPendingOrder(shop);
      await controlSandbox(shop, { faults: [{ fault, on: 'POST /v1/refunds', times: 3 }] });
      const { status, body } = await admin.refunds(pending.order);
      const state = fault === '500' ? 'failed' : 'pending';
      expect([status, body.refund]).toEqual([200, { amount: total, state }]);
      const closed = await admin.readsClosed(pending.order);
      expect(closed).toMatchObject({ closed: 'refunded', refund: { state } });
      expect(closed).not.toHaveProperty('disputed');
      await controlSandbox(shop, { faults: [] });
      await nextRound();
      await nextRound();
      expect(await admin.readsClosed(pending.order)).toMatchObject({
        refund: { state: 'succeeded' },
      });
      expect(await listRefunds(shop, pending.id)).toHaveLength(1);
    },
  );

  test('the order of an unknown payment closes with a failed refund', async () => {
    const pending = await aPendingOrder(shop);
    await shop.db.delete(sandboxObjects).where(eq(sandboxObjects.id, pending.id));
    const { status, body } = await admin.refunds(pending.order);
    expect([status, body.refund.state]).toEqual([200, 'failed']);
    expect(await admin.readsClosed(pending.order)).toMatchObject({
      closed: 'refunded',
      refund: { state: 'failed' },
    });
    expect(await readStock(shop, pending)).toBe(1000);
  });
});

test('an internal error answers 500, and the job finishes the refund', async () => {
  const pending = await aPendingOrder(shop);
  const createRefund = () => Promise.reject(new TypeError('a mistake of ours'));
  const answer = await withProvider(shop, { createRefund }, () => admin.refunds(pending.order));
  expect(answer.status).toBe(500);
  await nextRound();
  expect(await admin.readsClosed(pending.order)).toMatchObject({ refund: { state: 'succeeded' } });
  shop.expectErrors([{ msg: 'unexpected error' }]);
});

describe("a refund's progress", () => {
  testStories(shop, clock, progress);

  test("a late payment's refund is retried after a failure, too", async () => {
    const { customer, order } = await aDueOrder(shop);
    const late = await createPayment(shop, { orderId: order._id });
    await customer.cancels(order);
    await confirmCard(shop, late.clientSecret);
    await controlSandbox(shop, { newRefunds: 'failed' });
    expect(readCode(await customer.records(order, late.id))).toBe('order-cancelled');
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refund_due']);
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refunded']);
    expect((await listRefunds(shop, late.id)).map(({ status }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
    // The bank returns the money weeks later.
    const sent = (await listRefunds(shop, late.id)).find(({ status }) => status === 'succeeded');
    await controlSandbox(shop, { finishRefund: { refund: sent?.id, status: 'failed' } });
    await fetchEvents(shop.services);
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refund_due']);
    // Each event triggers a look, and none requests a refund early.
    await fetchEvents(shop.services);
    await sendEvent(shop, eventAbout('refund.failed', late.id));
    expect(await listRefunds(shop, late.id)).toHaveLength(2);
    for (let round = 0; round < 8; round += 1) await nextRound();
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refunded']);
  });

  test('a late payment has one refund under way at a time', async () => {
    const { customer, order } = await aDueOrder(shop);
    const late = await createPayment(shop, { orderId: order._id });
    await customer.cancels(order);
    await confirmCard(shop, late.clientSecret);
    await controlSandbox(shop, { newRefunds: 'failed' });
    await customer.records(order, late.id);
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

async function dispute(intent: string, status: string): Promise<void> {
  await controlSandbox(shop, { dispute: { intent, status } });
  await refreshPayment(shop, intent);
}

async function readMoney(order: Order) {
  const { refund, returned = 0 } = await admin.readsClosed(order);
  const credited = sumCredited(await findNotes(shop.db, order._id)) / 100;
  return { refunded: refund?.amount ?? 0, returned, credited };
}

const readProvider = async (intent: string) =>
  (await listRefunds(shop, intent))
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount }) => amount);

const agrees = async () =>
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 0, provider: 0 });

test('a requested refund is paid after its dispute is lost and won', async () => {
  const { id, order } = await aPendingOrder(shop);
  const { createRefund } = shop.services.payments;
  const disputedMeanwhile = async (refund: Parameters<typeof createRefund>[0]) => {
    await controlSandbox(shop, { dispute: { intent: id, status: 'needs_response' } });
    return createRefund(refund);
  };
  const answer = await withProvider(shop, { createRefund: disputedMeanwhile }, () => admin.refunds(order));
  expect(answer.body.refund).toMatchObject({ state: 'failed' });
  await dispute(id, 'lost');
  expect(await readMoney(order)).toEqual({ refunded: 1139.43, returned: 0, credited: 1139.43 });
  await dispute(id, 'won');
  clock.aheadMs += 3_600_000;
  await reconcileLater(shop, clock);
  expect(await readProvider(id)).toEqual([113_943]);
  Object.assign(admin, await signedInAgain(shop, admin));
  expect(await readMoney(order)).toEqual({ refunded: 1139.43, returned: 0, credited: 1139.43 });
  await agrees();
});

test('a refund at the provider is not offered for another refund', async () => {
  const { id, orders } = await pendingTogether(shop, 2);
  const refuses = () => Promise.reject(new ProviderError('broken', 'Try later'));
  await refundAtProvider(shop, id, 2000);
  await withProvider(shop, { createRefund: refuses }, async () => {
    for (const order of orders) expect((await admin.refunds(order)).status).toBe(200);
    const { body } = await admin.get('/overview');
    expect(body.returned).toEqual([]);
  });
  for (const order of orders) expect(await readMoney(order)).toMatchObject({ returned: 0 });
});

test('a late payment whose refund a dispute refuses is no error', async () => {
  const { customer, order } = await aDueOrder(shop);
  const { id, clientSecret } = await createPayment(shop, { orderId: order._id });
  await customer.cancels(order);
  await confirmCard(shop, clientSecret);
  await controlSandbox(shop, { dispute: { intent: id, status: 'needs_response' } });
  expect(readCode(await customer.records(order, id))).toBe('order-cancelled');
  await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
  clock.aheadMs += 3_600_000;
  await reconcileLater(shop, clock);
  await agrees();
});
