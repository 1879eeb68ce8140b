import type { Order } from '@parts-forge/contract/orders/orders';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes, sumCredited } from '#src/invoices/store.ts';
import { markClosed } from '#src/orders/move-order.ts';
import { type Person, readProduct } from '#test/builders.ts';
import { atFullSize } from '#test/full-size.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import {
  acceptPayment,
  controlSandbox,
  readClosedOrder,
  readCode,
  readOrder,
  recordPayment,
  refundAtProvider,
  refundOrder,
} from '#test/paying.ts';
import { paidUnnoticedTogether, pendingTogether, sumTotals } from '#test/paying-several.ts';
import { beginWithoutEvents, listRefunds, reconcileLater } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { readTrail } from '#test/trail.ts';
import { findPaymentRefunds } from './refunds/refund-store.ts';

const clock = createMovableClock();
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startShop({ clock });
});
beforeEach(async () => {
  admin = await beginWithoutEvents(shop);
});
afterAll(() => shop.close());

const nextRound = () => reconcileLater(shop, clock);
/** Three orders of $50, $100 and $150, paid together. */
async function threeTogether() {
  const { orders, ...paid } = await pendingTogether(shop, 3);
  const [first, second, third] = orders;
  if (!first || !second || !third) throw new Error('Three orders are needed.');
  return { ...paid, orders, first, second, third };
}
const readMoney = async (orders: readonly Order[]) =>
  Promise.all(
    orders.map(async (order) => {
      const { refund, closed, status, disputed } = await readClosedOrder(shop, admin, order);
      // Pieces, failures and notes have their own tests.
      const { quantity: _, failed: __, settled: ___, ...money } = refund ?? { amount: 0, state: null };
      return { is: closed ?? status, ...(refund && { refund: money }), ...(disputed && { disputed }) };
    }),
  );
const readStocks = (orders: readonly Order[]) =>
  Promise.all(orders.map(async ({ productId }) => (await readProduct(shop, productId)).quantity));
const listAmounts = async (id: string) =>
  (await listRefunds(shop, id)).map(({ amount }) => amount).toSorted();
const tryToAccept = async (order: Order, despite?: 'partly-refunded') => {
  const answer = await shop.request(`/order/accept/${order._id}`, {
    method: 'PUT',
    token: admin.token,
    body: { status: 'paid', ...(despite && { despite }) },
  });
  return answer.status === 200 ? 200 : readCode(answer);
};
const succeeded = (amount: number) => ({ amount, state: 'succeeded' });
const expectConsistency = async () => {
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 0, provider: 0 });
};

