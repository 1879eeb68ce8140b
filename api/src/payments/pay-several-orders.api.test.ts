import type { Order } from '@parts-forge/contract/orders/orders';
import { eq, inArray } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { markClosed } from '#src/orders/move-order.ts';
import { orders as orderTable } from '#src/orders/schema.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import {
  aDueOrder,
  askProvider,
  confirmCard,
  controlSandbox,
  expectRefusal,
  paymentRows,
  readCode,
  readIntentId,
} from '#test/paying.ts';
import {
  anOpenPaymentTogether,
  dueOrders,
  openTogether,
  paidUnnoticedTogether,
  paymentsAtProvider,
  sumTotals,
} from '#test/paying-several.ts';
import { listRefunds, loseEvents, reconcileLater } from '#test/payment-provider.ts';
import { readTrail } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';
import { payments } from './schema.ts';
import { closePayment } from './store.ts';

const clock = createMovableClock();
const shop = useShop({ clock });
beforeEach(async () => {
  await loseEvents(shop);
});

/** The element at an index; throws if it is absent. */
const at = (orders: readonly Order[], index: number): Order => {
  const order = orders[index];
  if (!order) throw new Error(`There is no order ${index}.`);
  return order;
};
const readStates = async (orders: readonly Order[]) =>
  Promise.all(orders.map(async (order) => (await paymentRows(shop, order)).map(({ state }) => state)));
const readStatuses = async (orders: readonly Order[]) => {
  const rows = await shop.db
    .select()
    .from(orderTable)
    .where(
      inArray(
        orderTable.id,
        orders.map(({ _id }) => _id),
      ),
    );
  return orders.map(({ _id }) => rows.find(({ id }) => id === _id)).map((row) => row?.closed ?? row?.status);
};

describe('one payment for several orders', () => {
  test('has the sum of the totals and a share for each', async () => {
    const { customer, orders } = await dueOrders(shop, 3);
    const { id } = await anOpenPaymentTogether(customer, orders);
    const payment = await shop.services.payments.findPayment(id);
    expect(payment).toMatchObject({ amountCents: 5000 + 10_000 + 15_000, status: 'requires_payment_method' });
    expect(payment?.orderIds).toEqual(orders.map(({ _id }) => _id).toSorted());
    for (const order of orders) {
      expect(await paymentRows(shop, order)).toMatchObject([
        { id, state: 'open', attempt: 1, amountCents: order.totalPrice * 100, paymentCents: 30_000 },
      ]);
    }
    const intent = (await askProvider(shop, `/v1/payment_intents/${id}`)).body;
    expect(intent.description).toBe(`Orders ${orders.map(({ number }) => number).join(', ')}`);
  });

  test('settles all of them when any one is recorded', async () => {
    const { customer, orders, id } = await paidUnnoticedTogether(shop, 3);
    const recorded = await customer.records(at(orders, 1), id);
    expect(recorded.body).toEqual({ acknowledged: true, status: 'pending', transactionId: id });
    for (const order of orders) {
      expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
      expect((await customer.records(order, id)).body).toEqual(recorded.body);
      const trail = await readTrail(customer, order._id);
      expect(trail.map(({ event }) => event)).toEqual(['paid', 'ordered']);
      expect(trail[0]?.after).toEqual({ status: 'pending', amount: order.totalPrice });
    }
    expect(await readStates(orders)).toEqual([['applied'], ['applied'], ['applied']]);
  });

  test('keeps the ids of a hundred orders', async () => {
    const ids = Array.from({ length: 100 }, () => shop.services.ids.next()).toSorted();
    const made = await shop.services.payments.createPayment({
      orders: ids.map((id, index) => ({ id, attempt: index + 1 })),
      shop: shop.services.instanceId,
      amountCents: 500_000,
      currency: 'usd',
      description: 'a hundred orders',
    });
    expect((await shop.services.payments.findPayment(made.id))?.orderIds).toEqual(ids);
  });
});

