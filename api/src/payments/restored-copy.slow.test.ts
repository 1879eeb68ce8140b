import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { markClosed } from '#src/orders/move-order.ts';
import { markRestored, takeOver } from '#src/platform/database/instance.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import {
  aDueOrder,
  anOpenPayment,
  confirmCard,
  controlSandbox,
  expectRefusal,
  paymentRows,
  readSandbox,
} from '#test/paying.ts';
import { personAt } from '#test/person.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { fetchEvents } from './events/fetch-events.ts';
import { reconcile } from './events/reconcile.ts';
import { countStrayPayments } from './store.ts';

// Each test starts in the original shop. Payments made after `restore` are newer than the backup, or belong
// to the original, which keeps running.
const clock = createMovableClock();
const copiedAt = new Date('2026-01-02T03:04:05Z');

let shop: TestShop;
let admin: Person;

const original = useShop({ clock });
beforeEach(async () => {
  shop = await startAgain();
  admin = await signedInAs(shop, 'admin');
  await controlSandbox(original, { webhooks: 'drop', faults: [], processing: false });
});

const startAgain = () => startForTest({ clock, shareDatabaseWith: original });
/** A person at the present copy. */
const at = (person: Person) => personAt(shop, person);
/** Makes `shop` a restored copy of the shop before. */
async function restore(): Promise<void> {
  await shop.db.transaction((tx) => markRestored(tx, copiedAt));
  shop = await startAgain();
}
async function takeOverAndStartAgain(): Promise<void> {
  expect(await takeOver(shop.db, new Date())).toBe(true);
  shop = await startAgain();
}
/** Runs several rounds of all jobs. */
async function runJobs() {
  for (let round = 0; round < 3; round += 1) {
    clock.aheadMs += 61_000;
    await fetchEvents(shop.services);
    await reconcile(shop.services);
  }
}
const refundsAtProvider = async (id: string): Promise<unknown[]> =>
  (await readSandbox(original)).refunds.filter(
    (refund: { payment_intent: string }) => refund.payment_intent === id,
  );
/** A payment of the shop that no backup knows. */
async function payUnknown(paidBy: TestShop, orderId: string): Promise<string> {
  const made = await paidBy.services.payments.createPayment({
    orders: [{ id: orderId, attempt: 90 }],
    shop: paidBy.services.instanceId,
    amountCents: 113943,
    currency: 'usd',
    description: 'newer than the backup',
  });
  await confirmCard(original, made.clientSecret);
  return made.id;
}
/** An order closed during its payment, which the backup knows. */
async function aPaymentForAClosedOrder() {
  const due = await aDueOrder(shop);
  const { id, clientSecret } = await due.customer.opensPayment(due.order);
  await confirmCard(original, clientSecret);
  await markClosed(shop.db, due.order._id, 'cancel', clock.now());
  return { ...due, id };
}

