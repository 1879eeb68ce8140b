import { beforeAll, expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes } from '#src/invoices/store.ts';
import { findRefunds } from '#src/payments/refunds/refund-store.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPaidOrder, aPendingOrder, readStock } from '#test/paid-orders.ts';
import { aDueOrder, controlSandbox, readCode } from '#test/paying.ts';
import { reconcileLater } from '#test/payment-provider.ts';
import { personAt } from '#test/person.ts';
import { startStripeEmulator } from '#test/stripe-emulator.ts';
import { prepared, usePerson, useShop } from '#test/use-shop.ts';

/** A shop that ran with the card sandbox and got Stripe's keys later, on the same database. */

const clock = createMovableClock();
const stripe = prepared(startStripeEmulator, (started) => started.close());
const tried = useShop({ clock });
const shop = useShop(() => ({
  clock,
  shareDatabaseWith: tried,
  env: {
    STRIPE_SECRET_KEY: 'sk_test_emulated',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_emulated',
    STRIPE_WEBHOOK_SECRET: 'whsec_emulated',
    STRIPE_API_URL: stripe.url,
  },
}));
const admin = usePerson(shop, 'admin');
beforeAll(() => controlSandbox(tried, { webhooks: 'drop' }));

/** With a customer at the shop after the change. */
async function anOrderTriedBefore(create: typeof aDueOrder = aDueOrder) {
  const { customer, product, order } = await create(tried);
  return { customer: personAt(shop, customer), product, order };
}

test('an order opened in the sandbox is paid at Stripe or cancelled', async () => {
  const [paid, cancelled] = [await anOrderTriedBefore(), await anOrderTriedBefore()];
  const before = await personAt(tried, paid.customer).opensPayment(paid.order);
  await personAt(tried, cancelled.customer).opensPayment(cancelled.order);

  const { status, body } = await paid.customer.asksToPay(paid.order);
  expect(status).toBe(200);
  const [id] = body.clientSecret.split('_secret_');
  expect(id).not.toBe(before.id);
  await stripe.confirm(id);
  expect((await paid.customer.records(paid.order, id)).status).toBe(200);
  expect((await admin.accepts(paid.order)).status).toBe(200);

  expect((await cancelled.customer.cancels(cancelled.order)).status).toBe(200);
  expect(await readStock(shop, cancelled)).toBe(1000);
});

test('an order paid in the sandbox is closed by its refund', async () => {
  const pending = await anOrderTriedBefore(aPendingOrder);
  const refused = await admin.accepts(pending.order);
  expect(readCode(refused)).toBe('unknown-payment');
  expect(refused.body.detail).toBe(
    'This order was paid in the card sandbox, which moved no money: refund it to close it.',
  );
  expect(await pending.customer.reads(pending.order)).toMatchObject({ status: 'pending' });

  const { status, body } = await admin.refunds(pending.order);
  expect([status, body.refund]).toEqual([200, { amount: 1139.43, state: 'succeeded' }]);
  expect(await pending.customer.readsClosed(pending.order)).toMatchObject({
    closed: 'refunded',
    refund: { amount: 1139.43, state: 'succeeded' },
  });
  expect(await readStock(shop, pending)).toBe(1000);
  expect(await findRefunds(shop.db, pending.order._id)).toMatchObject([
    { state: 'succeeded', note: 'paid in the card sandbox, which moved no money' },
  ]);
  // A credit note cancels its invoice like any other.
  expect(await findNotes(shop.db, pending.order._id)).toMatchObject([{ totalCents: 113943 }]);
});

test("jobs and consistency checks accept the sandbox's payments", async () => {
  await aPendingOrder(tried);
  await aPaidOrder(tried, personAt(tried, admin));
  const begun = await anOrderTriedBefore(aPendingOrder);
  // Reserved in the sandbox and unfinished at the switch.
  await controlSandbox(tried, { newRefunds: 'pending' });
  expect((await personAt(tried, admin).refunds(begun.order)).body.refund.state).toBe('pending');

  expect((await reconcileLater(shop, clock)).failed).toBe(0);
  expect(await begun.customer.readsClosed(begun.order)).toMatchObject({
    refund: { state: 'succeeded' },
  });
  expect(await checkConsistency(shop.services)).toMatchObject({ provider: 0 });
});
