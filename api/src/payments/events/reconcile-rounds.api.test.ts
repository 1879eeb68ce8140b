import { beforeEach, describe, expect, test, vi } from 'vitest';
import { markClosed } from '#src/orders/move-order.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, anOpenPayment, confirmCard, controlSandbox, paymentRows } from '#test/paying.ts';
import { anOpenPaymentTogether, dueOrders } from '#test/paying-several.ts';
import {
  createPayment,
  listRefunds,
  loseEvents,
  readPayment,
  reconcileLater,
  withProvider,
} from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import { type PaymentProvider, ProviderError } from '../provider/provider.ts';
import { findRefunds } from '../refunds/refund-store.ts';
import { closePayment } from '../store.ts';

const clock = createMovableClock();
beforeEach(async () => {
  await loseEvents(shop);
  // Processes the leftovers of earlier tests, so that a round counts only its own test's payments.
  for (let round = 0; round < 3; round += 1) await nextRound();
});
const shop = useShop({ clock });

const nextRound = () => reconcileLater(shop, clock);
const nothing = { settled: 0, closed: 0, refunded: 0, failed: 0, stray: 0 };

type Paying = Awaited<ReturnType<typeof anOpenPayment>>;

const closeOrder = ({ order }: Paying) => markClosed(shop.db, order._id, 'cancel', clock.now());

/** Closes the payment as missing, as after a provider that did not know it. */
async function giveUp({ order }: Paying): Promise<void> {
  const [row] = await paymentRows(shop, order);
  if (!row) throw new Error('The order has no payment.');
  await closePayment(shop.services, row.id, 'missing');
}
const readState = async ({ order }: Paying) => (await paymentRows(shop, order)).map(({ state }) => state);

/** Runs a round in which the provider answers differently for one payment. */
async function roundIn(id: string, answer: PaymentProvider['findPayment']) {
  const { payments } = shop.services;
  const findPayment = vi.fn((asked: string) => (asked === id ? answer(id) : payments.findPayment(asked)));
  const result = await withProvider(shop, { findPayment }, nextRound);
  return { result, asked: findPayment.mock.calls.filter(([asked]) => asked === id).length };
}

/** Expects that the next round, half a minute later, does not read the payment. */
async function isLeftAlone(id: string): Promise<void> {
  clock.aheadMs -= 31_000;
  expect((await roundIn(id, async () => null)).asked).toBe(0);
}

describe("a round's result", () => {
  test('counts a paid payment as settled', async () => {
    const paying = await anOpenPayment(shop);
    await confirmCard(shop, paying.clientSecret);
    expect(await nextRound()).toEqual({ ...nothing, settled: 1 });
    expect(await paying.customer.reads(paying.order)).toMatchObject({ status: 'pending' });
  });

  test('counts a canceled payment as closed', async () => {
    const paying = await anOpenPayment(shop);
    await shop.services.payments.cancelPayment(paying.id);
    expect(await nextRound()).toEqual({ ...nothing, closed: 1 });
    expect(await readState(paying)).toEqual(['canceled']);
  });

  test('counts a payment as refunded if its order cannot take it', async () => {
    const paying = await anOpenPayment(shop);
    await confirmCard(shop, paying.clientSecret);
    await closeOrder(paying);
    expect(await nextRound()).toEqual({ ...nothing, refunded: 1 });
    expect(await listRefunds(shop, paying.id)).toHaveLength(1);
  });

  test('counts no payment that waits for its customer', async () => {
    const paying = await anOpenPayment(shop);
    expect(await nextRound()).toEqual(nothing);
    expect(await readState(paying)).toEqual(['open']);
  });

  test('counts no payment that now belongs to another shop', async () => {
    const paying = await anOpenPayment(shop);
    const foreign = { ...(await readPayment(shop, paying.id)), shop: 'another-shop' };
    expect((await roundIn(paying.id, async () => foreign)).result).toEqual(nothing);
    expect(await readState(paying)).toEqual(['open']);
    await isLeftAlone(paying.id);
  });

  test('counts a failed look and logs its order', async () => {
    const { id, order } = await anOpenPayment(shop);
    const fail = () => Promise.reject(new ProviderError('unreachable', 'no answer'));
    expect((await roundIn(id, fail)).result).toEqual({ ...nothing, failed: 1 });
    shop.expectErrors([expect.objectContaining({ payment: id, order: order._id })]);
  });

  test('leaves a failed payment alone for the next minute', async () => {
    const { id } = await anOpenPayment(shop);
    const fail = () => Promise.reject(new ProviderError('unreachable', 'no answer'));
    await roundIn(id, fail);
    shop.expectErrors([{ payment: id }]);
    await isLeftAlone(id);
  });
});

describe('an open payment whose order has closed', () => {
  test('is cancelled, so that it cannot be paid', async () => {
    const paying = await anOpenPayment(shop);
    await closeOrder(paying);
    expect(await nextRound()).toEqual({ ...nothing, closed: 1 });
    expect(await readState(paying)).toEqual(['canceled']);
    expect((await confirmCard(shop, paying.clientSecret)).body.error).toBeDefined();
  });

  test('becomes missing when the provider does not know it', async () => {
    const paying = await anOpenPayment(shop);
    await closeOrder(paying);
    const { result } = await roundIn(paying.id, async () => null);
    expect(result).toEqual({ ...nothing, closed: 1 });
    expect(await paymentRows(shop, paying.order)).toMatchObject([
      { state: 'missing', note: 'unknown to the provider' },
    ]);
    // The job looks for it again without counting it.
    expect(await roundIn(paying.id, async () => null)).toEqual({ result: nothing, asked: 1 });
  });
});

