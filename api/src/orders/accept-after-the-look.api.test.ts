import { acceptPayment as acceptPaymentCall } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { trail } from '#src/trail/schema.ts';
import { actorOf } from '#test/builders.ts';
import { aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder } from '#test/paying.ts';
import { readTrail } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { acceptPayment } from './accept-payment.ts';
import { markAccepted, markClosed } from './move-order.ts';
import { findOrderEvenClosed } from './store.ts';

// Acceptance reads the order, asks the provider, then writes: anything may happen in between.
const shop = useShop();
const admin = usePerson(shop, 'admin');

const accept = async (id: string, refreshMoney: () => Promise<void>, by = admin) =>
  acceptPayment(shop.services, { refreshMoney }, await actorOf(shop, by, acceptPaymentCall), id, {});

describe('acceptance of an order in the wrong status', () => {
  test.each([
    ['due', () => aDueOrder(shop)],
    ['paid', () => aPaidOrder(shop, admin)],
  ])('a %s order is refused without asking the provider', async (_, anOrder) => {
    const { order } = await anOrder();
    const refreshMoney = vi.fn(async () => {});
    await expect(accept(order._id, refreshMoney)).rejects.toMatchObject({ code: 'not-pending' });
    expect(refreshMoney).not.toHaveBeenCalled();
  });
});

test('an order closed during acceptance is refused with payment-refunded', async () => {
  const { order } = await aPendingOrder(shop);
  const { database, clock } = shop.services;
  const refreshMoney = async () => void (await markClosed(database.db, order._id, 'refund', clock.now()));
  await expect(accept(order._id, refreshMoney)).rejects.toMatchObject({ code: 'payment-refunded' });
});

test('an order accepted concurrently is accepted once', async () => {
  const { customer, order } = await aPendingOrder(shop);
  const { database, clock } = shop.services;
  const { db } = database;
  const others: typeof db = Object.create(db, {
    transaction: {
      value: async (work: Parameters<typeof db.transaction>[0]) => {
        const row = await findOrderEvenClosed(db, order._id);
        if (row) await markAccepted(db, { ...row, transactionId: String(row.transactionId) }, clock.now());
        return db.transaction(work);
      },
    },
  });
  const services = { ...shop.services, database: { ...database, db: others } };
  const actor = await actorOf(shop, admin, acceptPaymentCall);
  const accepted = acceptPayment(services, { refreshMoney: async () => {} }, actor, order._id, {});
  await expect(accepted).rejects.toMatchObject({ code: 'not-pending' });
  const events = (await readTrail(shop, customer, order._id)).map(({ event }) => event);
  expect(events).not.toContain('accepted');
});

test('the trail records an acceptance with the status before and after', async () => {
  const { order, id } = await aPendingOrder(shop);
  await accept(order._id, async () => {});
  const entries = await shop.services.database.db.select().from(trail).where(eq(trail.orderId, order._id));
  expect(entries.find(({ event }) => event === 'accepted')).toMatchObject({
    paymentId: id,
    before: { status: 'pending' },
    after: { status: 'paid' },
  });
});