describe('the open payment of several orders', () => {
  test('stays the same in any sequence and case of the ids', async () => {
    const { customer, orders } = await dueOrders(shop, 3);
    const first = await anOpenPaymentTogether(customer, orders);
    expect(await anOpenPaymentTogether(customer, orders.toReversed())).toEqual(first);
    const shouted = orders.map((order) => ({ ...order, _id: order._id.toUpperCase() }));
    expect(await anOpenPaymentTogether(customer, shouted)).toEqual(first);
  });

  test('cancels overlapping payments and leaves others open', async () => {
    const { customer, orders } = await dueOrders(shop, 5);
    const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((index) => at(orders, index)) as [
      Order,
      Order,
      Order,
      Order,
      Order,
    ];
    const ab = await anOpenPaymentTogether(customer, [a, b]);
    const alone = readIntentId((await customer.asksToPay(c)).body.clientSecret);
    const de = await anOpenPaymentTogether(customer, [d, e]);
    const bc = await anOpenPaymentTogether(customer, [b, c]);
    const status = async (id: string) => (await shop.services.payments.findPayment(id))?.status;
    expect(await Promise.all([ab.id, alone, de.id, bc.id].map(status))).toEqual([
      'canceled',
      'canceled',
      'requires_payment_method',
      'requires_payment_method',
    ]);
    expect(await readStates(orders)).toEqual([
      ['canceled'],
      ['canceled', 'open'],
      ['canceled', 'open'],
      ['open'],
      ['open'],
    ]);
    // The provider has no other payments of these orders.
    expect((await paymentsAtProvider(shop, orders)).map(({ id }) => id).toSorted()).toEqual(
      [ab.id, alone, de.id, bc.id].toSorted(),
    );
    // Back to one order: the payment of both is cancelled, and the other order stays payable.
    const again = await customer.asksToPay(b);
    expect(again.status).toBe(200);
    expect(await status(bc.id)).toBe('canceled');
    expect((await customer.asksToPay(c)).status).toBe(200);
  });

  test('is refused while an overlapping payment is processing', async () => {
    await controlSandbox(shop, { processing: true });
    const { customer, orders } = await dueOrders(shop, 3);
    const { clientSecret, id } = await anOpenPaymentTogether(customer, orders.slice(0, 2));
    await confirmCard(shop, clientSecret);
    for (const others of [orders, orders.slice(0, 2), orders.slice(1)]) {
      expectRefusal(await openTogether(customer, others), 409, 'payment-processing');
    }
    expect((await shop.services.payments.findPayment(id))?.status).toBe('processing');
    expect((await customer.asksToPay(at(orders, 2))).status).toBe(200);
  });

  test('is refused after an overlapping payment has succeeded unnoticed', async () => {
    const { customer, orders } = await dueOrders(shop, 3);
    const { clientSecret, id } = await anOpenPaymentTogether(customer, orders.slice(0, 2));
    await confirmCard(shop, clientSecret);
    expectRefusal(await openTogether(customer, orders.slice(1)), 409, 'already-paid');
    expect(await readStatuses(orders)).toEqual(['pending', 'pending', 'due']);
    expect(await customer.reads(at(orders, 0))).toMatchObject({ transactionId: id });
  });
});

