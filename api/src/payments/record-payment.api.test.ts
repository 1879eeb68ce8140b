import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { markClosed } from '#src/orders/move-order.ts';
import type { Answer } from '#test/answer.ts';
import type { Person } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, confirmCard, paidUnnoticed, readCode, refundAtProvider } from '#test/paying.ts';
import { paidUnnoticedTogether } from '#test/paying-several.ts';
import { createPayment, loseEvents, readPayment, withProvider } from '#test/payment-provider.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import type { PaymentProvider, ProviderPayment } from './provider/provider.ts';
import { settleOrRefund } from './settle-or-refund.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');
beforeEach(() => loseEvents(shop));

const read = (answer: Answer) => [answer.status, readCode(answer)];
const nobodys = '019a0000-0000-7000-8000-000000000000';

type Due = Awaited<ReturnType<typeof aDueOrder>>;
const close = ({ order }: Due, move: 'cancel' | 'expire' = 'cancel') =>
  markClosed(shop.db, order._id, move, new Date());

describe('the recorded order', () => {
  test('is named by the path alone or in capitals', async () => {
    for (const name of [undefined, (id: string) => id.toUpperCase()]) {
      const { customer, order, id } = await paidUnnoticed(shop);
      const body = { transactionId: id, ...(name && { order: name(order._id) }) };
      const path = `/order/${order._id}`;
      const answer = await customer.put(path, body);
      expect(answer.body).toEqual({ acknowledged: true, status: 'pending', transactionId: id });
    }
  });

  test('is not found if it is unknown', async () => {
    const { customer, id } = await paidUnnoticed(shop);
    const body = { transactionId: id };
    const path = `/order/${nobodys}`;
    expect(read(await customer.put(path, body))).toEqual([404, 'not-found']);
  });
});

describe('the payment that the order already has', () => {
  test('is confirmed without a request to the provider', async () => {
    const { customer, order, id } = await aPendingOrder(shop);
    const findPayment = vi.fn(shop.services.payments.findPayment);
    const again = await withProvider(shop, { findPayment }, () => customer.records(order, id));
    expect(again.body).toEqual({ acknowledged: true, status: 'pending', transactionId: id });
    expect(findPayment).not.toHaveBeenCalled();
  });

  test("is refused as `payment-refunded` after the order's refund", async () => {
    const { customer, order, id } = await aPendingOrder(shop);
    await admin.refunds(order);
    expect(read(await customer.records(order, id))).toEqual([409, 'payment-refunded']);
  });
});

describe('an unusable payment', () => {
  test.each([
    ['due', [422, 'unknown-payment']],
    ['closed', [404, 'not-found']],
  ])('is refused if the provider does not know it (%s)', async (state, refusal) => {
    const due = await aDueOrder(shop);
    if (state === 'closed') await close(due);
    const answer = await due.customer.records(due.order, 'pi_that_nobody_made');
    if (state === 'closed') expect(read(answer)).toEqual(refusal);
    else expect([answer.status, answer.body.errors[0]]).toMatchObject([422, { path: 'transactionId' }]);
  });

  test.each([
    ['due', [409, 'payment-of-other-order']],
    ['closed', [404, 'not-found']],
  ])('is refused for a wrong order, shop or sum (%s)', async (state, refusal) => {
    const due = await aDueOrder(shop);
    const orderId = due.order._id;
    const others = [
      await createPayment(shop, { orderId: nobodys, attempt: 70 }),
      await createPayment(shop, { orderId, attempt: 71, shop: 'another-shop' }),
      await createPayment(shop, { orderId, attempt: 72, amountCents: 100 }),
    ];
    for (const { clientSecret } of others) await confirmCard(shop, clientSecret);
    if (state === 'closed') await close(due);
    for (const { id } of others) {
      expect(read(await due.customer.records(due.order, id))).toEqual(refusal);
    }
  });

  test('is refused if it names an invalid order id, too', async () => {
    const { customer, order, id } = await paidUnnoticed(shop);
    const payment = { ...(await readPayment(shop, id)), orderIds: [order._id, 'not an id'] };
    const findPayment = async () => payment;
    await withProvider(shop, { findPayment }, async () => {
      const answer = await customer.records(order, id);
      expect(read(answer)).toEqual([409, 'payment-of-other-order']);
    });
  });

  test.each([
    ['waits for its customer', async () => {}],
    ['was canceled', (id: string) => shop.services.payments.cancelPayment(id)],
  ])('is refused if it %s', async (_, work) => {
    const due = await aDueOrder(shop);
    const { id } = await createPayment(shop, { orderId: due.order._id });
    await work(id);
    expect(read(await due.customer.records(due.order, id))).toEqual([409, 'payment-not-completed']);
    await close(due);
    expect(read(await due.customer.records(due.order, id))).toEqual([404, 'not-found']);
  });

  test('is refused as `already-paid` if the order has another', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const { id } = await createPayment(shop, { orderId: order._id });
    expect(read(await customer.records(order, id))).toEqual([409, 'already-paid']);
  });
});

