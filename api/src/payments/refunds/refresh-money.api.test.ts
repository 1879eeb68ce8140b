import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from '#src/payments/provider/provider.ts';
import { findShare, writeShare } from '#src/payments/store.ts';
import { trail } from '#src/trail/schema.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { aPaidOrder, aPendingOrder, readStock } from '#test/paid-orders.ts';
import { aDueOrder } from '#test/paying.ts';
import { createPayment, loseEvents, withProvider } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { applyClaims, refreshMoney } from './refresh-money.ts';
import type { Claims } from './refund-rules.ts';
import { findRefunds, insertRefund } from './refund-store.ts';

let shop: TestShop;
let admin: Person;
const lines: string[] = [];
beforeAll(async () => {
  shop = await startShop({ onLine: (line) => void lines.push(line) });
  admin = await signedInAs(shop, 'admin');
});
beforeEach(() => loseEvents(shop));
afterAll(() => shop.close());

const cents = 113943;
const db = () => shop.services.database.db;

async function look(id: string): Promise<ProviderPayment> {
  const payment = await shop.services.payments.findPayment(id);
  if (!payment) throw new Error('The provider does not know the payment.');
  return payment;
}
const claim = async (id: string, claims: Partial<Claims>) =>
  applyClaims(shop.services, await look(id), { refunds: [], disputes: [], ...claims });

let number = 0;
const aRefund = (differences: Partial<ProviderRefund> = {}): ProviderRefund => {
  number += 1;
  return { id: `re_${number}`, amountCents: 100, state: 'succeeded', refundId: null, ...differences };
};
const aDispute = (state: ProviderDispute['state'], amountCents = 100): ProviderDispute => ({
  id: 'dp_1',
  amountCents,
  state,
});

const readMoney = async ({ _id }: Order) => {
  const row = await findOrderEvenClosed(db(), _id);
  return row && [row.refundCents, row.refundState, row.disputed, row.closed];
};
/** The trail's events about an order's money, oldest first. */
const readEvents = async ({ _id }: Order) => {
  const rows = await db()
    .select()
    .from(trail)
    .where(eq(trail.orderId, _id))
    .orderBy(trail.createdAt, trail.id);
  return rows.map(({ event }) => event).filter((event) => /refund|disput/.test(event));
};

describe("the provider's claims", () => {
  test("update the order's money upwards and downwards", async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    const first = aRefund();
    await claim(id, { refunds: [first] });
    await claim(id, { refunds: [first] });
    expect(await readMoney(order)).toEqual([100, 'succeeded', false, null]);
    const second = aRefund({ amountCents: 200, state: 'pending' });
    await claim(id, { refunds: [second, first] });
    expect(await readMoney(order)).toEqual([300, 'pending', false, null]);
    await claim(id, { refunds: [{ ...second, state: 'failed' }, first] });
    expect(await readMoney(order)).toEqual([100, 'succeeded', false, null]);
    expect(await readEvents(order)).toEqual(['refunded', 'refunded', 'refund-changed']);
  });

  test('are logged only when something has changed', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    const refund = aRefund();
    const readLines = () =>
      lines.map((line) => JSON.parse(line)).filter((line) => line.order === order._id && line.payment === id);
    await claim(id, { refunds: [refund] });
    await claim(id, { refunds: [refund] });
    const msg = 'money of the order was refunded or disputed';
    expect(readLines()).toEqual([
      expect.objectContaining({
        level: 40,
        msg,
        refundCents: 100,
        refundState: 'succeeded',
        disputed: false,
      }),
    ]);
  });

  test("a smaller sum is recorded although the refund's state stays", async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    const [first, second] = [aRefund(), aRefund({ amountCents: 200 })];
    await claim(id, { refunds: [second, first] });
    await claim(id, { refunds: [{ ...second, state: 'failed' }, first] });
    expect(await readMoney(order)).toEqual([100, 'succeeded', false, null]);
    expect(await readEvents(order)).toEqual(['refunded', 'refund-changed']);
  });

  test('a new refund state is recorded although the sum stays', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    const refund = aRefund({ state: 'pending' });
    await claim(id, { refunds: [refund] });
    await claim(id, { refunds: [{ ...refund, state: 'succeeded' }] });
    expect(await readMoney(order)).toEqual([100, 'succeeded', false, null]);
    expect(await readEvents(order)).toEqual(['refunded', 'refund-changed']);
  });

  test('the begin and the end of a dispute are recorded', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    await claim(id, { disputes: [aDispute('open')] });
    expect(await readMoney(order)).toEqual([0, null, true, null]);
    await claim(id, { disputes: [aDispute('won')] });
    expect(await readMoney(order)).toEqual([0, null, false, null]);
    expect(await readEvents(order)).toEqual(['disputed', 'dispute-ended']);
  });

  test('a payment unknown to the shop changes nothing', async () => {
    const { order } = await aDueOrder(shop);
    const { id } = await createPayment(shop, { orderId: order._id });
    await claim(id, { refunds: [aRefund()] });
    expect(await readMoney(order)).toEqual([0, null, false, null]);
  });
});

