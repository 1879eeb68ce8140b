import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import type { Order } from '@parts-forge/contract/orders';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '#src/platform/core/clock.ts';
import { type Person, readProduct, signedInAs } from '#test/builders.ts';
import {
  acceptPayment,
  aDueOrder,
  anOpenPayment,
  askProvider,
  cancelOrder,
  confirmCard,
  controlSandbox,
  openPayment,
  orderBecomes,
  pay,
  paymentRows,
  readClosedOrder,
  readCode,
  readOrder,
  readSandbox,
  recordPayment,
  refundAtProvider,
  refundOrder,
  sendEvent,
} from '#test/paying.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { fetchEvents } from './fetch-events.ts';
import { reconcile } from './reconcile.ts';

let aheadMs = 0;
const clock: Clock = { now: () => new Date(Date.now() + aheadMs) };

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startShop({ clock });
});
beforeEach(async () => {
  // Anew, as the clock runs faster than a token lives.
  admin = await signedInAs(shop, 'admin');
  await controlSandbox(shop, { webhooks: 'drop', faults: [], processing: false, newRefunds: 'succeeded' });
  shop.errors.length = 0;
});
afterAll(() => shop.close());

/** The job's next round, a good minute later. */
const nextRound = () => {
  aheadMs += 61_000;
  return reconcile(shop.services);
};
const total = 1139.43;

/** An order of 57 of 1000 pieces that is paid for and waits for acceptance. */
async function aPendingOrder() {
  const due = await aDueOrder(shop);
  const id = await pay(shop, due.customer, due.order);
  return { ...due, id };
}
async function aPaidOrder() {
  const pending = await aPendingOrder();
  await acceptPayment(shop, admin, pending.order);
  return pending;
}
const readStock = async ({ product }: { product: { _id: string } }) =>
  (await readProduct(shop, product._id)).quantity;
const refundsAtProvider = async (id: string): Promise<{ id: string; amount: number; status: string }[]> =>
  (await readSandbox(shop)).refunds.filter(
    (refund: { payment_intent: string }) => refund.payment_intent === id,
  );
const eventAbout = (type: string, id: string) => ({
  id: `evt_${type.replaceAll('.', '_')}_${id}`,
  object: 'event',
  type,
  data: { object: { object: 'refund', id: 're_x', payment_intent: id } },
});