describe("a change during the provider's answer", () => {
  /** A provider during whose answer `work` runs. */
  function asking(work: (payment: ProviderPayment) => Promise<unknown>): Partial<PaymentProvider> {
    const { payments } = shop.services;
    let times = 0;
    return {
      findPayment: async (id) => {
        const payment = await payments.findPayment(id);
        times += 1;
        if (payment && times === 1) await work(payment);
        return payment;
      },
    };
  }

  test('an event that pays the order does not disturb', async () => {
    const { customer, order, id } = await paidUnnoticed(shop);
    const differences = asking((payment) => settleOrRefund(shop.services, payment));
    await withProvider(shop, differences, async () => {
      const answer = await customer.records(order, id);
      expect(answer.body).toEqual({ acknowledged: true, status: 'pending', transactionId: id });
    });
  });

  test('a cancelled order refunds the payment as `order-cancelled`', async () => {
    const due = await paidUnnoticed(shop);
    await withProvider(
      shop,
      asking(() => close(due)),
      async () => {
        const answer = await due.customer.records(due.order, due.id);
        expect(read(answer)).toEqual([409, 'order-cancelled']);
      },
    );
  });
});

describe('the refusal of a refunded payment', () => {
  test.each([
    ['expire', 'expired'],
    ['cancel', 'order-cancelled'],
  ] as const)("names the order's end (%s)", async (move, code) => {
    const due = await paidUnnoticed(shop);
    await close(due, move);
    expect(read(await due.customer.records(due.order, due.id))).toEqual([409, code]);
  });

  test('names the end of one order while another is paid', async () => {
    const { customer, orders, id } = await paidUnnoticedTogether(shop, 2);
    const [paid, ended] = orders;
    if (!paid || !ended) throw new Error('Two orders are needed.');
    await markClosed(shop.db, ended._id, 'cancel', new Date());
    expect(read(await customer.records(ended, id))).toEqual([409, 'order-cancelled']);
    expect((await customer.records(paid, id)).body).toMatchObject({ status: 'pending' });
  });

  test('is `payment-refunded` after an external refund', async () => {
    const { customer, order, id } = await paidUnnoticed(shop);
    await refundAtProvider(shop, id);
    expect(read(await customer.records(order, id))).toEqual([409, 'payment-refunded']);
  });

  test('is `already-paid` when the order has another payment', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const second = await createPayment(shop, { orderId: order._id });
    await confirmCard(shop, second.clientSecret);
    expect(read(await customer.records(order, second.id))).toEqual([409, 'already-paid']);
  });
});

const total = 1139.43;

describe('the payment of an order at the provider', () => {
  const read = (person: Person, order: Order) => person.get(`/order/${order._id}/payment`);

  test('shows administrators amounts, card and time of reading', async () => {
    const pending = await aPendingOrder(shop);
    await refundAtProvider(shop, pending.id, 100);
    const { status, body } = await read(admin, pending.order);
    expect([status, body]).toEqual([
      200,
      {
        transactionId: pending.id,
        state: 'succeeded',
        orders: [pending.order._id],
        share: total,
        amount: total,
        received: total,
        refunded: 1,
        disputed: false,
        inquiry: false,
        card: { kind: 'visa', last4: '4242' },
        askedAt: expect.any(String),
      },
    ]);
    expect(Math.abs(Date.parse(body.askedAt) - Date.now())).toBeLessThan(10_000);
    expect((await read(pending.customer, pending.order)).status).toBe(403);
  });

  test('has no card while open, and is absent before', async () => {
    const { customer, order } = await aDueOrder(shop);
    expect((await read(admin, order)).status).toBe(404);
    await customer.opensPayment(order);
    const { body } = await read(admin, order);
    expect(body).toMatchObject({
      state: 'requires_payment_method',
      received: 0,
      refunded: 0,
      disputed: false,
    });
    expect(body).not.toHaveProperty('card');
  });

  test("stays readable after the order's end, unless unknown", async () => {
    const pending = await aPendingOrder(shop);
    await admin.refunds(pending.order, { returnStock: true, reason: 'Arrived broken' });
    expect((await read(admin, pending.order)).body).toMatchObject({
      refunded: total,
      refundReason: 'Arrived broken',
    });
    await shop.db.delete(sandboxObjects).where(eq(sandboxObjects.id, pending.id));
    expect(readCode(await read(admin, pending.order))).toBe('unknown-payment');
  });
});