describe('a request to pay several orders', () => {
  test('is refused when it names a single order, too', async () => {
    const { customer, order } = await aDueOrder(shop);
    const body = { price: order.totalPrice, order: order._id, orders: [order._id] };
    const answer = await customer.post('/create-payment-intent', body);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [{ path: 'orders', message: 'Name one order, or several' }],
    ]);
  });

  test("is refused for an unknown, a stranger's or an invalid order", async () => {
    const { customer, orders } = await dueOrders(shop, 1);
    const stranger = await aDueOrder(shop);
    const unknown = { ...stranger.order, _id: '019a0000-0000-7000-8000-000000000000' };
    for (const other of [stranger.order, unknown, { ...unknown, _id: 'x' }]) {
      expectRefusal(await openTogether(customer, [...orders, other]), 404, 'not-found');
    }
    expect(await readStates([...orders, stranger.order])).toEqual([[], []]);
  });

  test.each([
    ['cancelled', 404, 'not-found'],
    ['expired', 409, 'expired'],
    ['past its time', 409, 'expired'],
    ['paid', 409, 'already-paid'],
  ])('is refused when one order is %s', async (state, status, code) => {
    const { customer, orders } = await dueOrders(shop, 2);
    const other = at(orders, 1);
    if (state === 'cancelled') await customer.cancels(other);
    if (state === 'expired') await markClosed(shop.db, other._id, 'expire', clock.now());
    if (state === 'past its time') {
      await shop.db.update(orderTable).set({ heldUntil: clock.now() }).where(eq(orderTable.id, other._id));
    }
    if (state === 'paid') {
      const { clientSecret, id } = await anOpenPaymentTogether(customer, [other]);
      await confirmCard(shop, clientSecret);
      await customer.records(other, id);
    }
    const answer = await openTogether(customer, orders);
    expect([answer.status, readCode(answer)]).toEqual([status, code]);
    expect((await customer.asksToPay(at(orders, 0))).status).toBe(200);
  });

  test('is refused for a wrong price, with the right total', async () => {
    const { customer, orders } = await dueOrders(shop, 2);
    const answer = await openTogether(customer, orders, sumTotals(orders) - 0.01);
    expect([answer.status, readCode(answer), answer.body.total]).toEqual([409, 'price-mismatch', 150]);
  });

  test('a payment cannot be recorded for an order outside it', async () => {
    const { customer, orders } = await dueOrders(shop, 3);
    const { clientSecret, id } = await anOpenPaymentTogether(customer, orders.slice(0, 2));
    await confirmCard(shop, clientSecret);
    expectRefusal(await customer.records(at(orders, 2), id), 409, 'payment-of-other-order');
    expect(await readStatuses(orders)).toEqual(['due', 'due', 'due']);
  });
});

describe('the end of one order during an open payment', () => {
  test('cancels the payment and leaves the other orders payable', async () => {
    const { customer, orders } = await dueOrders(shop, 3);
    const { clientSecret, id } = await anOpenPaymentTogether(customer, orders);
    expect((await customer.cancels(at(orders, 1))).status).toBe(200);
    expect((await shop.services.payments.findPayment(id))?.status).toBe('canceled');
    expect((await confirmCard(shop, clientSecret)).status).toBe(400);
    expect(await readStatuses(orders)).toEqual(['due', 'cancelled', 'due']);
    const others = [at(orders, 0), at(orders, 2)];
    const next = await anOpenPaymentTogether(customer, others);
    await confirmCard(shop, next.clientSecret);
    await customer.records(at(orders, 0), next.id);
    expect(await readStatuses(orders)).toEqual(['pending', 'cancelled', 'pending']);
  });

  test('is refused while the payment is processing or paid', async () => {
    await controlSandbox(shop, { processing: true });
    const moving = await dueOrders(shop, 2);
    const opened = await anOpenPaymentTogether(moving.customer, moving.orders);
    await confirmCard(shop, opened.clientSecret);
    expectRefusal(await moving.customer.cancels(at(moving.orders, 0)), 409, 'payment-processing');
    await controlSandbox(shop, { processing: false });
    const paid = await paidUnnoticedTogether(shop, 2);
    expectRefusal(await paid.customer.cancels(at(paid.orders, 1)), 409, 'already-paid');
    expect(await readStatuses(paid.orders)).toEqual(['pending', 'pending']);
  });
});

