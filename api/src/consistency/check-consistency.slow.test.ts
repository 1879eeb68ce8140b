import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { orders } from '#src/orders/schema.ts';
import { ProviderError } from '#src/payments/provider/provider.ts';
import { payments } from '#src/payments/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { products } from '#src/products/schema.ts';
import { anOrder, signedInAs } from '#test/builders.ts';
import { aDueOrder, anOpenPayment, cancelOrder, pay, refundAtProvider, refundOrder } from '#test/paying.ts';
import { loseEvents } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { checkConsistency } from './check-consistency.ts';
import { readCheckResults } from './store.ts';

let shop: TestShop;
beforeEach(async () => {
  shop = await startShop();
  // A late event would repair the broken data.
  await loseEvents(shop);
});
afterEach(() => shop.close());

/** A customer's paid order. */
async function aPaidOrder() {
  const due = await aDueOrder(shop);
  const id = await pay(shop, due.customer, due.order);
  return { ...due, id };
}

/** Writes broken data to the database. */
const tamper = {
  order: (id: string, change: Partial<typeof orders.$inferInsert>) =>
    pastTriggers('orders', (tx) => tx.update(orders).set(change).where(eq(orders.id, id))),
  payment: (id: string, change: Partial<typeof payments.$inferInsert>) =>
    pastTriggers('payments', (tx) => tx.update(payments).set(change).where(eq(payments.id, id))),
};
/** Disables the triggers, as an owner of the database could. */
const pastTriggers = (table: 'orders' | 'payments', work: (tx: Executor) => Promise<unknown>) =>
  shop.services.database.db.transaction(async (tx) => {
    await tx.execute(sql.raw(`alter table ${table} disable trigger user`));
    await work(tx);
    await tx.execute(sql.raw(`alter table ${table} enable trigger user`));
  });

/** The services, and the ids of the payments read from the provider. */
function listeningServices() {
  const asked: string[] = [];
  const provider = shop.services.payments;
  const findPayment = (id: string) => {
    asked.push(id);
    return provider.findPayment(id);
  };
  return { asked, services: { ...shop.services, payments: { ...provider, findPayment } } };
}

const AGREE = { stock: 0, payments: 0, provider: 0 };

test('a shop with paid, cancelled and refunded orders is consistent', async () => {
  const paid = await aPaidOrder();
  const admin = await signedInAs(shop, 'admin');
  const refunded = await anOrder(shop, paid.customer, paid.product);
  await pay(shop, paid.customer, refunded);
  expect((await refundOrder(shop, admin, refunded)).status).toBe(200);
  const cancelled = await anOrder(shop, paid.customer, paid.product);
  await anOpenPayment(shop, paid.customer, cancelled);
  await cancelOrder(shop, paid.customer, cancelled);
  await anOrder(shop, paid.customer, paid.product);

  expect(await checkConsistency(shop.services)).toEqual(AGREE);
  expect(shop.errors).toEqual([]);
});

test('a stock that differs from its ledger is reported until repaired', async () => {
  const { product } = await aDueOrder(shop);
  const { db } = shop.services.database;
  const shift = (pieces: number) =>
    db
      .update(products)
      .set({ quantity: sql`${products.quantity} + ${pieces}` })
      .where(eq(products.id, product._id));
  await shift(-3);
  expect(await checkConsistency(shop.services)).toEqual({ ...AGREE, stock: 1 });
  expect(shop.errors).toEqual([
    expect.objectContaining({
      msg: 'the consistency check found differences',
      check: 'stock',
      examples: [{ productId: product._id, stock: 1000 - 57 - 3, ledger: 1000 - 57 }],
    }),
  ]);
  shop.errors.length = 0;
  await shift(3);
  expect(await checkConsistency(shop.services)).toEqual(AGREE);
});

test('a paid order without its payment is reported', async () => {
  const { order, id } = await aPaidOrder();
  await tamper.order(order._id, { transactionId: 'pi_of_nobody' });
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 1 });
  expect(shop.errors).toEqual([
    expect.objectContaining({
      msg: 'the consistency check found differences',
      check: 'payments',
      differences: 1,
      examples: [{ order: order._id, payment: id, reason: 'the order and its applied payment differ' }],
    }),
  ]);
  shop.errors.length = 0;
});

test('an applied payment of an unpaid order or wrong total is reported', async () => {
  const unpaid = await aPaidOrder();
  await tamper.order(unpaid.order._id, { status: 'due', transactionId: null });
  const cheap = await aPaidOrder();
  await tamper.payment(cheap.id, { amountCents: 1 });
  const without = await aPaidOrder();
  await tamper.payment(without.id, { state: 'missing' });
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 3 });
  expect((await readCheckResults(shop.services.database.db)).payments).toMatchObject({ differences: 3 });
  shop.errors.length = 0;
});

