import type { Order } from '@parts-forge/contract/orders/orders';
import { eq, inArray, sql } from 'drizzle-orm';
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
import { aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, confirmCard } from '#test/paying.ts';
import { anOpenPaymentTogether, paidUnnoticedTogether, pendingTogether } from '#test/paying-several.ts';
import { createPayment, readPayment, useShopWithoutEvents, withProvider } from '#test/payment-provider.ts';
import { applyClaims, refreshMoney } from './refresh-money.ts';
import type { Claims } from './refund-rules.ts';
import { findRefunds, insertRefund } from './refund-store.ts';

const lines: string[] = [];

const { clock, shop, admin } = useShopWithoutEvents({ onLine: (line) => void lines.push(line) });

const cents = 113943;

const claim = async (id: string, claims: Partial<Claims>) =>
  applyClaims(shop.services, await readPayment(shop, id), { refunds: [], disputes: [], ...claims });

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

/** Counts the requests to the provider that one refresh sends. */
async function ask(payment: ProviderPayment, options?: { asksForDisputes: boolean }) {
  const listRefunds = vi.fn(async (): Promise<ProviderRefund[]> => []);
  const listDisputes = vi.fn(async (): Promise<ProviderDispute[]> => []);
  await withProvider(shop, { listRefunds, listDisputes }, () =>
    refreshMoney(shop.services, payment, options),
  );
  return { refunds: listRefunds.mock.calls.length, disputes: listDisputes.mock.calls.length };
}

const readMoney = async ({ _id }: Order) => {
  const row = await findOrderEvenClosed(shop.db, _id);
  return row && [row.refundCents, row.refundState, row.disputed, row.closed];
};

/** The trail's events about an order's money, oldest first. */
const readEvents = async ({ _id }: Order) => {
  const rows = await shop.db
    .select()
    .from(trail)
    .where(eq(trail.orderId, _id))
    .orderBy(trail.createdAt, trail.id);
  return rows.map(({ event }) => event).filter((event) => /refund|disput/.test(event));
};

