import type { Order } from '@parts-forge/contract/orders/orders';
import type { Product } from '@parts-forge/contract/products/products';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { reconcile } from '#src/payments/events/reconcile.ts';
import { createOrderPayments } from '#src/payments/order-payments.ts';
import { aProduct, type Person, readProduct, signedInAgain, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { readStock } from '#test/paid-orders.ts';
import { confirmCard, controlSandbox, expectRefusal, readCode } from '#test/paying.ts';
import { createPayment, loseEvents } from '#test/payment-provider.ts';
import { personAt } from '#test/person.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { expireOrders } from './expire-orders.ts';
import { holdUnpaidOrders } from './move-order.ts';
import { orders } from './schema.ts';

const clock = createMovableClock();
/** Six minutes: shorter than a token's lifetime. */
const PAYMENT_HOURS = '0.1';
const heldMs = 360_000;

const shop = useShop({ clock, env: { PAYMENT_HOURS } });
beforeEach(async () => {
  await loseEvents(shop);
});

const expire = (at: TestShop = shop) => expireOrders(at.services, createOrderPayments(at.services));
const pass = (ms: number) => {
  clock.aheadMs += ms;
};

async function aDueOrder(at: TestShop = shop) {
  const customer = await signedInAs(at, 'user');
  const product = await aProduct(at, { quantity: 1000 });
  return { customer, product, order: await customer.orders(product, 50) };
}

describe('an unpaid order', () => {
  test('is held until PAYMENT_HOURS after its placing', async () => {
    const { order } = await aDueOrder();
    expect(Date.parse(order.heldUntil ?? '')).toBe(Date.parse(order.createdAt) + heldMs);
  });

  test('expires exactly then and returns its pieces once', async () => {
    const due = await aDueOrder();
    pass(heldMs - 10_000);
    await expire();
    expect(await due.customer.reads(due.order)).toMatchObject({ status: 'due' });
    pass(11_000);
    const rounds = await Promise.all([expire(), expire(), expire()]);
    expect(rounds.reduce((sum, { expired }) => sum + expired, 0)).toBeGreaterThanOrEqual(1);
    expect(await due.customer.reads(due.order)).toBeNull();
    const closed = await due.customer.readsClosed(due.order);
    expect(closed).toMatchObject({ status: 'due', closed: 'expired' });
    expect(closed).not.toHaveProperty('heldUntil');
    expect(await readStock(shop, due)).toBe(1000);
    expect(await expire()).toMatchObject({ expired: 0 });
    expect(await readStock(shop, due)).toBe(1000);
  });

  test('cannot be paid past its expiry, even before the job runs', async () => {
    const { customer, order } = await aDueOrder();
    pass(heldMs + 1000);
    expectRefusal(await (await signedInAgain(shop, customer)).asksToPay(order), 409, 'expired');
    await expire();
    expectRefusal(await (await signedInAgain(shop, customer)).asksToPay(order), 409, 'expired');
    expect((await (await signedInAs(shop, 'user')).asksToPay(order)).status).toBe(404);
    expect((await (await signedInAgain(shop, customer)).cancels(order)).status).toBe(404);
  });

  test('has its open payment cancelled for good on expiry', async () => {
    const due = await aDueOrder();
    const { clientSecret, id } = await due.customer.opensPayment(due.order);
    pass(heldMs + 1000);
    await expire();
    expect(await shop.services.payments.findPayment(id)).toMatchObject({ status: 'canceled' });
    expect((await confirmCard(shop, clientSecret)).body.error).toBeDefined();
    expect(await readStock(shop, due)).toBe(1000);
  });

  test('never expires during its payment', async () => {
    const processing = await aDueOrder();
    const opened = await processing.customer.opensPayment(processing.order);
    await controlSandbox(shop, { processing: true });
    await confirmCard(shop, opened.clientSecret);
    const succeeded = await aDueOrder();
    const paid = await succeeded.customer.opensPayment(succeeded.order);
    await controlSandbox(shop, { processing: false });
    await confirmCard(shop, paid.clientSecret);
    pass(heldMs + 1000);
    expect(await expire()).toMatchObject({ paid: 2, failed: 0 });
    const admin = await signedInAs(shop, 'admin');
    expect(await admin.reads(processing.order)).toMatchObject({ status: 'due' });
    expect(await admin.reads(succeeded.order)).toMatchObject({ status: 'pending' });
    expect(await readStock(shop, processing)).toBe(950);
    await controlSandbox(shop, { finish: opened.id });
    pass(61_000);
    await reconcile(shop.services);
    expect(await admin.reads(processing.order)).toMatchObject({ status: 'pending' });
  });

  test('stays while its provider request fails; other orders expire', async () => {
    const [first, second] = [await aDueOrder(), await aDueOrder()];
    await first.customer.opensPayment(first.order);
    pass(heldMs + 1000);
    await controlSandbox(shop, { faults: [{ fault: '429', on: '/v1/payment_intents' }] });
    expect(await expire()).toMatchObject({ failed: 1 });
    shop.expectErrors([expect.objectContaining({ order: first.order._id })]);
    const admin = await signedInAs(shop, 'admin');
    expect(await admin.reads(first.order)).toMatchObject({ status: 'due' });
    expect(await admin.reads(second.order)).toBeNull();
    await expire();
    expect(await admin.reads(first.order)).toBeNull();
  });

  test('is refunded on a payment after its expiry', async () => {
    const { customer, order } = await aDueOrder();
    const late = await createPayment(shop, {
      orderId: order._id,
      amountCents: Math.round(order.totalPrice * 100),
    });
    pass(heldMs + 1000);
    await expire();
    await confirmCard(shop, late.clientSecret);
    expectRefusal(await (await signedInAgain(shop, customer)).records(order, late.id), 409, 'expired');
    expect((await shop.services.payments.findPayment(late.id))?.refundedCents).toBe(late.amountCents);
  });

  test('never expires and shows no heldUntil once paid', async () => {
    const { customer, order } = await aDueOrder();
    await customer.pays(order);
    expect(await customer.reads(order)).not.toHaveProperty('heldUntil');
    pass(heldMs * 2);
    await expire();
    expect(await (await signedInAs(shop, 'admin')).reads(order)).toMatchObject({
      status: 'pending',
    });
  });

  test('has one winner among concurrent expiry, payment and cancellation', async () => {
    for (let round = 0; round < 8; round += 1) {
      const due = await aDueOrder();
      const { clientSecret, id } = await due.customer.opensPayment(due.order);
      pass(heldMs + 1000);
      const again = await signedInAgain(shop, due.customer);
      await Promise.all([
        expire(),
        confirmCard(shop, clientSecret),
        ...(round % 2 === 0 ? [again.cancels(due.order)] : []),
        again.records(due.order, id),
      ]);
      pass(61_000);
      await reconcile(shop.services);
      const payment = await shop.services.payments.findPayment(id);
      const seen = await (await signedInAs(shop, 'admin')).reads(due.order);
      const isPaid = payment?.status === 'succeeded' && payment.refundedCents === 0;
      expect([isPaid, seen?.status, await readStock(shop, due)]).toEqual(
        isPaid ? [true, 'pending', 950] : [false, undefined, 1000],
      );
    }
  });
});

describe('PAYMENT_HOURS=0', () => {
  test('lifts the expiry of new and existing orders', async () => {
    const due = await aDueOrder();
    const forEver = await startForTest({ shareDatabaseWith: shop, clock, env: { PAYMENT_HOURS: '0' } });
    const other = await aDueOrder(forEver);
    expect(other.order).not.toHaveProperty('heldUntil');
    pass(heldMs * 100);
    expect(await expire(forEver)).toEqual({ expired: 0, paid: 0, failed: 0 });
    const admin = await signedInAs(shop, 'admin');
    const seen: Order[] = [];
    for (const { order } of [due, other]) seen.push((await personAt(forEver, admin).reads(order)) as Order);
    expect(seen.map(({ status, heldUntil }) => [status, heldUntil])).toEqual([
      ['due', undefined],
      ['due', undefined],
    ]);
    // The expiry starts again from now.
    await expire();
    expect((await admin.reads(other.order))?.heldUntil).toBeDefined();
    pass(heldMs + 1000);
    await expire();
    expect(await (await signedInAs(shop, 'admin')).reads(other.order)).toBeNull();
  });
});

describe('the limit of unpaid orders', () => {
  const limited = useShop(() => ({
    shareDatabaseWith: shop,
    clock,
    env: { RATE_LIMITS: 'on', UNPAID_ORDERS: '3' },
  }));
  const place = (customer: Person, product: Product, quantity = 50) => customer.places(product, quantity);

  test('holds for concurrent orders, with instructions in its refusal', async () => {
    const customer = await signedInAs(limited, 'user');
    const product = await aProduct(limited, { quantity: 10_000 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => place(customer, product)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map((answer) => `${answer.status} ${readCode(answer)}`))).toEqual(
      new Set(['409 too-many-unpaid']),
    );
    expect(refused[0]?.body.detail).toBe(
      'You have 3 unpaid orders, as many as one account may have. Pay or cancel one of them first.',
    );
    expect((await readProduct(limited, product._id)).quantity).toBe(10_000 - 150);
    expect((await place(customer, product, 49)).status).toBe(422);
    expect((await place(await signedInAs(limited, 'user'), product)).status).toBe(200);
  });

  test('hides no other refusal below the limit', async () => {
    const product = await aProduct(limited, { quantity: 100 });
    expect(readCode(await place(await signedInAs(limited, 'user'), product, 101))).toBe('above-stock');
  });

  test.each(['paid', 'cancelled', 'expired'])('has room again after one order is %s', async (how) => {
    const customer = await signedInAs(limited, 'user');
    const product = await aProduct(limited, { quantity: 10_000 });
    const order = await customer.orders(product);
    await place(customer, product);
    await place(customer, product);
    expect(readCode(await place(customer, product))).toBe('too-many-unpaid');
    if (how === 'paid') await customer.pays(order);
    if (how === 'cancelled') await customer.cancels(order);
    if (how === 'expired') {
      const { db } = limited.services.database;
      await db.update(orders).set({ heldUntil: new Date(0) });
      await expire(limited);
    }
    expect((await place(customer, product)).status).toBe(200);
  });

  test('is lifted by RATE_LIMITS=off', async () => {
    const customer = await signedInAs(shop, 'user');
    const product = await aProduct(shop, { quantity: 10_000 });
    for (let index = 0; index < 60; index += 1) await customer.orders(product);
    expect((await readProduct(shop, product._id)).quantity).toBe(10_000 - 3000);
  });

  test('holdUnpaidOrders covers more orders than one statement changes', async () => {
    const { db } = shop.services.database;
    const { order } = await aDueOrder();
    await db.execute(sql`
      insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone, quantity,
        total_cents, status, created_at, updated_at)
      select gen_random_uuid(), user_id, product_id, product_name, image, price_cents, name, email, address, phone, quantity,
        total_cents, status, created_at, updated_at
      from orders, generate_series(1, 4500) where id = ${order._id}`);
    const countHeld = () =>
      db.$count(orders, and(isNotNull(orders.heldUntil), eq(orders.status, 'due'), isNull(orders.closedAt)));
    await holdUnpaidOrders(db, clock.now());
    expect(await countHeld()).toBeGreaterThan(4500);
    await holdUnpaidOrders(db, null);
    expect(await countHeld()).toBe(0);
  });
});
