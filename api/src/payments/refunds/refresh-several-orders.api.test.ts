import type { Order } from '@parts-forge/contract/orders/orders';
import { inArray, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { findNotes, sumCredited } from '#src/invoices/store.ts';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { markClosed } from '#src/orders/move-order.ts';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from '#src/payments/provider/provider.ts';
import { findShare, writeShare } from '#src/payments/store.ts';
import { trail } from '#src/trail/schema.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import { testStories } from '#test/money-stories.ts';
import { confirmCard } from '#test/paying.ts';
import { anOpenPaymentTogether, paidUnnoticedTogether, pendingTogether } from '#test/paying-several.ts';
import { readPayment, useShopWithoutEvents, withProvider } from '#test/payment-provider.ts';
import { applyClaims, refreshMoney } from './refresh-money.ts';
import type { Claims } from './refund-rules.ts';
import { insertRefund } from './refund-store.ts';

const { clock, shop } = useShopWithoutEvents();

const now = () => shop.services.clock.now();

const claim = async (id: string, claims: Partial<Claims>) =>
  applyClaims(shop.services, await readPayment(shop, id), { refunds: [], disputes: [], ...claims });
/** Counts the requests to the provider that one refresh sends. */
async function ask(payment: ProviderPayment) {
  const listRefunds = vi.fn(async (): Promise<ProviderRefund[]> => []);
  const listDisputes = vi.fn(async (): Promise<ProviderDispute[]> => []);
  await withProvider(shop, { listRefunds, listDisputes }, () => refreshMoney(shop.services, payment));
  return { refunds: listRefunds.mock.calls.length, disputes: listDisputes.mock.calls.length };
}

/** Two orders of $50 and $100, paid together. */
async function twoTogether() {
  const { orders, id } = await pendingTogether(shop, 2);
  const [first, second] = orders as [Order, Order];
  return { id, orders, first, second };
}
/** Reserves a refund of the order. */
async function reserveRefund(paymentId: string, order: Order): Promise<ProviderRefund> {
  const own = { id: shop.services.ids.next(), paymentId, orderId: order._id };
  await insertRefund(shop.db, { ...own, amountCents: order.totalPrice * 100 }, now());
  return {
    id: `re_${own.id}`,
    amountCents: order.totalPrice * 100,
    state: 'succeeded',
    refundId: own.id,
  };
}
const atProvider = (amountCents: number): ProviderRefund => ({
  id: `re_${shop.services.ids.next()}`,
  amountCents,
  state: 'succeeded',
  refundId: null,
});
const readCredits = async ({ _id }: Order) =>
  (await findNotes(shop.db, _id)).map(({ totalCents }) => totalCents);

const stories = `
# a refund of one of several orders changes that order alone and credits it
2 together
refund A back | 50 succeeded | order A refunded, 50 succeeded | order B pending | notes A 50×50
    | notes B none

# a refund of one of several orders still allows a later external refund to be recorded
2 together
refund A back | 50 succeeded
the provider refunds $7
the shop looks | order A refunded, 57 succeeded, 7 unassigned
    | trail A refunded 50×50 to 50 pending, refund-changed to 50 succeeded, refund-changed to 50 7 unassigned succeeded

# a pending external refund leaves the note of another one
2 together
the provider refunds $7
the shop looks
refunds will be pending
the provider refunds $143
the shop looks | notes A 7 | notes B none
the pending refund of $143 becomes succeeded
the shop looks | notes A 7, 43×50 | notes B 100×50

# a pending external refund keeps no note of a failed refund
2 together
refund A $10 | 10 succeeded | notes A 10
refunds will be pending
the succeeded refund of $10 becomes failed
the provider refunds $17
the shop looks | notes A 10, -10
`;

testStories(shop, clock, stories);

describe('a dispute lost in part', () => {
  const dispute = { id: 'dp_part', amountCents: 2000, state: 'lost' } as const;
  const readLost = async (orders: readonly Order[]) => {
    const ids = orders.map(({ _id }) => _id);
    const mails = await shop.db.select().from(mailOutbox).where(inArray(mailOutbox.orderId, ids));
    return mails.filter(({ kind }) => kind === 'dispute-lost').map(({ amountCents }) => amountCents);
  };

  test('is mailed once though a refund moves it to another order', async () => {
    const { id, orders, first } = await twoTogether();
    await claim(id, { disputes: [dispute] });
    expect(await readLost(orders)).toEqual([2000]);
    const own = await reserveRefund(id, first);
    await claim(id, { refunds: [own], disputes: [dispute] });
    expect(await readLost(orders)).toEqual([2000]);
  });

  test('is not mailed again after an upgrade from 1.0.0', async () => {
    const { id, orders, first } = await twoTogether();
    await claim(id, { disputes: [dispute] });
    // Release 1.0.0 did not count lost money apart.
    await shop.db.execute(sql`update orders set lost_cents = 0 where transaction_id = ${id}`);
    await shop.db.delete(mailOutbox);
    await claim(id, { disputes: [dispute] });
    expect((await findOrderEvenClosed(shop.db, first._id))?.lostCents).toBe(2000);
    expect(await readLost(orders)).toEqual([]);
  });
});

describe('a refund of one of several orders', () => {
  test('makes the shop list refunds and disputes of the payment', async () => {
    const { id, first } = await twoTogether();
    await claim(id, { refunds: [await reserveRefund(id, first)] });
    expect(await ask(await readPayment(shop, id))).toEqual({ refunds: 1, disputes: 1 });
  });
});

test('an external refund has its note while the shop refunds the rest', async () => {
  const { id, first } = await twoTogether();
  const own = await reserveRefund(id, first);
  const external = atProvider(700);
  const rest = { ...own, amountCents: 4300 };
  await claim(id, { refunds: [external, { ...rest, state: 'pending' }] });
  expect(await readCredits(first)).toEqual([700]);
  await claim(id, { refunds: [external, rest] });
  expect(await readCredits(first)).toEqual([700, 4300]);
});

test('a dispute of one order is refreshed after refunds of the others', async () => {
  const { customer, orders, id } = await paidUnnoticedTogether(shop, 2);
  const [first, second] = orders as [Order, Order];
  await markClosed(shop.db, second._id, 'cancel', now());
  await customer.records(first, id);
  await claim(id, { disputes: [{ id: 'dp_1', amountCents: 100, state: 'open' }] });
  expect((await ask({ ...(await readPayment(shop, id)), disputed: false })).disputes).toBe(1);
});

test('each refundable share follows the state of its own refund', async () => {
  const { orders, id } = await paidUnnoticedTogether(shop, 2);
  const [first, second] = orders as [Order, Order];
  for (const { _id } of orders) {
    const share = await findShare(shop.db, id, _id);
    if (share) await writeShare(shop.db, { ...share, state: 'refund_due' }, now());
  }
  const given = await reserveRefund(id, first);
  const onItsWay = { ...(await reserveRefund(id, second)), state: 'pending' as const };
  await claim(id, { refunds: [given, onItsWay] });
  expect(await findShare(shop.db, id, first._id)).toMatchObject({ state: 'refunded' });
  expect(await findShare(shop.db, id, second._id)).toMatchObject({ state: 'refund_due' });
});

test('parts are locked in the order of their ids', async () => {
  const customer = await signedInAs(shop, 'user');
  const parts = [];
  for (let count = 0; count < 3; count += 1) parts.push(await aProduct(shop, { price: 1 }));
  const orders: Order[] = [];
  for (const index of [1, 2, 0]) {
    const part = parts[index];
    if (part) orders.push(await customer.orders(part, 50));
  }
  const { clientSecret, id } = await anOpenPaymentTogether(customer, orders);
  await confirmCard(shop, clientSecret);
  await customer.records(orders[0] as Order, id);
  await claim(id, { refunds: [atProvider(15_000)] });
  // Each return holds its part's lock and writes to the trail in turn.
  const returned = await shop.db
    .select({ productId: trail.productId })
    .from(trail)
    .where(
      inArray(
        trail.productId,
        parts.map(({ _id }) => _id),
      ),
    )
    .orderBy(trail.id);
  expect(returned.slice(-3).map(({ productId }) => productId)).toEqual(parts.map(({ _id }) => _id));
});

test('unassigned money moves to the note of another order', async () => {
  const { id, orders, first } = await twoTogether();
  const external = atProvider(14_000);
  await claim(id, { refunds: [external] });
  const row = { id: shop.services.ids.next(), paymentId: id, orderId: first._id, amountCents: 1000 };
  await insertRefund(shop.db, { ...row, elsewhereCents: 14_000 }, now());
  const failed = { id: 're_3', amountCents: 1000, state: 'failed', refundId: row.id } as const;
  await claim(id, { refunds: [external, failed] });
  const notes = await Promise.all(orders.map(({ _id }) => findNotes(shop.db, _id)));
  expect(notes.map(sumCredited)).toEqual([4000, 10_000]);
});