const stories = `
# the provider's claims update the order's money upwards and downwards
accepted
the provider refunds $1
the shop looks
the shop looks | order paid, 1 succeeded
refunds will be pending
the provider refunds $2
the shop looks | order paid, 3 pending
the pending refund of $2 becomes failed
the shop looks | order paid, 1 succeeded
    | trail refunded to 1 succeeded, refunded to 3 pending, refund-changed to 1 succeeded

# a smaller sum is recorded although the refund's state stays
accepted
the provider refunds $1
the provider refunds $2
the shop looks
the succeeded refund of $2 becomes failed
the shop looks | order paid, 1 succeeded | trail refunded to 3 succeeded, refund-changed to 1 succeeded

# a new refund state is recorded although the sum stays
accepted
refunds will be pending
the provider refunds $1
the shop looks
the pending refund of $1 becomes succeeded
the shop looks | order paid, 1 succeeded | trail refunded to 1 pending, refund-changed to 1 succeeded

# the begin and the end of a dispute are recorded
accepted
the dispute is needs_response
the shop looks | order paid, disputed
the dispute is won
the shop looks | order paid | trail disputed to 0, dispute-ended to 0

# an order without its money closes while pending, and its pieces return once
pending
the provider refunds
the shop looks
the shop looks | order refunded, 1139.43 succeeded | stock 1000 | trail refunded to 1139.43 succeeded

# an order without its money stays open after acceptance, as it was shipped
accepted
the dispute is lost
the shop looks | order paid, 1139.43 succeeded, 1139.43 lost | stock 943

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

describe("the provider's claims", () => {
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

  test('a payment unknown to the shop changes nothing', async () => {
    const { order } = await aDueOrder(shop);
    const { id } = await createPayment(shop, { orderId: order._id });
    await claim(id, { refunds: [aRefund()] });
    expect(await readMoney(order)).toEqual([0, null, false, null]);
  });
});

describe("the shop's own refund", () => {
  async function anOwnRefund() {
    const paid = await aPaidOrder(shop, admin);
    const { ids, clock } = shop.services;
    const own = { id: ids.next(), paymentId: paid.id, orderId: paid.order._id, amountCents: 5000 };
    await insertRefund(shop.db, own, clock.now());
    const read = async () => (await findRefunds(shop.db, paid.order._id))[0];
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
    await writeShare(shop.db, { ...row, state: 'refund_due' }, clock.now());
    const own = { id: ids.next(), paymentId: second.id, orderId: order._id, amountCents: cents };
    await insertRefund(shop.db, own, clock.now());
    const refunds = [aRefund({ amountCents: cents, state, refundId: own.id })];
    await claim(second.id, { refunds });
    expect(await findShare(shop.db, second.id, order._id)).toMatchObject({ state: becomes });
    expect(await readMoney(order)).toEqual([0, null, false, null]);
  });
});

describe('requests to the provider', () => {
  test('are unnecessary for most payments', async () => {
    const { id } = await aPendingOrder(shop);
    expect(await ask(await readPayment(shop, id))).toEqual({ refunds: 0, disputes: 0 });
  });

  test('list the refunds if the charge has any', async () => {
    const { id } = await aPendingOrder(shop);
    expect(await ask({ ...(await readPayment(shop, id)), refundedCents: 1 })).toEqual({
      refunds: 1,
      disputes: 0,
    });
  });

  test('list the refunds if the shop has reserved one', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    const own = { id: shop.services.ids.next(), paymentId: id, orderId: order._id, amountCents: 100 };
    await insertRefund(shop.db, own, shop.services.clock.now());
    expect(await ask(await readPayment(shop, id))).toEqual({ refunds: 1, disputes: 0 });
  });

  test('list refunds and disputes if the order has refunded money', async () => {
    const { id } = await aPaidOrder(shop, admin);
    await claim(id, { refunds: [aRefund()] });
    expect(await ask(await readPayment(shop, id))).toEqual({ refunds: 1, disputes: 1 });
  });

  test('list the disputes if charge, order or event names one', async () => {
    const { id } = await aPaidOrder(shop, admin);
    const payment = await readPayment(shop, id);
    expect(await ask({ ...payment, disputed: true })).toEqual({ refunds: 0, disputes: 1 });
    await claim(id, { disputes: [aDispute('open')] });
    expect(await ask(payment)).toEqual({ refunds: 0, disputes: 1 });
    const another = await aPaidOrder(shop, admin);
    const asked = await ask(await readPayment(shop, another.id), { asksForDisputes: true });
    expect(asked).toEqual({ refunds: 0, disputes: 1 });
  });

  test('are not sent for a payment unknown to the shop', async () => {
    const { order } = await aDueOrder(shop);
    const { id } = await createPayment(shop, { orderId: order._id });
    expect(await ask({ ...(await readPayment(shop, id)), refundedCents: 1 })).toEqual({
      refunds: 0,
      disputes: 0,
    });
  });
});

/** Makes the next commit that changes an order conflict with another transaction, so that it runs again. */
const conflictOnce = () =>
  // A rollback does not reset a sequence.
  shop.pool.query(`
    create sequence conflicts;
    create function raise_conflict() returns trigger language plpgsql as $$
    begin
      if nextval('conflicts') = 1 then raise exception 'in the way' using errcode = '40001'; end if;
      return null;
    end $$;
    create constraint trigger conflict after update on orders deferrable initially deferred
      for each row execute function raise_conflict()`);

test('the refund warning is logged once although its transaction repeats', async () => {
  const { order, id } = await aPaidOrder(shop, admin);
  await conflictOnce();
  const { repeated } = shop.services.database.counts;
  lines.length = 0;
  await claim(id, { refunds: [aRefund()] });
  expect(shop.services.database.counts.repeated).toBe(repeated + 1);
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /refunded or disputed/.test(msg));
  expect(logged).toMatchObject([{ order: order._id, payment: id, refundCents: 100 }]);
});

/** Two orders of $50 and $100, paid together. */
async function twoTogether() {
  const { orders, id } = await pendingTogether(shop, 2);
  const [first, second] = orders as [Order, Order];
  return { id, orders, first, second };
}

/** Reserves a refund of the order. */
async function reserveRefund(paymentId: string, order: Order): Promise<ProviderRefund> {
  const own = { id: shop.services.ids.next(), paymentId, orderId: order._id };
  await insertRefund(shop.db, { ...own, amountCents: order.totalPrice * 100 }, shop.services.clock.now());
  return aRefund({ amountCents: order.totalPrice * 100, refundId: own.id });
}

const readCredits = async ({ _id }: Order) =>
  (await findNotes(shop.db, _id)).map(({ totalCents }) => totalCents);

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
  const external = aRefund({ amountCents: 700 });
  const rest = { ...own, amountCents: 4300 };
  await claim(id, { refunds: [external, { ...rest, state: 'pending' }] });
  expect(await readCredits(first)).toEqual([700]);
  await claim(id, { refunds: [external, rest] });
  expect(await readCredits(first)).toEqual([700, 4300]);
});

test('a dispute of one order is refreshed after refunds of the others', async () => {
  const { customer, orders, id } = await paidUnnoticedTogether(shop, 2);
  const [first, second] = orders as [Order, Order];
  await markClosed(shop.db, second._id, 'cancel', shop.services.clock.now());
  await customer.records(first, id);
  await claim(id, { disputes: [{ id: 'dp_1', amountCents: 100, state: 'open' }] });
  expect((await ask({ ...(await readPayment(shop, id)), disputed: false })).disputes).toBe(1);
});

test('each refundable share follows the state of its own refund', async () => {
  const { orders, id } = await paidUnnoticedTogether(shop, 2);
  const [first, second] = orders as [Order, Order];
  for (const { _id } of orders) {
    const share = await findShare(shop.db, id, _id);
    if (share) await writeShare(shop.db, { ...share, state: 'refund_due' }, shop.services.clock.now());
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
  await claim(id, { refunds: [aRefund({ amountCents: 15_000 })] });
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
  const external = aRefund({ amountCents: 14_000 });
  await claim(id, { refunds: [external] });
  const row = { id: shop.services.ids.next(), paymentId: id, orderId: first._id, amountCents: 1000 };
  await insertRefund(shop.db, { ...row, elsewhereCents: 14_000 }, shop.services.clock.now());
  const failed = { id: 're_3', amountCents: 1000, state: 'failed', refundId: row.id } as const;
  await claim(id, { refunds: [external, failed] });
  const notes = await Promise.all(orders.map(({ _id }) => findNotes(shop.db, _id)));
  expect(notes.map(sumCredited)).toEqual([4000, 10_000]);
});
