import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { markClosed } from '#src/orders/move-order.ts';
import type { OrderPayments } from '#src/orders/order-payments.ts';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import {
  aDueOrder,
  anOpenPayment,
  confirmCard,
  controlSandbox,
  paymentRows,
  readOrder,
  refundAtProvider,
} from '#test/paying.ts';
import { paidUnnoticedTogether } from '#test/paying-several.ts';
import { loseEvents, withProvider } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { createOrderPayments } from './order-payments.ts';
import { ProviderError, type ProviderErrorKind } from './provider/provider.ts';
import { settleOrRefund } from './settle-or-refund.ts';

let shop: TestShop;
let orderPayments: OrderPayments;
beforeAll(async () => {
  shop = await startShop();
  orderPayments = createOrderPayments(shop.services);
});
beforeEach(() => loseEvents(shop));
afterAll(() => shop.close());

async function anOrderWithOpenPayment() {
  const due = await aDueOrder(shop);
  return { ...due, ...(await anOpenPayment(shop, due.customer, due.order)) };
}
const failWith = (kind: ProviderErrorKind) => () =>
  Promise.reject(new ProviderError(kind, 'as the test says'));

describe('the open payment of an order is closed before the order', () => {
  test('and the provider cancels it', async () => {
    const { order, id } = await anOrderWithOpenPayment();
    await orderPayments.closeOpen(order._id);
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'canceled' }]);
    expect(await shop.services.payments.findPayment(id)).toMatchObject({ status: 'canceled' });
  });

  test('which is nothing to do where there is none', async () => {
    const { order } = await aDueOrder(shop);
    const findPayment = vi.fn(shop.services.payments.findPayment);
    await withProvider(shop, { findPayment }, () => orderPayments.closeOpen(order._id));
    expect(findPayment).not.toHaveBeenCalled();
  });

  test('but not while it is on its way: it is not even tried', async () => {
    await controlSandbox(shop, { processing: true });
    const { order, id, clientSecret } = await anOrderWithOpenPayment();
    await confirmCard(shop, clientSecret);
    expect(await shop.services.payments.findPayment(id)).toMatchObject({ status: 'processing' });
    const cancelPayment = vi.fn(shop.services.payments.cancelPayment);
    await withProvider(shop, { cancelPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ code: 'payment-processing' });
    });
    expect(cancelPayment).not.toHaveBeenCalled();
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
  });

  test('nor when it is on its way just then', async () => {
    const { order } = await anOrderWithOpenPayment();
    const { payments } = shop.services;
    const cancelPayment: typeof payments.cancelPayment = async (id) => {
      const payment = await payments.findPayment(id);
      if (!payment) throw new Error('The provider does not know the payment.');
      return { ...payment, status: 'processing' };
    };
    await withProvider(shop, { cancelPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ code: 'payment-processing' });
    });
  });

  test('nor when it has paid the order, unnoticed: it is not tried, and the order is pending', async () => {
    const { customer, order, clientSecret } = await anOrderWithOpenPayment();
    await confirmCard(shop, clientSecret);
    const cancelPayment = vi.fn(shop.services.payments.cancelPayment);
    await withProvider(shop, { cancelPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ code: 'already-paid' });
    });
    expect(cancelPayment).not.toHaveBeenCalled();
    expect(await readOrder(shop, customer, order)).toMatchObject({ status: 'pending' });
  });

  test('nor while nobody here can say whose the money is', async () => {
    const { order, id, clientSecret } = await anOrderWithOpenPayment();
    await confirmCard(shop, clientSecret);
    const paid = await shop.services.payments.findPayment(id);
    const findPayment = async () => paid && { ...paid, shop: 'another-shop' };
    await withProvider(shop, { findPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ code: 'already-paid' });
    });
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
  });

  test('one that has paid it and went back does not stop it', async () => {
    const { order, id, clientSecret } = await anOrderWithOpenPayment();
    await confirmCard(shop, clientSecret);
    await refundAtProvider(shop, id);
    await orderPayments.closeOpen(order._id);
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'refunded' }]);
  });
});

