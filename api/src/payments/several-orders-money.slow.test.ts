import type { Order } from '@parts-forge/contract/orders/orders';
import { describe, expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes, sumCredited } from '#src/invoices/store.ts';
import { markClosed } from '#src/orders/move-order.ts';
import { atFullSize } from '#test/full-size.ts';
import { testStories } from '#test/money-stories.ts';
import { controlSandbox, refundAtProvider } from '#test/paying.ts';
import { paidUnnoticedTogether, pendingTogether, sumTotals } from '#test/paying-several.ts';
import { listRefunds, reconcileLater, useShopWithoutEvents } from '#test/payment-provider.ts';

const { clock, shop, admin } = useShopWithoutEvents();

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
      const { refund, closed, status, disputed } = await admin.readsClosed(order);
      // Pieces, failures and notes have their own tests.
      const { quantity: _, failed: __, settled: ___, ...money } = refund ?? { amount: 0, state: null };
      return { is: closed ?? status, ...(refund && { refund: money }), ...(disputed && { disputed }) };
    }),
  );
const listAmounts = async (id: string) =>
  (await listRefunds(shop, id)).map(({ amount }) => amount).toSorted();
const succeeded = (amount: number) => ({ amount, state: 'succeeded' });
const expectConsistency = async () => {
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 0, provider: 0 });
};

const stories = `
# the refund of one of several orders pays its share, and the others are accepted
3 together
refund B back | 100 succeeded | order A pending | order B refunded, 100 succeeded | order C pending
    | stock A 950 | stock B 1000 | provider 100
accept A | done
accept C | done
refund B back | already-refunded

# the refund of one is completed by the shop after failing and a partial external refund
3 together
refunds will be failed
refund B back | 100 pending
the job looks
refunds will be succeeded
the provider refunds $30
the job looks 4 times | provider 30, 70, 100 failed | order A pending | order B refunded, 100 succeeded
    | order C pending

# the refund of one is reserved once for an accepted order, even after it failed
2 together
accept A | done
refunds will be failed
refund A | 50 pending
the job looks | order A paid, 50 failed
refund A | already-refunded | provider 50 failed

# the refund of one is covered by an external refund at no cost to others
3 together
refund C back | 150 succeeded
refunds will be failed
refund B back | 100 pending
the job looks
refunds will be succeeded
the provider refunds $100
the job looks 4 times | provider 100 failed, 100, 150 | order A pending | order B refunded, 100 succeeded
    | order C refunded, 150 succeeded | stock A 950
    | trail B refunded 100×50 to 100 pending, refund-changed to 100 failed, refund-changed to 100 succeeded
accept A | done

# an external refund is unassigned and blocks acceptance until the administrator confirms
3 together
the provider refunds $70
the job looks | order A pending, 70 succeeded, 70 unassigned | order B pending, 70 succeeded, 70 unassigned
    | order C pending, 70 succeeded, 70 unassigned | stock A 950 | stock B 950 | stock C 950
    | trail B refund-changed to 0 70 unassigned succeeded | shown B none
accept A | partly-refunded
accept B | partly-refunded
accept A despite | done

# an external refund adds up with the shop's refunds to the received amount
3 together
the provider refunds $70
the job looks
refund C back | 150 succeeded
refund B back | 80 succeeded | provider 70, 80, 150 | order A refunded, 50 succeeded
    | order B refunded, 100 succeeded | order C refunded, 150 succeeded | stock A 1000 | stock B 1000
    | stock C 1000
refund A back | already-refunded

# a dispute concerns all of the orders until the shop wins it
3 together
the dispute is needs_response
the job looks | order A pending, disputed | order B pending, disputed | order C pending, disputed
accept A | disputed
refund A back | disputed
the dispute is won
the job looks | order A pending | order B pending | order C pending
accept A | done
`;

testStories(shop, clock, stories);

test('an external refund of an unusable share is not repeated', async () => {
  const { customer, orders, id } = await paidUnnoticedTogether(shop, 3);
  const [first, second, third] = orders as [Order, Order, Order];
  await markClosed(shop.db, second._id, 'cancel', clock.now());
  await refundAtProvider(shop, id, 10_000);
  expect((await customer.records(first, id)).status).toBe(200);
  await nextRound();
  expect(await listAmounts(id)).toEqual([10_000]);
  expect(await readMoney([first, third])).toEqual([{ is: 'pending' }, { is: 'pending' }]);
  await expectConsistency();
});

describe('a payment of many orders', () => {
  const readFigures = async () => (await admin.get('/overview')).body;
  const sumCreditNotes = async (orders: readonly Order[]) => {
    const notes = await Promise.all(orders.map(({ _id }) => findNotes(shop.db, _id)));
    return sumCredited(notes.flat());
  };
  const sumRevenue = (revenue: { amount: number }[]) => revenue.reduce((sum, { amount }) => sum + amount, 0);

  test('is refunded to the cent beside an external refund', async () => {
    const before = await readFigures();
    const { id, orders } = await pendingTogether(shop, atFullSize(100, 15));
    const paid = sumTotals(orders);
    await refundAtProvider(shop, id, 1000);
    await nextRound();
    for (const order of orders) expect((await admin.refunds(order)).status).toBe(200);
    await nextRound();

    expect((await shop.services.payments.findPayment(id))?.refundedCents).toBe(paid * 100);
    expect(await readMoney(orders)).toEqual(
      orders.map(({ totalPrice }) => ({ is: 'refunded', refund: succeeded(totalPrice) })),
    );
    const [order] = orders as [Order];
    const { body: payment } = await admin.get(`/order/${order._id}/payment`);
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
    for (const order of orders) expect((await admin.refunds(order)).status).toBe(200);
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
  await admin.refunds(orders[0] as Order);
  const { body } = await admin.get(`/order/${second._id}/payment`);
  expect(body).toMatchObject({ transactionId: id, amount: 300, received: 300, refunded: 50, share: 100 });
  expect(body.orders.toSorted()).toEqual(orders.map(({ _id }) => _id).toSorted());
  expect(await admin.reads(second)).toMatchObject({ totalPrice: 100, transactionId: id });
});
