import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes } from '#src/invoices/store.ts';
import { findRefunds } from '#src/payments/refunds/refund-store.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPaidOrder, aPendingOrder, readStock } from '#test/paid-orders.ts';
import {
  acceptPayment,
  aDueOrder,
  anOpenPayment,
  cancelOrder,
  controlSandbox,
  openPayment,
  readClosedOrder,
  readCode,
  readOrder,
  recordPayment,
  refundOrder,
} from '#test/paying.ts';
import { reconcileLater } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { type StripeEmulator, startStripeEmulator } from '#test/stripe-emulator.ts';

/** A shop that ran with the card sandbox and got Stripe's keys later, on the same database. */

const clock = createMovableClock();
let stripe: StripeEmulator;
let tried: TestShop;
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  stripe = await startStripeEmulator();
  tried = await startShop({ clock });
  await controlSandbox(tried, { webhooks: 'drop' });
  shop = await startShop({
    clock,
    shareDatabaseWith: tried,
    env: {
      STRIPE_SECRET_KEY: 'sk_test_emulated',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_emulated',
      STRIPE_WEBHOOK_SECRET: 'whsec_emulated',
      STRIPE_API_URL: stripe.url,
    },
  });
  admin = await signedInAs(tried, 'admin');
});
afterAll(async () => {
  await shop.close();
  await tried.close();
  await stripe.close();
});

test('an order opened in the sandbox is paid at Stripe or cancelled', async () => {
  const [paid, cancelled] = [await aDueOrder(tried), await aDueOrder(tried)];
  const before = await anOpenPayment(tried, paid.customer, paid.order);
  await anOpenPayment(tried, cancelled.customer, cancelled.order);

  const { status, body } = await openPayment(shop, paid.customer, paid.order);
  expect(status).toBe(200);
  const [id] = body.clientSecret.split('_secret_');
  expect(id).not.toBe(before.id);
  await stripe.confirm(id);
  expect((await recordPayment(shop, paid.customer, paid.order, id)).status).toBe(200);
  expect((await acceptPayment(shop, admin, paid.order)).status).toBe(200);

  expect((await cancelOrder(shop, cancelled.customer, cancelled.order)).status).toBe(200);
  expect(await readStock(shop, cancelled)).toBe(1000);
});

test('an order paid in the sandbox is closed by its refund', async () => {
  const pending = await aPendingOrder(tried);
  const refused = await acceptPayment(shop, admin, pending.order);
  expect(readCode(refused)).toBe('unknown-payment');
  expect(refused.body.detail).toBe(
    'This order was paid in the card sandbox, which moved no money: refund it to close it.',
  );
  expect(await readOrder(shop, pending.customer, pending.order)).toMatchObject({ status: 'pending' });

  const { status, body } = await refundOrder(shop, admin, pending.order);
  expect([status, body.refund]).toEqual([200, { amount: 1139.43, state: 'succeeded' }]);
  expect(await readClosedOrder(shop, pending.customer, pending.order)).toMatchObject({
    closed: 'refunded',
    refund: { amount: 1139.43, state: 'succeeded' },
  });
  expect(await readStock(shop, pending)).toBe(1000);
  const { db } = shop.services.database;
  expect(await findRefunds(db, pending.order._id)).toMatchObject([
    { state: 'succeeded', note: 'paid in the card sandbox, which moved no money' },
  ]);
  // A credit note cancels its invoice like any other.
  expect(await findNotes(db, pending.order._id)).toMatchObject([{ totalCents: 113943 }]);
});

test("jobs and consistency checks accept the sandbox's payments", async () => {
  await aPendingOrder(tried);
  await aPaidOrder(tried, admin);
  const begun = await aPendingOrder(tried);
  // Reserved in the sandbox and unfinished at the switch.
  await controlSandbox(tried, { newRefunds: 'pending' });
  expect((await admin.refunds(begun.order)).body.refund.state).toBe('pending');

  expect((await reconcileLater(shop, clock)).failed).toBe(0);
  expect(await readClosedOrder(shop, begun.customer, begun.order)).toMatchObject({
    refund: { state: 'succeeded' },
  });
  expect(await checkConsistency(shop.services)).toMatchObject({ provider: 0 });
  expect(shop.errors).toEqual([]);
});