describe('an administrator gives the money of an order back', () => {
  test('a pending one is closed by it, and its pieces return', async () => {
    const pending = await aPendingOrder();
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
    expect(await readStock(pending)).toBe(1000);
    expect(await refundsAtProvider(pending.id)).toMatchObject([{ amount: 113943, status: 'succeeded' }]);
  });

  test('and keeps the pieces when they do not come back', async () => {
    const pending = await aPendingOrder();
    await refundOrder(shop, admin, pending.order, { returnStock: false });
    expect(await readStock(pending)).toBe(943);
  });

  test('a paid one stays, with its refund', async () => {
    const paid = await aPaidOrder();
    expect((await refundOrder(shop, admin, paid.order)).status).toBe(200);
    expect(await readOrder(shop, paid.customer, paid.order)).toMatchObject({
      status: 'paid',
      refund: { amount: total, state: 'succeeded' },
    });
    expect(await readStock(paid)).toBe(1000);
    const again = await refundOrder(shop, admin, paid.order);
    expect([again.status, readCode(again)]).toEqual([409, 'already-refunded']);
    expect(await readStock(paid)).toBe(1000);
  });

  test('of many presses at once one counts, and the money goes back once', async () => {
    const pending = await aPendingOrder();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refundOrder(shop, admin, pending.order)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await refundsAtProvider(pending.id)).toHaveLength(1);
    expect(await readStock(pending)).toBe(1000);
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
    const pending = await aPendingOrder();
    expect((await refundOrder(shop, pending.customer, pending.order)).status).toBe(403);
    for (const body of [{}, { returnStock: 'yes' }, { returnStock: true, reason: 'x'.repeat(201) }]) {
      expect((await refundOrder(shop, admin, pending.order, body)).status).toBe(422);
    }
    expect(await readOrder(shop, pending.customer, pending.order)).toMatchObject({ status: 'pending' });
  });

  test('only what is left of it, when a part went back before', async () => {
    const pending = await aPendingOrder();
    await refundAtProvider(shop, pending.id, 100);
    const { body } = await refundOrder(shop, admin, pending.order);
    expect(body.refund).toEqual({ amount: 1138.43, state: 'succeeded' });
    expect((await refundsAtProvider(pending.id)).map(({ amount }) => amount).sort()).toEqual([100, 113843]);
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({ refund: { amount: total } });
  });

  test('while the provider does not answer nothing happens', async () => {
    const pending = await aPendingOrder();
    await controlSandbox(shop, { faults: [{ fault: '429', on: 'GET' }] });
    expect((await refundOrder(shop, admin, pending.order)).status).toBe(503);
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ status: 'pending' });
    expect(await readStock(pending)).toBe(943);
  });

  test.each(['timeout-before', 'timeout-after', '500', '429'])(
    'and the job finishes what the provider did not take at once (%s); it is given once',
    async (fault) => {
      const pending = await aPendingOrder();
      await controlSandbox(shop, { faults: [{ fault, on: 'POST /v1/refunds', times: 3 }] });
      const { status, body } = await refundOrder(shop, admin, pending.order);
      expect([status, body.refund.amount]).toEqual([200, total]);
      expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
        closed: 'refunded',
        refund: { state: fault === '500' ? 'failed' : 'pending' },
      });
      await controlSandbox(shop, { faults: [] });
      await nextRound();
      await nextRound();
      expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
        refund: { state: 'succeeded' },
      });
      expect(await refundsAtProvider(pending.id)).toHaveLength(1);
    },
  );

  test('an order whose payment the provider does not know is closed, and the refund is shown as failed', async () => {
    const pending = await aPendingOrder();
    await shop.services.database.db.delete(sandboxObjects).where(eq(sandboxObjects.id, pending.id));
    const { status, body } = await refundOrder(shop, admin, pending.order);
    expect([status, body.refund.state]).toEqual([200, 'failed']);
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
      closed: 'refunded',
      refund: { state: 'failed' },
    });
    expect(await readStock(pending)).toBe(1000);
  });
});

