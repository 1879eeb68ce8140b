import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { trail } from '#src/trail/schema.ts';
import { aDueOrder } from '#test/paying.ts';
import { useShop } from '#test/use-shop.ts';
import { closeUnpaidOrder } from './close-unpaid-order.ts';
import type { OrderRow } from './store.ts';

const shop = useShop();

const check = (order: OrderRow | null): OrderRow => {
  if (!order) throw new Error('The order is gone.');
  return order;
};

test('closing gives up after five open payments and keeps the order', async () => {
  const { customer, order } = await aDueOrder(shop);
  const closeOpen = vi.fn(async () => {});
  const closed = closeUnpaidOrder(shop.services, { hasOpen: async () => true, closeOpen }, order._id, {
    by: null,
    move: 'cancel',
    check,
  });
  await expect(closed).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfterSeconds: 2 } });
  expect(closeOpen).toHaveBeenCalledTimes(5);
  expect(await customer.reads(order)).toMatchObject({ status: 'due' });
});

test('the trail records the closing and the returned pieces', async () => {
  const { customer, order } = await aDueOrder(shop);
  await customer.delete(`/order/${order._id}`);
  const entries = await shop.services.database.db.select().from(trail).where(eq(trail.orderId, order._id));
  expect(entries.find(({ event }) => event === 'cancelled')).toMatchObject({
    before: { status: 'due' },
    after: { closed: 'cancelled' },
    stockChange: 57,
  });
});

test('the product list shows the returned pieces at once', async () => {
  const { customer, order, product } = await aDueOrder(shop);
  const path = `/product?q=${encodeURIComponent(product.name)}`;
  const readListed = async () => (await shop.request(path)).body[0]?.quantity;
  expect(await readListed()).toBe(943);
  const cancelled = await customer.delete(`/order/${order._id}`);
  expect(cancelled.status).toBe(200);
  expect(await readListed()).toBe(1000);
});