describe('a refund of one of several orders', () => {
  test('pays its share, and the others are accepted', async () => {
    const { id, orders, first, second, third } = await threeTogether();
    expect((await refundOrder(shop, admin, second)).body.refund).toEqual(succeeded(100));
    expect(await readMoney(orders)).toEqual([
      { is: 'pending' },
      { is: 'refunded', refund: succeeded(100) },
      { is: 'pending' },
    ]);
    expect(await readStocks(orders)).toEqual([950, 1000, 950]);
    expect(await listAmounts(id)).toEqual([10_000]);
    expect([await tryToAccept(first), await tryToAccept(third)]).toEqual([200, 200]);
    expect(readCode(await refundOrder(shop, admin, second))).toBe('already-refunded');
    await nextRound();
    await expectConsistency();
  });

  test('pays each share once for simultaneous requests', async () => {
    const { id, orders } = await threeTogether();
    const answers = await Promise.all([...orders, ...orders].map((order) => refundOrder(shop, admin, order)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409]);
    expect(await listAmounts(id)).toEqual([10_000, 15_000, 5000]);
    await expectConsistency();
  });

  test('is completed by the shop after failing and a partial external refund', async () => {
    const { id, orders, second } = await threeTogether();
    await controlSandbox(shop, { newRefunds: 'failed' });
    await refundOrder(shop, admin, second);
    await nextRound();
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    await refundAtProvider(shop, id, 3000);
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect((await shop.services.payments.findPayment(id))?.refundedCents).toBe(10_000);
    expect(await readMoney(orders)).toEqual([
      { is: 'pending' },
      { is: 'refunded', refund: succeeded(100) },
      { is: 'pending' },
    ]);
    await expectConsistency();
  });

  test('is reserved once for an accepted order, even after it failed', async () => {
    const { id, first } = await threeTogether();
    await acceptPayment(shop, admin, first);
    await controlSandbox(shop, { newRefunds: 'failed' });
    await refundOrder(shop, admin, first, { returnStock: false });
    await nextRound();
    expect(await readMoney([first])).toEqual([{ is: 'paid', refund: { amount: 50, state: 'failed' } }]);
    const again = await refundOrder(shop, admin, first, { returnStock: false });
    expect([again.status, readCode(again)]).toEqual([409, 'already-refunded']);
    expect(await findPaymentRefunds(shop.services.database.db, id)).toHaveLength(1);
  });

  test('is covered by an external refund at no cost to others', async () => {
    const { id, orders, first, second, third } = await threeTogether();
    await refundOrder(shop, admin, third);
    await controlSandbox(shop, { newRefunds: 'failed' });
    await refundOrder(shop, admin, second);
    await nextRound();
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    await refundAtProvider(shop, id, 10_000);
    for (let round = 0; round < 4; round += 1) await nextRound();
    expect((await shop.services.payments.findPayment(id))?.refundedCents).toBe(25_000);
    expect(await readMoney(orders)).toEqual([
      { is: 'pending' },
      { is: 'refunded', refund: succeeded(100) },
      { is: 'refunded', refund: succeeded(150) },
    ]);
    expect(await readStocks([first])).toEqual([950]);
    // The trail ends once, however often the job looks.
    const events = (await readTrail(shop, admin, second._id)).map(({ event, after }) => [
      event,
      after?.refundState,
    ]);
    expect(events.slice(0, 3)).toEqual([
      ['refund-changed', 'succeeded'],
      ['refund-changed', 'failed'],
      ['refunded', 'pending'],
    ]);
    await expectConsistency();
    expect(await tryToAccept(first)).toBe(200);
  });
});

test('an external refund of an unusable share is not repeated', async () => {
  const { customer, orders, id } = await paidUnnoticedTogether(shop, 3);
  const [first, second, third] = orders as [Order, Order, Order];
  await markClosed(shop.services.database.db, second._id, 'cancel', clock.now());
  await refundAtProvider(shop, id, 10_000);
  expect((await recordPayment(shop, customer, first, id)).status).toBe(200);
  await nextRound();
  expect(await listAmounts(id)).toEqual([10_000]);
  expect(await readMoney([first, third])).toEqual([{ is: 'pending' }, { is: 'pending' }]);
  await expectConsistency();
});

describe('an external refund of a shared payment', () => {
  test('is unassigned and blocks acceptance until the administrator confirms', async () => {
    const { id, customer, orders, first, second } = await threeTogether();
    await refundAtProvider(shop, id, 7000);
    await nextRound();
    const unassigned = { ...succeeded(70), unassigned: 70 };
    expect(await readMoney(orders)).toEqual([
      { is: 'pending', refund: unassigned },
      { is: 'pending', refund: unassigned },
      { is: 'pending', refund: unassigned },
    ]);
    expect(await readStocks(orders)).toEqual([950, 950, 950]);
    expect([await tryToAccept(first), await tryToAccept(second)]).toEqual([
      'partly-refunded',
      'partly-refunded',
    ]);
    expect(await tryToAccept(first, 'partly-refunded')).toBe(200);
    // The customer's trail does not show it.
    expect((await readTrail(shop, customer, second._id)).map(({ event }) => event)).toEqual([
      'paid',
      'ordered',
    ]);
    const [entry] = await readTrail(shop, admin, second._id);
    expect(entry).toMatchObject({
      event: 'refund-changed',
      after: { unassigned: 70, refundState: 'succeeded' },
    });
    await expectConsistency();
  });

  test("adds up with the shop's refunds to the received amount", async () => {
    const { id, orders, first, second, third } = await threeTogether();
    await refundAtProvider(shop, id, 7000);
    await nextRound();
    expect((await refundOrder(shop, admin, third)).body.refund.amount).toBe(150);
    expect((await refundOrder(shop, admin, second)).body.refund.amount).toBe(80);
    expect(await listAmounts(id)).toEqual([15_000, 7000, 8000]);
    // Nothing of the payment is left, so the last order is closed as refunded, too.
    expect(await readMoney(orders)).toEqual(
      [50, 100, 150].map((amount) => ({ is: 'refunded', refund: succeeded(amount) })),
    );
    expect(await readStocks(orders)).toEqual([1000, 1000, 1000]);
    expect(readCode(await refundOrder(shop, admin, first))).toBe('already-refunded');
    await expectConsistency();
  });
});