describe('a refund is followed to its end', () => {
  test('one that is pending is shown as pending until the customer has the money', async () => {
    await controlSandbox(shop, { newRefunds: 'pending' });
    const pending = await aPendingOrder();
    expect((await refundOrder(shop, admin, pending.order)).body.refund.state).toBe('pending');
    await nextRound();
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({ refund: { state: 'pending' } });
    const [made] = await refundsAtProvider(pending.id);
    await controlSandbox(shop, { finishRefund: { refund: made?.id, status: 'succeeded' } });
    await sendEvent(shop, eventAbout('refund.updated', pending.id));
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
      refund: { state: 'succeeded' },
    });
  });

  test('one that fails is shown as failed and tried again, never taken for done', async () => {
    await controlSandbox(shop, { newRefunds: 'failed' });
    const paid = await aPaidOrder();
    await refundOrder(shop, admin, paid.order);
    await sendEvent(shop, eventAbout('refund.failed', paid.id));
    expect(await readOrder(shop, admin, paid.order)).toMatchObject({
      refund: { amount: total, state: 'failed' },
    });
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect(await readOrder(shop, admin, paid.order)).toMatchObject({ refund: { state: 'succeeded' } });
    expect((await refundsAtProvider(paid.id)).map(({ status }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
  });

  test('one that had succeeded and is sent back by the bank is given again', async () => {
    const paid = await aPaidOrder();
    await refundOrder(shop, admin, paid.order);
    const [made] = await refundsAtProvider(paid.id);
    await controlSandbox(shop, { finishRefund: { refund: made?.id, status: 'failed' } });
    await sendEvent(shop, eventAbout('refund.failed', paid.id));
    expect(await readOrder(shop, admin, paid.order)).toMatchObject({ refund: { state: 'failed' } });
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect(await readOrder(shop, admin, paid.order)).toMatchObject({ refund: { state: 'succeeded' } });
  });

  test('also when it was for an order that could not take the payment', async () => {
    const { customer, order } = await aDueOrder(shop);
    const late = await shop.services.payments.createPayment({
      orderId: order._id,
      shop: shop.services.instanceId,
      attempt: 90,
      amountCents: 113943,
      currency: 'usd',
      email: customer.email,
      description: 'made by nobody',
    });
    await cancelOrder(shop, customer, order);
    await confirmCard(shop, late.clientSecret);
    await controlSandbox(shop, { newRefunds: 'failed' });
    expect(readCode(await recordPayment(shop, customer, order, late.id))).toBe('order-cancelled');
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refund_due']);
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refunded']);
    expect((await refundsAtProvider(late.id)).map(({ status }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
    // Weeks later the bank sends it back.
    const sent = (await refundsAtProvider(late.id)).find(({ status }) => status === 'succeeded');
    await controlSandbox(shop, { finishRefund: { refund: sent?.id, status: 'failed' } });
    await fetchEvents(shop.services);
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refund_due']);
    // Each event leads to another look, and none of them to another refund before its time.
    await fetchEvents(shop.services);
    await sendEvent(shop, eventAbout('refund.failed', late.id));
    expect(await refundsAtProvider(late.id)).toHaveLength(2);
    for (let round = 0; round < 8; round += 1) await nextRound();
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refunded']);
  });

  test('and only one of them is under way at a time', async () => {
    const { customer, order } = await aDueOrder(shop);
    const late = await shop.services.payments.createPayment({
      orderId: order._id,
      shop: shop.services.instanceId,
      attempt: 91,
      amountCents: 113943,
      currency: 'usd',
      email: customer.email,
      description: 'made by nobody',
    });
    await cancelOrder(shop, customer, order);
    await confirmCard(shop, late.clientSecret);
    await controlSandbox(shop, { newRefunds: 'failed' });
    await recordPayment(shop, customer, order, late.id);
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([nextRound(), nextRound(), fetchEvents(shop.services)]);
    }
    expect((await refundsAtProvider(late.id)).map(({ status }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
  });
});

describe('money given back at the provider reaches the order', () => {
  /** Each way by which the shop may hear of it, or not. */
  const ways: [string, () => Promise<unknown>][] = [
    ['by the job, when every event is lost', nextRound],
    ['by looking for events that no webhook brought', () => fetchEvents(shop.services)],
    ['by the next acceptance', async () => {}],
  ];
  test.each(ways)('all of it: the pending order is closed and its pieces return (%s)', async (way, look) => {
    const pending = await aPendingOrder();
    await refundAtProvider(shop, pending.id);
    await look();
    const answer = await acceptPayment(shop, admin, pending.order);
    expect(answer.status).toBe(way.includes('acceptance') ? 409 : 404);
    if (answer.status === 409) expect(readCode(answer)).toBe('payment-refunded');
    expect(await readClosedOrder(shop, pending.customer, pending.order)).toMatchObject({
      closed: 'refunded',
      refund: { amount: total, state: 'succeeded' },
    });
    expect(await readStock(pending)).toBe(1000);
    await nextRound();
    expect(await readStock(pending)).toBe(1000);
  });

  test('by a webhook', async () => {
    const pending = await aPendingOrder();
    await controlSandbox(shop, { webhooks: 'deliver' });
    await refundAtProvider(shop, pending.id, 100);
    await controlSandbox(shop, { webhooks: 'deliver' });
    await expect
      .poll(async () => (await readOrder(shop, admin, pending.order))?.refund)
      .toEqual({ amount: 1, state: 'succeeded' });
  });

  test('a part of it is shown and stops acceptance, unless it is accepted in so many words', async () => {
    const pending = await aPendingOrder();
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

  test('one that is on its way back does not close the order before it has arrived', async () => {
    await controlSandbox(shop, { newRefunds: 'pending' });
    const pending = await aPendingOrder();
    const refund = await refundAtProvider(shop, pending.id);
    await nextRound();
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ refund: { state: 'pending' } });
    expect(readCode(await acceptPayment(shop, admin, pending.order))).toBe('payment-refunded');
    await controlSandbox(shop, { finishRefund: { refund, status: 'failed' } });
    await nextRound();
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ refund: { state: 'failed' } });
    expect((await acceptPayment(shop, admin, pending.order)).status).toBe(200);
  });

  test('of a paid order it is shown, and the order stays', async () => {
    const paid = await aPaidOrder();
    await refundAtProvider(shop, paid.id);
    await fetchEvents(shop.services);
    expect(await readOrder(shop, paid.customer, paid.order)).toMatchObject({
      status: 'paid',
      refund: { amount: total, state: 'succeeded' },
    });
    expect(await readStock(paid)).toBe(943);
  });
});

describe('a payment that the bank questions', () => {
  const dispute = (intent: string, status: string) => controlSandbox(shop, { dispute: { intent, status } });

  test('stops acceptance and refund until it is won', async () => {
    const pending = await aPendingOrder();
    await dispute(pending.id, 'needs_response');
    await nextRound();
    expect(await readOrder(shop, pending.customer, pending.order)).toMatchObject({ disputed: true });
    const refusals = [
      await acceptPayment(shop, admin, pending.order),
      await refundOrder(shop, admin, pending.order),
    ];
    expect(refusals.map((refusal) => [refusal.status, readCode(refusal)])).toEqual(
      Array(2).fill([409, 'disputed']),
    );
    await dispute(pending.id, 'won');
    await nextRound();
    expect(await readOrder(shop, admin, pending.order)).not.toHaveProperty('disputed');
    expect((await acceptPayment(shop, admin, pending.order)).status).toBe(200);
  });

  test('and is lost closes the order, and its pieces return', async () => {
    const pending = await aPendingOrder();
    await dispute(pending.id, 'under_review');
    await dispute(pending.id, 'lost');
    await fetchEvents(shop.services);
    expect(await readOrder(shop, pending.customer, pending.order)).toBeNull();
    const closed = await readClosedOrder(shop, pending.customer, pending.order);
    expect(closed).toMatchObject({ closed: 'refunded', refund: { amount: total } });
    expect(closed).not.toHaveProperty('disputed');
    expect(await readStock(pending)).toBe(1000);
  });

  test('is seen by the acceptance itself, when nothing was heard of it', async () => {
    const pending = await aPendingOrder();
    await dispute(pending.id, 'warning_needs_response');
    expect(readCode(await acceptPayment(shop, admin, pending.order))).toBe('disputed');
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ status: 'pending', disputed: true });
  });
});

describe('a due order whose payment was given back', () => {
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
  ])('is payable again at once, when %s', async (_, look) => {
    const { customer, order, id } = await aGivenBackPayment();
    await look();
    const told = await recordPayment(shop, customer, order, id);
    expect([told.status, readCode(told)]).toEqual([409, 'payment-refunded']);
    const next = await anOpenPayment(shop, customer, order);
    expect(next.id).not.toBe(id);
    await confirmCard(shop, next.clientSecret);
    expect((await recordPayment(shop, customer, order, next.id)).status).toBe(200);
    expect(await refundsAtProvider(id)).toHaveLength(1);
  });

  test('by a refund that failed in the end is paid, though the charge may go on counting it', async () => {
    const { customer, order, id } = await aGivenBackPayment();
    const [refund] = await refundsAtProvider(id);
    await controlSandbox(shop, { finishRefund: { refund: refund?.id, status: 'failed' } });
    const { payments } = shop.services;
    shop.services.payments = {
      ...payments,
      findPayment: async (asked) => {
        const payment = await payments.findPayment(asked);
        return payment && { ...payment, refundedCents: payment.receivedCents };
      },
    };
    try {
      expect((await recordPayment(shop, customer, order, id)).status).toBe(200);
    } finally {
      shop.services.payments = payments;
    }
    expect(await readOrder(shop, customer, order)).toMatchObject({ status: 'pending', transactionId: id });
  });

  test('can be cancelled, too', async () => {
    const given = await aGivenBackPayment();
    expect((await cancelOrder(shop, given.customer, given.order)).status).toBe(200);
    expect(await readStock(given)).toBe(1000);
  });

  test('only in part is paid for, and the part is shown; nothing more is given back', async () => {
    const { customer, order, id } = await aGivenBackPayment(100);
    expect((await recordPayment(shop, customer, order, id)).status).toBe(200);
    expect(await readOrder(shop, customer, order)).toMatchObject({
      status: 'pending',
      refund: { amount: 1, state: 'succeeded' },
    });
    expect(await refundsAtProvider(id)).toHaveLength(1);
    expect(readCode(await acceptPayment(shop, admin, order))).toBe('partly-refunded');
  });
});