describe('a payment that the provider does not know', () => {
  const findPayment = async () => null;

  test('is noted as missing, when it refuses to cancel it, too', async () => {
    const { order } = await anOrderWithOpenPayment();
    await withProvider(shop, { findPayment, cancelPayment: failWith('refused') }, () =>
      orderPayments.closeOpen(order._id),
    );
    expect(await paymentRows(shop, order)).toMatchObject([
      { state: 'missing', note: 'unknown to the provider' },
    ]);
  });

  test.each(['broken', 'unreachable'] as const)(
    'stays open, when nobody knows what became of cancelling it (%s)',
    async (kind) => {
      const { order } = await anOrderWithOpenPayment();
      await withProvider(shop, { findPayment, cancelPayment: failWith(kind) }, async () => {
        await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ kind });
      });
      expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
    },
  );

  test('stays open after a mistake of ours', async () => {
    const { order } = await anOrderWithOpenPayment();
    const cancelPayment = () => Promise.reject(Object.assign(new Error('ours'), { kind: 'refused' }));
    await withProvider(shop, { findPayment, cancelPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toThrow('ours');
    });
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
  });
});

test('a payment that the provider knows and refuses to cancel stays open', async () => {
  const { order } = await anOrderWithOpenPayment();
  await withProvider(shop, { cancelPayment: failWith('refused') }, async () => {
    await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ kind: 'refused' });
  });
  expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
});

describe('what became of the money of an order', () => {
  test('is asked for with disputes that the charge may not show', async () => {
    const { order, id } = await aPendingOrder(shop);
    const listDisputes = vi.fn(shop.services.payments.listDisputes);
    await withProvider(shop, { listDisputes }, () => orderPayments.refreshMoney(order._id));
    expect(listDisputes.mock.calls).toEqual([[id]]);
  });

  test('is not known where the provider does not know the payment, and no sandbox is named for it', async () => {
    const { order } = await aPendingOrder(shop);
    await withProvider(shop, { findPayment: async () => null }, async () => {
      await expect(orderPayments.refreshMoney(order._id)).rejects.toMatchObject({
        code: 'unknown-payment',
        message: expect.not.stringContaining('sandbox'),
      });
    });
  });

  test('is nothing for one that nobody paid, or that is not there', async () => {
    const { order } = await aDueOrder(shop);
    const findPayment = vi.fn(shop.services.payments.findPayment);
    await withProvider(shop, { findPayment }, async () => {
      await orderPayments.refreshMoney(order._id);
      await orderPayments.refreshMoney('019a0000-0000-7000-8000-000000000000');
    });
    expect(findPayment).not.toHaveBeenCalled();
  });
});

describe('the payment of several orders that was paid unnoticed', () => {
  test('keeps each of them from being closed', async () => {
    const { orders, id } = await paidUnnoticedTogether(shop, 2);
    await expect(orderPayments.closeOpen(orders[1]?._id ?? '')).rejects.toMatchObject({
      code: 'already-paid',
    });
    for (const order of orders) {
      expect(await paymentRows(shop, order)).toMatchObject([{ id, state: 'applied' }]);
    }
  });

  test('but not one whose share is given back, as somebody has closed it meanwhile', async () => {
    const { orders, id } = await paidUnnoticedTogether(shop, 2);
    const [kept, closed] = orders.map(({ _id }) => _id);
    await markClosed(shop.services.database.db, closed ?? '', 'cancel', shop.services.clock.now());
    await orderPayments.closeOpen(closed ?? '');
    expect(await findOrderEvenClosed(shop.services.database.db, kept ?? '')).toMatchObject({
      status: 'pending',
      transactionId: id,
    });
  });

  test('nor one whose share is given back by another process at the same moment', async () => {
    const { orders } = await paidUnnoticedTogether(shop, 2);
    const closed = orders[1]?._id ?? '';
    await markClosed(shop.services.database.db, closed, 'cancel', shop.services.clock.now());
    const { payments } = shop.services;
    const findPayment: typeof payments.findPayment = async (id) => {
      const payment = await payments.findPayment(id);
      if (payment) await settleOrRefund({ ...shop.services, payments }, payment);
      return payment;
    };
    await withProvider(shop, { findPayment }, () => orderPayments.closeOpen(closed));
    expect((await findOrderEvenClosed(shop.services.database.db, closed))?.transactionId).toBeNull();
  });
});