describe('a payment that succeeds when some of its orders are no longer due', () => {
  test('pays the rest and refunds their shares in one step', async () => {
    const { customer, orders, id } = await paidUnnoticedTogether(shop, 3);
    await markClosed(shop.db, at(orders, 1)._id, 'cancel', clock.now());
    const recorded = await customer.records(at(orders, 2), id);
    expect(recorded.status).toBe(200);
    expect(await readStatuses(orders)).toEqual(['pending', 'cancelled', 'pending']);
    expect(await readStates(orders)).toEqual([['applied'], ['refunded'], ['applied']]);
    expect((await listRefunds(shop, id)).map(({ amount, status }) => [amount, status])).toEqual([
      [10_000, 'succeeded'],
    ]);
    // The other orders keep their shares.
    expect(await customer.reads(at(orders, 0))).not.toHaveProperty('refund');
    expectRefusal(await customer.records(at(orders, 1), id), 409, 'order-cancelled');
    expect((await customer.readsClosed(at(orders, 1))).closed).toBe('cancelled');
    // Repeated looks refund nothing more.
    await reconcileLater(shop, clock);
    await reconcileLater(shop, clock);
    expect(await listRefunds(shop, id)).toHaveLength(1);
  });

  test('refunds the share of an order that another payment paid', async () => {
    const { customer, orders } = await dueOrders(shop, 2);
    const first = await anOpenPaymentTogether(customer, orders);
    // The provider did not know it for a moment, so it was given up and another payment is made.
    await closePayment(shop.services, first.id, 'missing');
    const { clientSecret } = (await customer.asksToPay(at(orders, 0))).body;
    const second = readIntentId(clientSecret);
    await confirmCard(shop, clientSecret);
    await confirmCard(shop, first.clientSecret);
    await customer.records(at(orders, 0), second);
    await reconcileLater(shop, clock);
    expect(await readStatuses(orders)).toEqual(['pending', 'pending']);
    const [paidAlone, paidTogether] = await Promise.all(orders.map((order) => customer.reads(order)));
    expect([paidAlone?.transactionId, paidTogether?.transactionId]).toEqual([second, first.id]);
    expect((await listRefunds(shop, first.id)).map(({ amount }) => amount)).toEqual([5000]);
    expect(await listRefunds(shop, second)).toEqual([]);
  });

  test('refunds everything when no order is due', async () => {
    const { customer, orders, id } = await paidUnnoticedTogether(shop, 2);
    for (const { _id } of orders) await markClosed(shop.db, _id, 'cancel', clock.now());
    expectRefusal(await customer.records(at(orders, 0), id), 409, 'order-cancelled');
    expect((await listRefunds(shop, id)).map(({ amount }) => amount).toSorted()).toEqual([10_000, 5000]);
    expect((await shop.services.payments.findPayment(id))?.refundedCents).toBe(15_000);
    expect(await readStates(orders)).toEqual([['refunded'], ['refunded']]);
  });

  test('leaves its orders payable after a full external refund', async () => {
    const { customer, orders, id } = await paidUnnoticedTogether(shop, 2);
    await askProvider(shop, '/v1/refunds', { payment_intent: id });
    const next = await anOpenPaymentTogether(customer, orders);
    expect(next.id).not.toBe(id);
    expect(await readStates(orders)).toEqual([
      ['refunded', 'open'],
      ['refunded', 'open'],
    ]);
  });
});

describe('the database', () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: { cause?: { constraint?: string } }) => error.cause?.constraint,
    );

  test('rejects shares that do not sum to their payment', async () => {
    const { customer, orders } = await dueOrders(shop, 2);
    const { id } = await anOpenPaymentTogether(customer, orders);
    const change = shop.db
      .update(payments)
      .set({ amountCents: 1 })
      .where(eq(payments.orderId, at(orders, 0)._id));
    expect(await refusal(change)).toBe('payments_shares_sum');
    const removal = shop.db.delete(payments).where(eq(payments.orderId, at(orders, 0)._id));
    expect(await refusal(removal)).toBe('payments_shares_sum');
    expect((await shop.services.payments.findPayment(id))?.amountCents).toBe(15_000);
  });

  test('rejects an order paid without an applied share', async () => {
    const { customer, orders, id } = await paidUnnoticedTogether(shop, 2);
    await customer.records(at(orders, 0), id);
    const other = await aDueOrder(shop);
    const open = await anOpenPaymentTogether(other.customer, [other.order]);
    for (const transactionId of [id, open.id]) {
      const change = shop.db
        .update(orderTable)
        .set({ transactionId, status: 'pending' })
        .where(eq(orderTable.id, other.order._id));
      expect(await refusal(change)).toBe('orders_paid_by_own_share');
    }
  });
});