describe('a payment of this shop without an order', () => {
  async function aStrayPayment(orderId: string) {
    const payment = await shop.services.payments.createPayment({
      orderId,
      shop: shop.services.instanceId,
      attempt: 1,
      amountCents: 5000,
      currency: 'usd',
      email: 'somebody@fieldrepair.example',
      description: 'of an order that an older backup does not have',
    });
    await confirmCard(shop, payment.clientSecret);
    return payment.id;
  }

  test('is reported as an error and counted in every round until it is given back, and not given back here', async () => {
    const before = (await reconcile(shop.services)).stray;
    const id = await aStrayPayment('019a0000-0000-7000-8000-000000000000');
    await fetchEvents(shop.services);
    expect(shop.errors).toEqual([expect.objectContaining({ payment: id, receivedCents: 5000 })]);
    shop.errors.length = 0;
    expect((await nextRound()).stray).toBe(before + 1);
    expect((await nextRound()).stray).toBe(before + 1);
    expect(await refundsAtProvider(id)).toEqual([]);
    await refundAtProvider(shop, id);
    await fetchEvents(shop.services);
    expect((await nextRound()).stray).toBe(before);
    expect(shop.errors).toEqual([]);
  });
});

describe('the payment of an order as the provider has it', () => {
  const read = (person: Person, order: Order) =>
    shop.request(`/order/${order._id}/payment`, { token: person.token });

  test('is read by administrators: amounts, card, and when it was asked', async () => {
    const pending = await aPendingOrder();
    await refundAtProvider(shop, pending.id, 100);
    const { status, body } = await read(admin, pending.order);
    expect([status, body]).toEqual([
      200,
      {
        transactionId: pending.id,
        state: 'succeeded',
        amount: total,
        received: total,
        refunded: 1,
        disputed: false,
        card: { kind: 'visa', last4: '4242' },
        askedAt: expect.any(String),
      },
    ]);
    expect(Math.abs(Date.parse(body.askedAt) - clock.now().getTime())).toBeLessThan(10_000);
    expect((await read(pending.customer, pending.order)).status).toBe(403);
  });

  test('of one that is only open there is no card; of an order that nobody has begun to pay there is none', async () => {
    const { customer, order } = await aDueOrder(shop);
    expect((await read(admin, order)).status).toBe(404);
    await anOpenPayment(shop, customer, order);
    const { body } = await read(admin, order);
    expect(body).toMatchObject({
      state: 'requires_payment_method',
      received: 0,
      refunded: 0,
      disputed: false,
    });
    expect(body).not.toHaveProperty('card');
  });

  test('of an order that ended it is still told, and what the provider does not know is said', async () => {
    const pending = await aPendingOrder();
    await refundOrder(shop, admin, pending.order);
    expect((await read(admin, pending.order)).body).toMatchObject({ refunded: total });
    await shop.services.database.db.delete(sandboxObjects).where(eq(sandboxObjects.id, pending.id));
    expect(readCode(await read(admin, pending.order))).toBe('unknown-payment');
  });
});

