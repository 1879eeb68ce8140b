import type { Order } from '@parts-forge/contract/orders/orders';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findInvoice } from '#src/invoices/store.ts';
import { markClosed } from '#src/orders/move-order.ts';
import { findOrdersEvenClosed } from '#src/orders/store.ts';
import { confirmCard, paymentRows } from '#test/paying.ts';
import { dueOrders, paidUnnoticedTogether } from '#test/paying-several.ts';
import { createPayment, listRefunds, loseEvents } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { settleOrRefund } from './settle-or-refund.ts';

const shop = useShop();
beforeEach(async () => {
  await loseEvents(shop);
});

const db = () => shop.services.database.db;

/** The payment as the provider has it now. */
async function look(id: string): Promise<ProviderPayment> {
  const payment = await shop.services.payments.findPayment(id);
  if (!payment) throw new Error('The provider does not know the payment.');
  return payment;
}
const readStatuses = async (orders: readonly Order[]) => {
  const rows = await findOrdersEvenClosed(
    db(),
    orders.map(({ _id }) => _id),
  );
  return rows.map(({ closed, status }) => closed ?? status);
};
const readStates = (orders: readonly Order[]) =>
  Promise.all(orders.map(async (order) => (await paymentRows(shop, order)).map(({ state }) => state)));
/** Settles the payment. @returns the kinds of change that were published */
async function listNews(payment: ProviderPayment): Promise<unknown[]> {
  const publish = vi.spyOn(shop.services.changes, 'publish');
  try {
    await settleOrRefund(shop.services, payment);
    return publish.mock.calls.flat();
  } finally {
    publish.mockRestore();
  }
}

describe('a payment of several orders', () => {
  test('pays each share once, each with an invoice', async () => {
    const { orders, id } = await paidUnnoticedTogether(shop, 2);
    expect(await settleOrRefund(shop.services, await look(id))).toBe('applied');
    expect(await settleOrRefund(shop.services, await look(id))).toBe('already');
    expect(await readStatuses(orders)).toEqual(['pending', 'pending']);
    expect(await readStates(orders)).toEqual([['applied'], ['applied']]);
    for (const { _id, totalPrice } of orders) {
      expect(await findInvoice(db(), _id)).toMatchObject({
        transactionId: id,
        totalCents: totalPrice * 100,
      });
    }
  });

  test('notifies the mailer once', async () => {
    const { id } = await paidUnnoticedTogether(shop, 2);
    const payment = await look(id);
    expect(await listNews(payment)).toEqual(['mail']);
    expect(await listNews(payment)).toEqual([]);
  });
});

test.each([
  ['first', 0],
  ['last', 1],
])("the %s order's share is refunded after its closure, the other pays", async (_which, index) => {
  const { orders, id } = await paidUnnoticedTogether(shop, 2);
  const closed = orders[index] as Order;
  await markClosed(db(), closed._id, 'cancel', shop.services.clock.now());
  expect(await settleOrRefund(shop.services, await look(id))).toBe('applied');
  expect((await readStates([closed]))[0]).toEqual(['refunded']);
  expect((await listRefunds(shop, id)).map(({ amount }) => amount)).toEqual([closed.totalPrice * 100]);
  expect((await readStatuses(orders)).toSorted()).toEqual(['cancelled', 'pending']);
});

test.each([
  ['was received in part', { receivedCents: 14_999 }],
  ['was made for another sum', { amountCents: 14_999, receivedCents: 14_999 }],
])('a payment that %s is stray, as its shares are unknown', async (_what, is) => {
  const { orders, id } = await paidUnnoticedTogether(shop, 2);
  expect(await settleOrRefund(shop.services, { ...(await look(id)), ...is })).toBe('stray');
  shop.expectErrors([{ payment: id }]);
  expect(await readStatuses(orders)).toEqual(['due', 'due']);
  expect(await readStates(orders)).toEqual([['open'], ['open']]);
  expect(await listRefunds(shop, id)).toEqual([]);
});

test('a payment that also names an invalid id is stray', async () => {
  const { orders, id } = await paidUnnoticedTogether(shop, 1);
  const payment = await look(id);
  const stray = { ...payment, orderIds: [...payment.orderIds, 'not an id'] };
  expect(await settleOrRefund(shop.services, stray)).toBe('stray');
  shop.expectErrors([{ payment: id }]);
  expect(await readStatuses(orders)).toEqual(['due']);
});

describe('a payment of several orders that is newer than the backup', () => {
  async function aNewerPayment() {
    const { customer, orders } = await dueOrders(shop, 2);
    const made = await createPayment(shop, {
      orders: orders.map(({ _id }) => ({ id: _id, attempt: 99 })),
      shop: 'the-shop-before',
      amountCents: 15_000,
    });
    await confirmCard(shop, made.clientSecret);
    const restored = { ...shop.services, formerInstanceIds: ['the-shop-before'] };
    const settle = async () => settleOrRefund(restored, await look(made.id));
    return { customer, orders, id: made.id, settle };
  }

  test('pays them if all of them can take it', async () => {
    const { orders, settle } = await aNewerPayment();
    expect(await settle()).toBe('applied');
    expect(await readStatuses(orders)).toEqual(['pending', 'pending']);
  });

  test('is stray if one of them cannot take it', async () => {
    const { customer, orders, id, settle } = await aNewerPayment();
    await customer.cancels(orders[1] as Order);
    expect(await settle()).toBe('stray');
    shop.expectErrors([{ payment: id }]);
    expect((await readStatuses(orders)).toSorted()).toEqual(['cancelled', 'due']);
    expect(await listRefunds(shop, id)).toEqual([]);
  });
});