describe('an order without its money', () => {
  test('closes while pending, and its pieces return once', async () => {
    const pending = await aPendingOrder(shop);
    const refunds = [aRefund({ amountCents: cents })];
    await claim(pending.id, { refunds });
    await claim(pending.id, { refunds });
    expect(await readMoney(pending.order)).toEqual([cents, 'succeeded', false, 'refunded']);
    expect(await readStock(shop, pending)).toBe(1000);
    expect(await readEvents(pending.order)).toEqual(['refunded']);
  });

  test('stays open after acceptance, as it was shipped', async () => {
    const paid = await aPaidOrder(shop, admin);
    await claim(paid.id, { disputes: [aDispute('lost', cents)] });
    expect(await readMoney(paid.order)).toEqual([cents, 'succeeded', false, null]);
    expect(await readStock(shop, paid)).toBe(943);
  });
});

describe("the shop's own refund", () => {
  async function anOwnRefund() {
    const paid = await aPaidOrder(shop, admin);
    const { ids, clock } = shop.services;
    const own = { id: ids.next(), paymentId: paid.id, orderId: paid.order._id, amountCents: 5000 };
    await insertRefund(db(), own, clock.now());
    const read = async () => (await findRefunds(db(), paid.order._id))[0];
    return { ...paid, refundId: own.id, read };
  }

  test("takes the provider's state and writes its own trail entry", async () => {
    const { order, id, refundId, read } = await anOwnRefund();
    const refund = aRefund({ amountCents: 5000, state: 'pending', refundId });
    await claim(id, { refunds: [refund] });
    expect(await read()).toMatchObject({ state: 'pending', providerId: refund.id, attempt: 1 });
    await claim(id, { refunds: [{ ...refund, state: 'succeeded' }] });
    expect(await read()).toMatchObject({ state: 'succeeded', attempt: 1 });
    expect(await readMoney(order)).toEqual([5000, 'succeeded', false, null]);
    expect(await readEvents(order)).toEqual(['refunded', 'refund-changed']);
  });

  test('gets its next attempt once per failure, after a growing wait', async () => {
    const { id, refundId, read } = await anOwnRefund();
    const refund = aRefund({ amountCents: 5000, state: 'failed', refundId });
    const before = shop.services.clock.now().getTime();
    await claim(id, { refunds: [refund] });
    await claim(id, { refunds: [refund] });
    const row = await read();
    expect(row).toMatchObject({ state: 'failed', attempt: 2, providerId: refund.id });
    expect(row?.nextLookAt.getTime()).toBeGreaterThanOrEqual(before + 120_000);
    // Another failed attempt counts as new, though the state stays.
    const next = aRefund({ amountCents: 5000, state: 'failed', refundId });
    await claim(id, { refunds: [next] });
    expect(await read()).toMatchObject({ attempt: 3, providerId: next.id });
  });

  test('stays unchanged when the provider does not list it', async () => {
    const { id, read } = await anOwnRefund();
    await claim(id, {});
    expect(await read()).toMatchObject({ state: 'pending', providerId: null, attempt: 1 });
  });

  test.each([
    ['succeeded', 'refunded'],
    ['pending', 'refund_due'],
  ] as const)('resolves the share of a payment that paid no order (%s)', async (state, becomes) => {
    const { order } = await aPendingOrder(shop);
    const second = await createPayment(shop, { orderId: order._id });
    const { ids, clock } = shop.services;
    const row = {
      id: second.id,
      orderId: order._id,
      attempt: 99,
      amountCents: cents,
      paymentCents: cents,
      currency: 'usd',
    };
    await writeShare(db(), { ...row, state: 'refund_due' }, clock.now());
    const own = { id: ids.next(), paymentId: second.id, orderId: order._id, amountCents: cents };
    await insertRefund(db(), own, clock.now());
    const refunds = [aRefund({ amountCents: cents, state, refundId: own.id })];
    await claim(second.id, { refunds });
    expect(await findShare(db(), second.id, order._id)).toMatchObject({ state: becomes });
    expect(await readMoney(order)).toEqual([0, null, false, null]);
  });
});