describe('orders that ended are gone from every list that does not ask for them', () => {
  test('closed= lists them by how they ended, for administrators and for their customer', async () => {
    const { customer, order } = await aDueOrder(shop);
    await cancelOrder(shop, customer, order);
    const pending = await aPendingOrder();
    await refundOrder(shop, admin, pending.order);
    const list = async (person: Person, query: string): Promise<Order[]> =>
      (await shop.request(`/order?${query}`, { token: person.token })).body.data;
    const own = `email=${encodeURIComponent(customer.email)}`;
    expect(await list(customer, own)).toEqual([]);
    expect((await list(customer, `${own}&closed=true`)).map(({ closed }) => closed)).toEqual(['cancelled']);
    expect(await list(customer, `${own}&closed=refunded`)).toEqual([]);
    const ids = async (query: string) => (await list(admin, query)).map(({ _id }) => _id);
    expect(await ids('closed=refunded')).toContain(pending.order._id);
    expect(await ids('closed=cancelled')).toContain(order._id);
    expect(await ids('closed=cancelled')).not.toContain(pending.order._id);
    expect(await ids('limit=100')).not.toContain(order._id);
    expect((await shop.request('/order?closed=yes', { token: admin.token })).status).toBe(422);
    const other = await shop.request(`/order/${order._id}?closed=true`, {
      token: (await signedInAs(shop, 'user')).token,
    });
    expect(other.status).toBe(404);
    expect((await shop.request(`/order/${order._id}?closed=expired`, { token: admin.token })).status).toBe(
      404,
    );
  });
});