describe('a restored copy', () => {
  test('has a new id and remembers the former ones', async () => {
    const first = shop.services.instanceId;
    const former = shop.services.formerInstanceIds;
    await restore();
    expect(shop.services.instanceId).not.toBe(first);
    expect(shop.services).toMatchObject({ formerInstanceIds: [...former, first], copiedAt });
    const second = shop.services.instanceId;
    await takeOverAndStartAgain();
    expect(shop.services).toMatchObject({ instanceId: second, copiedAt: null });
    expect(await takeOver(shop.db, new Date())).toBe(false);
  });

  test('follows the payments of known orders', async () => {
    const { customer, order, id, clientSecret } = await anOpenPayment(shop);
    await restore();
    await confirmCard(original, clientSecret);
    expect((await at(customer).records(order, id)).status).toBe(200);
    expect(await at(customer).reads(order)).toMatchObject({ status: 'pending', transactionId: id });
  });

  test('finds payments made since the backup', async () => {
    const source = shop;
    const { customer, order } = await aDueOrder(shop);
    await restore();
    const id = await payUnknown(source, order._id);
    await runJobs();
    expect(await at(customer).reads(order)).toMatchObject({ status: 'pending', transactionId: id });
  });

  test('refunds nothing by itself before the takeover', async () => {
    const { order, id } = await aPaymentForAClosedOrder();
    await restore();
    await runJobs();
    expect(await refundsAtProvider(id)).toEqual([]);
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refund_due']);

    await takeOverAndStartAgain();
    await runJobs();
    expect(await refundsAtProvider(id)).toMatchObject([{ status: 'succeeded', amount: 113943 }]);
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['refunded']);
  });

  test('refunds nothing that the original has refunded since', async () => {
    const source = shop;
    const { order, id } = await aPaymentForAClosedOrder();
    await restore();
    await runJobs();
    const [row] = await paymentRows(shop, order);
    expect(row?.state).toBe('refund_due');
    // The original does not know of the copy and keeps working.
    const refund = { paymentId: id, amountCents: 113943, refundId: randomUUID() };
    await source.services.payments.createRefund({ ...refund, shop: source.services.instanceId, attempt: 1 });
    await takeOverAndStartAgain();
    await runJobs();
    expect(await refundsAtProvider(id)).toHaveLength(1);
  });

  test("refuses an administrator's refund and changes nothing", async () => {
    const { customer, order } = await aDueOrder(shop);
    const id = await at(customer).pays(order);
    await restore();
    const refused = await at(admin).refunds(order);
    expectRefusal(refused, 422, 'payment-refused');
    expect(refused.body.detail).toContain('--take-over');
    expect(await at(admin).reads(order)).toMatchObject({ status: 'pending' });
    expect(await refundsAtProvider(id)).toEqual([]);

    await takeOverAndStartAgain();
    expect((await at(admin).refunds(order)).status).toBe(200);
    expect(await refundsAtProvider(id)).toHaveLength(1);
  });

  test('refunds its own payments', async () => {
    await restore();
    const { customer, order } = await aDueOrder(shop);
    const id = await at(customer).pays(order);
    expect((await at(admin).refunds(order)).status).toBe(200);
    expect(await refundsAtProvider(id)).toHaveLength(1);
  });
});

describe('a payment newer than the backup', () => {
  const countStrays = () => countStrayPayments(shop.db);

  test('is reported and not refunded when its order is unknown', async () => {
    const source = shop;
    await restore();
    const before = await countStrays();
    const id = await payUnknown(source, randomUUID());
    await runJobs();
    expect(await countStrays()).toBe(before + 1);
    shop.expectErrors([expect.objectContaining({ payment: id, receivedCents: 113943 })]);
    await takeOverAndStartAgain();
    await runJobs();
    expect(await countStrays()).toBe(before + 1);
    expect(await refundsAtProvider(id)).toEqual([]);
  });

  test('is reported and not refunded when its order cannot take it', async () => {
    const source = shop;
    const { customer, order } = await aDueOrder(shop);
    await at(customer).cancels(order);
    await restore();
    const before = await countStrays();
    const id = await payUnknown(source, order._id);
    await runJobs();
    expect(await countStrays()).toBe(before + 1);
    shop.expectErrors([{ payment: id }]);
    expectRefusal(await at(customer).records(order, id), 404, 'not-found');
    await takeOverAndStartAgain();
    await runJobs();
    expect(await countStrays()).toBe(before + 1);
    expect(await refundsAtProvider(id)).toEqual([]);
  });

  test('is ignored when it belongs to an unrelated shop', async () => {
    await restore();
    const before = await countStrays();
    const made = await original.services.payments.createPayment({
      orders: [{ id: randomUUID(), attempt: 1 }],
      shop: randomUUID(),
      amountCents: 113943,
      currency: 'usd',
      description: "another shop's",
    });
    await confirmCard(original, made.clientSecret);
    await runJobs();
    expect(await countStrays()).toBe(before);
    expect(await refundsAtProvider(made.id)).toEqual([]);
  });
});
