import { describe, expect, test } from 'vitest';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { reconcile } from '#src/payments/events/reconcile.ts';
import type { PaymentProvider } from '#src/payments/provider/provider.ts';
import { testStories } from '#test/money-stories.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import {
  aDueOrder,
  askProvider,
  confirmCard,
  controlSandbox,
  expectRefusal,
  orderBecomes,
  refundAtProvider,
} from '#test/paying.ts';
import {
  createPayment,
  listRefunds,
  reconcileLater,
  useShopWithoutEvents,
  withProvider,
} from '#test/payment-provider.ts';

const { clock, shop, admin } = useShopWithoutEvents();

const nextRound = () => reconcileLater(shop, clock);
const total = 1139.43;

const stories = `
# a full refund closes the pending order and returns its pieces: by the job, when every event is lost
pending
the provider refunds
the job looks
accept | payment-refunded | order refunded, 1139.43 succeeded | stock 1000
the job looks | stock 1000

# a full refund closes the pending order and returns its pieces: by events that no webhook brought
pending
the provider refunds
the shop reads events
accept | payment-refunded | order refunded, 1139.43 succeeded | stock 1000
the job looks | stock 1000

# a full refund closes the pending order and returns its pieces: by the next acceptance
pending
the provider refunds
accept | payment-refunded | order refunded, 1139.43 succeeded | stock 1000
the job looks | stock 1000

# a partial refund blocks acceptance unless the administrator confirms it
pending
the provider refunds $1
the job looks | order pending, 1 succeeded
accept | partly-refunded
accept despite | done | order paid, 1 succeeded

# an external refund appears on an accepted order, which stays open
accepted
the provider refunds
the shop reads events | order paid, 1139.43 succeeded | stock 943

# an external refund does not close the order while it is pending
pending
refunds will be pending
the provider refunds
the job looks | order pending, 1139.43 pending
accept | payment-refunded
the pending refund of $1139.43 becomes failed
the job looks | order pending, 1139.43 failed, 1139.43 unassigned
accept | done

# an order whose payment was refunded is payable again once the page opens it
paid unseen
the provider refunds
record the payment | payment-refunded
pay again | done | provider 1139.43

# an order whose payment was refunded is payable again once the job looks
paid unseen
the provider refunds
the job looks
record the payment | payment-refunded
pay again | done | provider 1139.43

# an order whose payment was refunded is cancellable
paid unseen
the provider refunds
cancel | done | stock 1000

# an order is paid despite a partial refund, and nothing more is refunded
paid unseen
the provider refunds $1
record the payment | done | order pending, 1 succeeded | provider 1
accept | partly-refunded
`;

testStories(shop, clock, stories);

describe('an external refund', () => {
  test('reaches the order through a webhook', async () => {
    const pending = await aPendingOrder(shop);
    await controlSandbox(shop, { webhooks: 'deliver' });
    await refundAtProvider(shop, pending.id, 100);
    await controlSandbox(shop, { webhooks: 'deliver' });
    await expect
      .poll(async () => (await admin.reads(pending.order))?.refund)
      .toEqual({ amount: 1, state: 'succeeded', settled: 1 });
  });
});

describe('a due order whose payment was refunded', () => {
  async function aGivenBackPayment(amountCents?: number) {
    const due = await aDueOrder(shop);
    const { clientSecret, id } = await due.customer.opensPayment(due.order);
    await confirmCard(shop, clientSecret);
    await refundAtProvider(shop, id, amountCents);
    return { ...due, id };
  }

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
      expect((await customer.records(order, id)).status).toBe(200);
    });
    expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
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
  await orderBecomes(admin, pending.order, 'pending');
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

  expectRefusal(await admin.accepts(pending.order), 409, 'partly-refunded');
  const { body: payment } = await admin.get(`/order/${pending.order._id}/payment`);
  expect(payment).toMatchObject({ amount: total, refunded: 200 });
  const refund = await admin.post(`/order/${pending.order._id}/refund`, { returnStock: true });
  expect(refund.status).toBe(200);
  expect(await pending.customer.readsClosed(pending.order)).toMatchObject({
    refund: { amount: total, state: 'succeeded' },
  });
});
