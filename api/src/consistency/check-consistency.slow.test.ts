import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { orders } from '#src/orders/schema.ts';
import { ProviderError } from '#src/payments/provider/provider.ts';
import { payments } from '#src/payments/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { products } from '#src/products/schema.ts';
import { signedInAs } from '#test/builders.ts';
import { aDueOrder, refundAtProvider } from '#test/paying.ts';
import { loseEvents } from '#test/payment-provider.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';
import { checkConsistency } from './check-consistency.ts';
import { readCheckResults } from './store.ts';

let shop: TestShop;
beforeEach(async () => {
  shop = await startForTest();
  // A late event would repair the broken data.
  await loseEvents(shop);
});

/** A customer's paid order. */
async function aPaidOrder() {
  const due = await aDueOrder(shop);
  const id = await due.customer.pays(due.order);
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
  shop.db.transaction(async (tx) => {
    await tx.execute(sql.raw(`alter table ${table} disable trigger user`));
    await work(tx);
    await tx.execute(sql.raw(`alter table ${table} enable trigger user`));
  });

const AGREE = { stock: 0, payments: 0, provider: 0 };

test('a shop with paid, cancelled and refunded orders is consistent', async () => {
  const paid = await aPaidOrder();
  const admin = await signedInAs(shop, 'admin');
  const refunded = await paid.customer.orders(paid.product);
  await paid.customer.pays(refunded);
  expect((await admin.refunds(refunded)).status).toBe(200);
  const cancelled = await paid.customer.orders(paid.product);
  await paid.customer.opensPayment(cancelled);
  await paid.customer.cancels(cancelled);
  await paid.customer.orders(paid.product);

  expect(await checkConsistency(shop.services)).toEqual(AGREE);
  expect(shop.errors).toEqual([]);
});

test('a stock that differs from its ledger is reported until repaired', async () => {
  const { product } = await aDueOrder(shop);
  const shift = (pieces: number) =>
    shop.db
      .update(products)
      .set({ quantity: sql`${products.quantity} + ${pieces}` })
      .where(eq(products.id, product._id));
  await shift(-3);
  expect(await checkConsistency(shop.services)).toEqual({ ...AGREE, stock: 1 });
  shop.expectErrors([
    expect.objectContaining({
      msg: 'the consistency check found differences',
      check: 'stock',
      examples: [{ productId: product._id, stock: 1000 - 57 - 3, ledger: 1000 - 57 }],
    }),
  ]);
  await shift(3);
  expect(await checkConsistency(shop.services)).toEqual(AGREE);
});

test('a paid order without its payment is reported', async () => {
  const { order, id } = await aPaidOrder();
  await tamper.order(order._id, { transactionId: 'pi_of_nobody' });
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 1 });
  expect(shop.errors).toContainEqual(
    expect.objectContaining({
      msg: 'the consistency check found differences',
      check: 'payments',
      differences: 1,
      examples: [{ order: order._id, payment: id, reason: 'the order and its applied payment differ' }],
    }),
  );
  shop.expectErrors(2);
});

test('an applied payment of an unpaid order or wrong total is reported', async () => {
  const unpaid = await aPaidOrder();
  await tamper.order(unpaid.order._id, { status: 'due', transactionId: null });
  const cheap = await aPaidOrder();
  await tamper.payment(cheap.id, { amountCents: 1 });
  const without = await aPaidOrder();
  await tamper.payment(without.id, { state: 'missing' });
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 3 });
  expect((await readCheckResults(shop.db)).payments).toMatchObject({ differences: 3 });
  shop.expectErrors([{ check: 'payments', differences: 3 }, { check: 'provider' }]);
});

test('an order unpaid at the provider is reported until repaired', async () => {
  const { order, id, customer } = await aDueOrder(shop).then(async (due) => ({
    ...due,
    id: (await due.customer.opensPayment(due.order)).id,
  }));
  await tamper.payment(id, { state: 'applied' });
  await tamper.order(order._id, { status: 'pending', transactionId: id });
  const paid = { order: order._id, number: order.number, what: 'received', is: 113943, wanted: 0 };
  expect(await checkConsistency(shop.services)).toEqual({ ...AGREE, provider: 3 });
  // Neither a paper nor the provider knows of it.
  shop.expectErrors([
    expect.objectContaining({
      check: 'provider',
      examples: [
        { ...paid, source: 'orders' },
        expect.objectContaining({ source: 'orders', what: 'pieces' }),
        { ...paid, source: 'payments' },
      ],
    }),
  ]);
  await tamper.payment(id, { state: 'open' });
  await tamper.order(order._id, { status: 'due', transactionId: null });
  expect(await checkConsistency(shop.services)).toEqual(AGREE);
  expect((await customer.cancels(order)).status).toBe(200);
});

test('a recent external refund is recorded and is no difference', async () => {
  const { order, id, customer } = await aPaidOrder();
  await refundAtProvider(shop, id, 500);
  expect(await checkConsistency(shop.services)).toEqual(AGREE);
  const { body } = await customer.get(`/order/${order._id}`);
  expect(body.refund).toEqual({ amount: 5, state: 'succeeded', settled: 5 });
});

test('a round keeps its last result while the provider is unreachable', async () => {
  await aPaidOrder();
  const { payments: provider } = shop.services;
  const listPayments = async () => {
    throw new ProviderError('unreachable', 'nobody there');
  };
  const cut = { ...shop.services, payments: { ...provider, listPayments } };
  expect(await checkConsistency(cut)).toEqual({ stock: 0, payments: 0 });
  shop.expectErrors([expect.objectContaining({ check: 'provider', msg: 'the consistency check failed' })]);
  expect((await readCheckResults(shop.db)).provider).toBeUndefined();
  expect(await checkConsistency(shop.services)).toEqual(AGREE);
});