test('an order unpaid at the provider is reported until repaired', async () => {
  const { order, id, customer } = await aDueOrder(shop).then(async (due) => ({
    ...due,
    id: (await anOpenPayment(shop, due.customer, due.order)).id,
  }));
  await tamper.payment(id, { state: 'applied' });
  await tamper.order(order._id, { status: 'pending', transactionId: id });
  const difference = {
    order: order._id,
    payment: id,
    reason: 'paid here, requires_payment_method at the provider',
  };
  // The second round checks the suspects, although nothing has changed and the sample moved on.
  for (const _ of [1, 2]) {
    expect(await checkConsistency(shop.services)).toEqual({ ...AGREE, provider: 1 });
    expect(shop.errors).toEqual([
      expect.objectContaining({ check: 'provider', differences: 1, examples: [difference] }),
    ]);
    shop.errors.length = 0;
  }
  await tamper.payment(id, { state: 'open' });
  await tamper.order(order._id, { status: 'due', transactionId: null });
  expect(await checkConsistency(shop.services)).toEqual(AGREE);
  expect((await cancelOrder(shop, customer, order)).status).toBe(200);
});

test('a recent external refund is recorded and is no difference', async () => {
  const { order, id, customer } = await aPaidOrder();
  await refundAtProvider(shop, id, 500);
  expect(await checkConsistency(shop.services)).toEqual(AGREE);
  const { body } = await shop.request(`/order/${order._id}`, { token: customer.token });
  expect(body.refund).toEqual({ amount: 5, state: 'succeeded' });
});

test('a round keeps result and position while the provider is unreachable', async () => {
  const { id } = await aPaidOrder();
  const { asked, services } = listeningServices();
  const { findPayment } = services.payments;
  const cut = {
    ...services,
    payments: {
      ...services.payments,
      findPayment: async () => {
        throw new ProviderError('unreachable', 'nobody there');
      },
    },
  };
  expect(await checkConsistency(cut)).toEqual({ stock: 0, payments: 0 });
  expect(shop.errors).toEqual([
    expect.objectContaining({ check: 'provider', msg: 'the consistency check failed' }),
  ]);
  shop.errors.length = 0;
  expect((await readCheckResults(shop.services.database.db)).provider).toBeUndefined();
  expect(await checkConsistency({ ...services, payments: { ...services.payments, findPayment } })).toEqual(
    AGREE,
  );
  expect(asked).toEqual([id]);
});

test('a round compares changed and differing payments and a rotating sample', async () => {
  const { id } = await aPaidOrder();
  const ids = await insertOldPayments(id, 120);
  const inTurn = [id, ...ids].toSorted();
  const wrong = 'pi_old_000';
  const changed = 'pi_old_060';
  const asked: string[] = [];
  let paidAtProvider = [id, wrong];
  const provider = shop.services.payments;
  const findPayment = async (each: string) => {
    asked.push(each);
    const known = await provider.findPayment(id);
    const status = paidAtProvider.includes(each) ? 'succeeded' : 'canceled';
    return known && { ...known, id: each, status: status as 'succeeded' | 'canceled' };
  };
  const services = { ...shop.services, payments: { ...provider, findPayment } };
  const nextRound = async () => {
    asked.length = 0;
    const { provider: differences } = await checkConsistency(services);
    shop.errors.length = 0;
    return { differences, asked: [...new Set(asked)].toSorted() };
  };

  expect(await nextRound()).toEqual({ differences: 1, asked: inTurn.slice(0, 50) });
  expect(await nextRound()).toEqual({ differences: 1, asked: [wrong, ...inTurn.slice(50, 100)].toSorted() });
  paidAtProvider = [id];
  await tamper.payment(changed, { updatedAt: new Date() });
  const third = [wrong, changed, ...inTurn.slice(100)].toSorted();
  expect(await nextRound()).toEqual({ differences: 0, asked: third });
  // The sample starts over; the changed payment is read once more, as a change can become visible late.
  const fourth = [changed, ...inTurn.slice(0, 50)].toSorted();
  expect(await nextRound()).toEqual({ differences: 0, asked: fourth });
});

/** Canceled payments from last year, whose order another unchanged payment paid. */
async function insertOldPayments(id: string, count: number): Promise<string[]> {
  const { db } = shop.services.database;
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  if (!row) throw new Error('The payment is not there.');
  const old = new Date(Date.now() - 365 * 24 * 3_600_000);
  await tamper.order(row.orderId, { updatedAt: old });
  const ids = Array.from({ length: count }, (_, index) => `pi_old_${String(index).padStart(3, '0')}`);
  const dates = { createdAt: old, updatedAt: old };
  await db
    .insert(payments)
    .values(ids.map((each) => ({ ...row, ...dates, id: each, state: 'canceled' as const })));
  return ids;
}