describe('a payment that the provider does not know', () => {
  test('stays open while its order is payable', async () => {
    const paying = await anOpenPayment(shop);
    expect((await roundIn(paying.id, async () => null)).result).toEqual(nothing);
    expect(await readState(paying)).toEqual(['open']);
  });

  test('is cancelled when found again, even if its order is payable', async () => {
    const paying = await anOpenPayment(shop);
    await giveUp(paying);
    expect(await nextRound()).toEqual({ ...nothing, closed: 1 });
    expect(await shop.services.payments.findPayment(paying.id)).toMatchObject({ status: 'canceled' });
    expect(await paying.customer.reads(paying.order)).toMatchObject({ status: 'due' });
  });
});

describe('a reconciled refund', () => {
  async function aRefundOnItsWay() {
    const { customer, order } = await aDueOrder(shop);
    const { id, clientSecret } = await createPayment(shop, { orderId: order._id });
    await customer.cancels(order);
    await confirmCard(shop, clientSecret);
    await controlSandbox(shop, { newRefunds: 'pending' });
    await customer.records(order, id);
    const [row] = await findRefunds(shop.db, order._id);
    return { id, order, refund: row?.id };
  }

  test('counts once the money has arrived', async () => {
    const { id } = await aRefundOnItsWay();
    expect(await nextRound()).toEqual(nothing);
    const [made] = await listRefunds(shop, id);
    await controlSandbox(shop, { finishRefund: { refund: made?.id, status: 'succeeded' } });
    expect(await nextRound()).toEqual({ ...nothing, refunded: 1 });
    expect(await nextRound()).toEqual(nothing);
  });

  test('is logged with payment and order when the look fails', async () => {
    const { id, order, refund } = await aRefundOnItsWay();
    const fail = () => Promise.reject(new ProviderError('unreachable', 'no answer'));
    expect((await roundIn(id, fail)).result).toEqual({ ...nothing, failed: 1 });
    shop.expectErrors([expect.objectContaining({ payment: id, order: order._id, refund })]);
    const [made] = await listRefunds(shop, id);
    await controlSandbox(shop, { finishRefund: { refund: made?.id, status: 'succeeded' } });
  });
});

describe('the payment of an order that waits for acceptance', () => {
  test('is read once in a while, and an unknown one changes nothing', async () => {
    const { customer, order, id } = await aPendingOrder(shop);
    expect(await roundIn(id, async () => null)).toEqual({ result: nothing, asked: 1 });
    expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
    clock.aheadMs -= 61_000;
    expect((await roundIn(id, async () => null)).asked).toBe(0);
  });

  test('brings disputes from the provider', async () => {
    const { customer, order, id } = await aPendingOrder(shop);
    await controlSandbox(shop, { dispute: { intent: id, status: 'needs_response' } });
    expect(await nextRound()).toEqual(nothing);
    expect(await customer.reads(order)).toMatchObject({ disputed: true });
  });
});

test('a payment without orders counts as stray in every round', async () => {
  const paying = await anOpenPayment(shop);
  await confirmCard(shop, paying.clientSecret);
  const stray = { ...(await readPayment(shop, paying.id)), orderIds: [] };
  expect((await roundIn(paying.id, async () => stray)).result).toEqual({ ...nothing, stray: 1 });
  shop.expectErrors([{ payment: paying.id }]);
  await isLeftAlone(paying.id);
});

test('a shared payment is canceled as soon as one order closes', async () => {
  const { customer, orders } = await dueOrders(shop, 2);
  const { id } = await anOpenPaymentTogether(customer, orders);
  expect(await nextRound()).toEqual(nothing);
  await markClosed(shop.db, orders[1]?._id ?? '', 'cancel', clock.now());
  expect((await nextRound()).closed).toBeGreaterThan(0);
  expect(await shop.services.payments.findPayment(id)).toMatchObject({ status: 'canceled' });
  expect(await nextRound()).toEqual(nothing);
});

test('a look-up that wrongly finds nothing leaves no payable payment', async () => {
  const { customer, order, clientSecret, id } = await anOpenPayment(shop);
  const { payments } = shop.services;
  let lies = 1;
  const findPayment: PaymentProvider['findPayment'] = async (asked) => {
    lies -= 1;
    return lies >= 0 ? null : payments.findPayment(asked);
  };
  await withProvider(shop, { findPayment }, async () => {
    expect((await customer.cancels(order)).status).toBe(200);
  });
  expect(await payments.findPayment(id)).toMatchObject({ status: 'canceled' });
  expect((await confirmCard(shop, clientSecret)).body.error).toBeDefined();
});

test('a payment found again after a while is cancelled or refunded', async () => {
  const unaware: Partial<PaymentProvider> = {
    findPayment: async () => null,
    cancelPayment: async () => {
      throw new ProviderError('refused', 'no such payment', 'resource_missing');
    },
  };
  const aLostPayment = async () => {
    const { customer, order } = await aDueOrder(shop);
    const opened = await customer.opensPayment(order);
    await withProvider(shop, unaware, async () => {
      expect((await customer.cancels(order)).status).toBe(200);
    });
    return opened;
  };
  const [unpaid, paid] = [await aLostPayment(), await aLostPayment()];
  await confirmCard(shop, paid.clientSecret);
  await nextRound();
  await nextRound();
  const { payments } = shop.services;
  expect(await payments.findPayment(unpaid.id)).toMatchObject({ status: 'canceled' });
  expect(await payments.findPayment(paid.id)).toMatchObject({ refundedCents: 113943 });
});
