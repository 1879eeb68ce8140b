import type { Overview } from '@parts-forge/contract/orders/overview';
import { beforeEach, expect, test } from 'vitest';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, controlSandbox } from '#test/paying.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';

let nowMs: number;
const clock: Clock = { now: () => new Date(nowMs) };
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

let shop: TestShop;
let admin: Person;
beforeEach(async () => {
  nowMs = Date.parse('2026-11-18T09:00:00Z');
  shop = await startForTest({ clock });
  admin = await signedInAs(shop, 'admin');
});

const read = async (): Promise<Overview> => (await admin.get('/overview')).body;
const refund = (order: { _id: string }) => admin.post(`/order/${order._id}/refund`, { returnStock: false });

/** Total of 57 pieces at $19.99. */
const TOTAL = 1139.43;

test('a shop without orders has twelve weeks without revenue', async () => {
  const { revenue, ...rest } = await read();
  expect(revenue).toHaveLength(12);
  expect([revenue[0], revenue.at(-1)]).toEqual([
    { week: '2026-W36', amount: 0 },
    { week: '2026-W47', amount: 0 },
  ]);
  const none = { due: 0, pending: 0, paid: 0, refunded: 0 };
  expect(rest).toEqual({
    orders: none,
    amounts: none,
    waiting: { count: 0 },
    lowStock: [],
    unpaidHeld: { pieces: 0, amount: 0 },
    returned: [],
  });
});

test('orders are counted and summed by status, and refunds by amount', async () => {
  const { order: due } = await aDueOrder(shop);
  const { order: cancelled, customer } = await aDueOrder(shop);
  await customer.cancels(cancelled);
  const { order: pending } = await aPendingOrder(shop);
  await aPaidOrder(shop, admin);
  const { order: refunded } = await aPendingOrder(shop);
  await refund(refunded);
  const { order: shipped } = await aPaidOrder(shop, admin);
  await refund(shipped);

  const overview = await read();
  expect(overview.orders).toEqual({ due: 1, pending: 1, paid: 2, refunded: 2 });
  expect(overview.amounts).toEqual({ due: TOTAL, pending: TOTAL, paid: 2 * TOTAL, refunded: 2 * TOTAL });
  expect(overview.waiting).toEqual({ count: 1, oldest: pending.createdAt });
  expect(overview.unpaidHeld).toEqual({ pieces: due.quantity, amount: TOTAL });
  expect(overview.revenue.at(-1)).toEqual({ week: '2026-W47', amount: 2 * TOTAL });

  const { id: questioned } = await aPendingOrder(shop);
  await controlSandbox(shop, { dispute: { intent: questioned, status: 'needs_response' } });
  await admin.accepts(pending);
  await fetchEvents(shop.services);
  // It is paid but cannot be accepted.
  expect(await read()).toMatchObject({ orders: { pending: 1, paid: 3 }, waiting: { count: 0 } });
  expect((await read()).waiting).not.toHaveProperty('oldest');
  await controlSandbox(shop, { dispute: { intent: questioned, status: 'lost' } });
  await fetchEvents(shop.services);
  expect(await read()).toMatchObject({ orders: { pending: 0, paid: 3 }, waiting: { count: 0 } });
});

test('revenue belongs to the week of its payment or refund', async () => {
  const { order } = await aPaidOrder(shop, admin);
  await aPaidOrder(shop, admin);
  // Sunday's last and Monday's first second are in different weeks.
  nowMs = Date.parse('2026-11-22T23:59:59Z');
  await aPendingOrder(shop);
  nowMs += 1000;
  admin = await signedInAs(shop, 'admin');
  await refund(order);
  expect((await read()).revenue.slice(-2)).toEqual([
    { week: '2026-W47', amount: 3 * TOTAL },
    { week: '2026-W48', amount: -TOTAL },
  ]);
  nowMs += 12 * WEEK_MS;
  admin = await signedInAs(shop, 'admin');
  const later = await read();
  expect(later.revenue.map(({ amount }) => amount)).toEqual(Array(12).fill(0));
  expect(later.orders).toMatchObject({ pending: 1, paid: 2, refunded: 1 });
});

test('weeks follow the configured time zone', async () => {
  const zoned = await startForTest({ clock, env: { SHOP_TIME_ZONE: 'America/Los_Angeles' } });
  const owner = await signedInAs(zoned, 'admin');
  // Sunday evening and Monday in Los Angeles are one Monday in UTC.
  nowMs = Date.parse('2026-11-23T07:59:00Z');
  await aPendingOrder(zoned);
  nowMs = Date.parse('2026-11-23T08:00:00Z');
  await aPendingOrder(zoned);
  await aPendingOrder(zoned);
  const readWeeks = async () => {
    const { token } = await signedInAs(zoned, 'admin');
    const { body } = await zoned.request('/overview', { token });
    return (body as Overview).revenue;
  };
  const weeks = [
    { week: '2026-W47', amount: TOTAL },
    { week: '2026-W48', amount: 2 * TOTAL },
  ];
  expect((await readWeeks()).slice(-2)).toEqual(weeks);
  expect((await owner.get('/config')).body.timeZone).toBe('America/Los_Angeles');
});

test('low stock lists parts below 200 minimum orders, the scarcest first', async () => {
  const scarce = await aProduct(shop, { quantity: 40, minimumOrder: 50 });
  const low = await aProduct(shop, { quantity: 9_999, minimumOrder: 50 });
  await aProduct(shop, { quantity: 10_000, minimumOrder: 50 });
  const customer = await signedInAs(shop, 'user');
  await customer.orders(low, 50);
  const { lowStock } = await read();
  expect(lowStock.map(({ _id, quantity }) => [_id, quantity])).toEqual([
    [scarce._id, 40],
    [low._id, 9_949],
  ]);
});