describe('a dispute', () => {
  test('concerns all of the orders until the shop wins it', async () => {
    const { id, orders, first } = await threeTogether();
    await controlSandbox(shop, { dispute: { intent: id, status: 'needs_response' } });
    await nextRound();
    expect(await readMoney(orders)).toEqual(orders.map(() => ({ is: 'pending', disputed: true })));
    expect(await tryToAccept(first)).toBe('disputed');
    expect(readCode(await refundOrder(shop, admin, first))).toBe('disputed');
    await controlSandbox(shop, { dispute: { intent: id, status: 'won' } });
    await nextRound();
    expect(await readMoney(orders)).toEqual(orders.map(() => ({ is: 'pending' })));
    expect(await tryToAccept(first)).toBe(200);
  });
});

describe('a payment of many orders', () => {
  const readFigures = async () => (await shop.request('/overview', { token: admin.token })).body;
  const sumCreditNotes = async (orders: readonly Order[]) => {
    const { db } = shop.services.database;
    const notes = await Promise.all(orders.map(({ _id }) => findNotes(db, _id)));
    return sumCredited(notes.flat());
  };
  const sumRevenue = (revenue: { amount: number }[]) => revenue.reduce((sum, { amount }) => sum + amount, 0);

  test('is refunded to the cent beside an external refund', async () => {
    const before = await readFigures();
    const { id, orders } = await pendingTogether(shop, atFullSize(100, 30));
    const paid = sumTotals(orders);
    await refundAtProvider(shop, id, 1000);
    await nextRound();
    for (const order of orders) expect((await refundOrder(shop, admin, order)).status).toBe(200);
    await nextRound();

    expect((await shop.services.payments.findPayment(id))?.refundedCents).toBe(paid * 100);
    expect(await readMoney(orders)).toEqual(
      orders.map(({ totalPrice }) => ({ is: 'refunded', refund: succeeded(totalPrice) })),
    );
    const [order] = orders as [Order];
    const { body: payment } = await shop.request(`/order/${order._id}/payment`, { token: admin.token });
    expect(payment).toMatchObject({ amount: paid, received: paid, refunded: paid });
    const after = await readFigures();
    expect(after.amounts.refunded - before.amounts.refunded).toBe(paid);
    expect(sumRevenue(after.revenue)).toBe(sumRevenue(before.revenue));
    expect(await sumCreditNotes(orders)).toBe(paid * 100);
    await expectConsistency();
  });

  // With their retries more than the provider lists in one page.
  test('keeps each share after sixty failed refunds', async () => {
    const { id, orders } = await pendingTogether(shop, 60);
    const paid = sumTotals(orders);
    await controlSandbox(shop, { newRefunds: 'failed' });
    for (const order of orders) expect((await refundOrder(shop, admin, order)).status).toBe(200);
    await nextRound();
    expect((await readMoney(orders)).every(({ refund }) => refund?.state === 'failed')).toBe(true);
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    for (let round = 0; round < 4; round += 1) await nextRound();

    expect((await shop.services.payments.findPayment(id))?.refundedCents).toBe(paid * 100);
    expect(await readMoney(orders)).toEqual(
      orders.map(({ totalPrice }) => ({ is: 'refunded', refund: succeeded(totalPrice) })),
    );
    await expectConsistency();
  });
});

test('the payment of one order shows its share and all orders', async () => {
  const { id, orders, second } = await threeTogether();
  await refundOrder(shop, admin, orders[0] as Order);
  const { body } = await shop.request(`/order/${second._id}/payment`, { token: admin.token });
  expect(body).toMatchObject({ transactionId: id, amount: 300, received: 300, refunded: 50, share: 100 });
  expect(body.orders.toSorted()).toEqual(orders.map(({ _id }) => _id).toSorted());
  expect(await readOrder(shop, admin, second)).toMatchObject({ totalPrice: 100, transactionId: id });
});