describe('requests to the provider', () => {
  async function ask(payment: ProviderPayment, options?: { asksForDisputes: boolean }) {
    const listRefunds = vi.fn(async (): Promise<ProviderRefund[]> => []);
    const listDisputes = vi.fn(async (): Promise<ProviderDispute[]> => []);
    await withProvider(shop, { listRefunds, listDisputes }, () =>
      refreshMoney(shop.services, payment, options),
    );
    return { refunds: listRefunds.mock.calls.length, disputes: listDisputes.mock.calls.length };
  }

  test('are unnecessary for most payments', async () => {
    const { id } = await aPendingOrder(shop);
    expect(await ask(await look(id))).toEqual({ refunds: 0, disputes: 0 });
  });

  test('list the refunds if the charge has any', async () => {
    const { id } = await aPendingOrder(shop);
    expect(await ask({ ...(await look(id)), refundedCents: 1 })).toEqual({ refunds: 1, disputes: 0 });
  });

  test('list the refunds if the shop has reserved one', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    const own = { id: shop.services.ids.next(), paymentId: id, orderId: order._id, amountCents: 100 };
    await insertRefund(db(), own, shop.services.clock.now());
    expect(await ask(await look(id))).toEqual({ refunds: 1, disputes: 0 });
  });

  test('list refunds and disputes if the order has refunded money', async () => {
    const { id } = await aPaidOrder(shop, admin);
    await claim(id, { refunds: [aRefund()] });
    expect(await ask(await look(id))).toEqual({ refunds: 1, disputes: 1 });
  });

  test('list the disputes if charge, order or event names one', async () => {
    const { id } = await aPaidOrder(shop, admin);
    const payment = await look(id);
    expect(await ask({ ...payment, disputed: true })).toEqual({ refunds: 0, disputes: 1 });
    await claim(id, { disputes: [aDispute('open')] });
    expect(await ask(payment)).toEqual({ refunds: 0, disputes: 1 });
    const another = await aPaidOrder(shop, admin);
    const asked = await ask(await look(another.id), { asksForDisputes: true });
    expect(asked).toEqual({ refunds: 0, disputes: 1 });
  });

  test('are not sent for a payment unknown to the shop', async () => {
    const { order } = await aDueOrder(shop);
    const { id } = await createPayment(shop, { orderId: order._id });
    expect(await ask({ ...(await look(id)), refundedCents: 1 })).toEqual({ refunds: 0, disputes: 0 });
  });
});
