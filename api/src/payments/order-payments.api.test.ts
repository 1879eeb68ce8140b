import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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
  refundAtProvider,
} from '#test/paying.ts';
import { paidUnnoticedTogether } from '#test/paying-several.ts';
import { loseEvents, readPayment, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import { createOrderPayments } from './order-payments.ts';
import { ProviderError, type ProviderErrorKind } from './provider/provider.ts';
import { settleOrRefund } from './settle-or-refund.ts';

let orderPayments: OrderPayments;
const shop = useShop();
beforeAll(() => {
  orderPayments = createOrderPayments(shop.services);
});
beforeEach(() => loseEvents(shop));

const failWith = (kind: ProviderErrorKind) => () =>
  Promise.reject(new ProviderError(kind, 'as the test says'));

describe('closeOpen', () => {
  test('closing cancels the payment at the provider', async () => {
    const { order, id } = await anOpenPayment(shop);
    await orderPayments.closeOpen(order._id);
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'canceled' }]);
    expect(await shop.services.payments.findPayment(id)).toMatchObject({ status: 'canceled' });
  });

  test('closing does nothing when no payment is open', async () => {
    const { order } = await aDueOrder(shop);
    const findPayment = vi.fn(shop.services.payments.findPayment);
    await withProvider(shop, { findPayment }, () => orderPayments.closeOpen(order._id));
    expect(findPayment).not.toHaveBeenCalled();
  });

  test('closing does not try to cancel a processing payment', async () => {
    await controlSandbox(shop, { processing: true });
    const { order, id, clientSecret } = await anOpenPayment(shop);
    await confirmCard(shop, clientSecret);
    expect(await shop.services.payments.findPayment(id)).toMatchObject({ status: 'processing' });
    const cancelPayment = vi.fn(shop.services.payments.cancelPayment);
    await withProvider(shop, { cancelPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ code: 'payment-processing' });
    });
    expect(cancelPayment).not.toHaveBeenCalled();
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
  });

  test('closing fails when the payment starts processing during the cancel', async () => {
    const { order } = await anOpenPayment(shop);
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

  test('closing keeps an order that was paid without the shop noticing', async () => {
    const { customer, order, clientSecret } = await anOpenPayment(shop);
    await confirmCard(shop, clientSecret);
    const cancelPayment = vi.fn(shop.services.payments.cancelPayment);
    await withProvider(shop, { cancelPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ code: 'already-paid' });
    });
    expect(cancelPayment).not.toHaveBeenCalled();
    expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
  });

  test("closing fails while the money's owner is unknown", async () => {
    const { order, id, clientSecret } = await anOpenPayment(shop);
    await confirmCard(shop, clientSecret);
    const paid = { ...(await readPayment(shop, id)), shop: 'another-shop' };
    const findPayment = async () => paid;
    await withProvider(shop, { findPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ code: 'already-paid' });
    });
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
  });

  test('closing accepts a payment that was refunded', async () => {
    const { order, id, clientSecret } = await anOpenPayment(shop);
    await confirmCard(shop, clientSecret);
    await refundAtProvider(shop, id);
    await orderPayments.closeOpen(order._id);
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'refunded' }]);
  });
});

describe('a payment that the provider does not know', () => {
  const findPayment = async () => null;

  test('is stored as missing after a refused cancel', async () => {
    const { order } = await anOpenPayment(shop);
    await withProvider(shop, { findPayment, cancelPayment: failWith('refused') }, () =>
      orderPayments.closeOpen(order._id),
    );
    expect(await paymentRows(shop, order)).toMatchObject([
      { state: 'missing', note: 'unknown to the provider' },
    ]);
  });

  test.each(['broken', 'unreachable'] as const)(
    "stays open when the cancel's outcome is unknown (%s)",
    async (kind) => {
      const { order } = await anOpenPayment(shop);
      await withProvider(shop, { findPayment, cancelPayment: failWith(kind) }, async () => {
        await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ kind });
      });
      expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
    },
  );

  test('stays open after an internal error', async () => {
    const { order } = await anOpenPayment(shop);
    const cancelPayment = () => Promise.reject(Object.assign(new Error('ours'), { kind: 'refused' }));
    await withProvider(shop, { findPayment, cancelPayment }, async () => {
      await expect(orderPayments.closeOpen(order._id)).rejects.toThrow('ours');
    });
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
  });
});

test('a known payment that cannot be cancelled stays open', async () => {
  const { order } = await anOpenPayment(shop);
  await withProvider(shop, { cancelPayment: failWith('refused') }, async () => {
    await expect(orderPayments.closeOpen(order._id)).rejects.toMatchObject({ kind: 'refused' });
  });
  expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open' }]);
});

describe("refreshing an order's money", () => {
  test('reads disputes even if the charge shows none', async () => {
    const { order, id } = await aPendingOrder(shop);
    const listDisputes = vi.fn(shop.services.payments.listDisputes);
    await withProvider(shop, { listDisputes }, () => orderPayments.refreshMoney(order._id));
    expect(listDisputes.mock.calls).toEqual([[id]]);
  });

  test('throws `unknown-payment` without mention of a sandbox', async () => {
    const { order } = await aPendingOrder(shop);
    await withProvider(shop, { findPayment: async () => null }, async () => {
      await expect(orderPayments.refreshMoney(order._id)).rejects.toMatchObject({
        code: 'unknown-payment',
        message: expect.not.stringContaining('sandbox'),
      });
    });
  });

  test('does nothing for an unpaid or unknown order', async () => {
    const { order } = await aDueOrder(shop);
    const findPayment = vi.fn(shop.services.payments.findPayment);
    await withProvider(shop, { findPayment }, async () => {
      await orderPayments.refreshMoney(order._id);
      await orderPayments.refreshMoney('019a0000-0000-7000-8000-000000000000');
    });
    expect(findPayment).not.toHaveBeenCalled();
  });
});

describe('closing an order of a paid payment of several', () => {
  test('fails for each of the orders', async () => {
    const { orders, id } = await paidUnnoticedTogether(shop, 2);
    await expect(orderPayments.closeOpen(orders[1]?._id ?? '')).rejects.toMatchObject({
      code: 'already-paid',
    });
    for (const order of orders) {
      expect(await paymentRows(shop, order)).toMatchObject([{ id, state: 'applied' }]);
    }
  });

  test('succeeds for an order that was closed before and gets refunded', async () => {
    const { orders, id } = await paidUnnoticedTogether(shop, 2);
    const [kept, closed] = orders.map(({ _id }) => _id);
    await markClosed(shop.db, closed ?? '', 'cancel', shop.services.clock.now());
    await orderPayments.closeOpen(closed ?? '');
    expect(await findOrderEvenClosed(shop.db, kept ?? '')).toMatchObject({
      status: 'pending',
      transactionId: id,
    });
  });

  test("succeeds while another process refunds the closed order's share", async () => {
    const { orders } = await paidUnnoticedTogether(shop, 2);
    const closed = orders[1]?._id ?? '';
    await markClosed(shop.db, closed, 'cancel', shop.services.clock.now());
    const { payments } = shop.services;
    const findPayment: typeof payments.findPayment = async (id) => {
      const payment = await payments.findPayment(id);
      if (payment) await settleOrRefund({ ...shop.services, payments }, payment);
      return payment;
    };
    await withProvider(shop, { findPayment }, () => orderPayments.closeOpen(closed));
    expect((await findOrderEvenClosed(shop.db, closed))?.transactionId).toBeNull();
  });
});