test('a look-up that wrongly finds nothing does not leave a payment that can still be paid', async () => {
  const { customer, order } = await aDueOrder(shop);
  const { clientSecret, id } = await anOpenPayment(shop, customer, order);
  const { payments } = shop.services;
  let lies = 1;
  shop.services.payments = {
    ...payments,
    findPayment: async (asked) => {
      lies -= 1;
      return lies >= 0 ? null : payments.findPayment(asked);
    },
  };
  try {
    expect((await cancelOrder(shop, customer, order)).status).toBe(200);
  } finally {
    shop.services.payments = payments;
  }
  expect(await payments.findPayment(id)).toMatchObject({ status: 'canceled' });
  expect((await confirmCard(shop, clientSecret)).body.error).toBeDefined();
});

test('a payment that the provider did not know for a while is found again and cancelled, or given back', async () => {
  const lie = { findPayment: async () => null, cancelPayment: shop.services.payments.cancelPayment };
  const { ProviderError } = await import('./provider.ts');
  const { payments } = shop.services;
  const lost: { order: Order; id: string; clientSecret: string }[] = [];
  for (let index = 0; index < 2; index += 1) {
    const { customer, order } = await aDueOrder(shop);
    const opened = await anOpenPayment(shop, customer, order);
    shop.services.payments = {
      ...payments,
      ...lie,
      cancelPayment: async () => {
        throw new ProviderError('refused', 'no such payment', 'resource_missing');
      },
    };
    expect((await cancelOrder(shop, customer, order)).status).toBe(200);
    shop.services.payments = payments;
    lost.push({ order, ...opened });
  }
  const [unpaid, paid] = lost;
  if (!unpaid || !paid) throw new Error('Two payments were lost.');
  await confirmCard(shop, paid.clientSecret);
  await nextRound();
  await nextRound();
  expect(await payments.findPayment(unpaid.id)).toMatchObject({ status: 'canceled' });
  expect(await payments.findPayment(paid.id)).toMatchObject({ refundedCents: 113943 });
});

test('a payment without its secret is not handed out', async () => {
  const { customer, order } = await aDueOrder(shop);
  const { payments } = shop.services;
  shop.services.payments = {
    ...payments,
    createPayment: async (payment) => ({ ...(await payments.createPayment(payment)), clientSecret: '' }),
  };
  try {
    const answer = await openPayment(shop, customer, order);
    expect([answer.status, readCode(answer)]).toEqual([503, 'provider-broken']);
  } finally {
    shop.services.payments = payments;
    shop.errors.length = 0;
  }
  expect((await openPayment(shop, customer, order)).status).toBe(200);
});

test('an event that has a good signature and is none is refused, and no failure of ours', async () => {
  const bare = { id: 'evt_bare', type: 'charge.refunded' };
  for (const event of [{}, { object: 'event' }, { id: 7, type: 'x' }, { id: 'evt_1' }, bare]) {
    const answer = await sendEvent(shop, event);
    expect([answer.status, readCode(answer)]).toEqual([400, 'bad-request']);
  }
  expect((await sendEvent(shop, { ...bare, data: { object: {} } })).status).toBe(200);
});

test('a refund that is under way when the job looks for events is taken once', async () => {
  const pending = await aPendingOrder();
  await refundAtProvider(shop, pending.id, 100);
  expect((await fetchEvents(shop.services)).taken).toBeGreaterThan(0);
  expect(await fetchEvents(shop.services)).toEqual({ taken: 0, failed: 0 });
  await controlSandbox(shop, { webhooks: 'deliver' });
  await orderBecomes(shop, admin, pending.order, 'pending');
  expect((await askProvider(shop, '/v1/refunds')).status).toBe(200);
});
