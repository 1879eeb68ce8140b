import type { ShopEvent } from '@parts-forge/contract/events/events';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeReminders } from '#src/mail/write-reminders.ts';
import { orders } from '#src/orders/schema.ts';
import type { ProviderRefund } from '#src/payments/provider/provider.ts';
import { applyClaims } from '#src/payments/refunds/refresh-money.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { pendingTogether } from '#test/paying-several.ts';
import { useShop } from '#test/use-shop.ts';
import { forgetEvents, leaveNumbersOut, numberEvents } from './number-events.ts';
import { events } from './schema.ts';

const clock = createMovableClock();
const DAY_MS = 24 * 3_600_000;
let admin: Person;
let customer: Person;

const shop = useShop({ clock });
beforeAll(async () => {
  [admin, customer] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
});

const act = (method: string, path: string, body?: object) =>
  shop.request(path, { method, token: admin.token, ...(body && { body }) });
const read = async (after = 0) => (await act('GET', `/events?after=${after}`)).body;
/** Tokens end meanwhile. */
async function pass(ms: number): Promise<void> {
  clock.aheadMs += ms;
  [admin, customer] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
}
/** Of what happens in `work`. */
async function eventsOf(work: () => Promise<unknown>): Promise<ShopEvent[]> {
  await numberEvents(shop.services);
  const { last } = await read((await lastNumber()) ?? 0);
  await work();
  await numberEvents(shop.services);
  return (await read(last)).data;
}
const lastNumber = async () => {
  const { rows } = await shop.db.execute(sql`select max(number)::int as last from events`);
  return rows[0]?.last as number | null;
};

describe('events', () => {
  test('tell the life of an order once, without its people', async () => {
    const part = await aProduct(shop, { quantity: 5000 });
    const order = await customer.orders(part);
    const found = await eventsOf(async () => {
      await customer.pays(order);
      await admin.accepts(order);
      await act('POST', `/order/${order._id}/shipment`, {
        carrier: 'DHL',
        number: '00340434161094042557',
        sentAt: clock.now().toISOString(),
      });
      await admin.refunds(order, { returnStock: true });
    });
    expect(found.map(({ type, order: about }) => [type, about])).toEqual([
      ['order.paid', order._id],
      ['order.accepted', order._id],
      ['order.shipped', order._id],
      ['order.refunded', order._id],
    ]);
    expect(JSON.stringify(found)).not.toContain(customer.email);
    await numberEvents(shop.services);
    expect((await read(found.at(-1)?.number)).data).toEqual([]);
  });

  test('tell money that the provider gave back and took again', async () => {
    const { id, orders } = await pendingTogether(shop, 2);
    const refund = { id: 're_of_nobody', amountCents: 1000, state: 'succeeded' as const, refundId: null };
    const payment = await shop.services.payments.findPayment(id);
    if (!payment) throw new Error('The provider does not know the payment.');
    const claim = (refunds: readonly ProviderRefund[]) =>
      applyClaims(shop.services, payment, { refunds, disputes: [] });
    const given = await eventsOf(() => claim([refund]));
    const abouts = orders.map(({ _id }) => ['order.refunded', _id]);
    expect(given.map(({ type, order }) => [type, order]).sort()).toEqual(abouts.sort());
    expect(given[0]).toMatchObject({ before: { refund: 0 }, after: { refund: 0, unassigned: 10 } });
    const taken = await eventsOf(() => claim([{ ...refund, state: 'failed' }]));
    expect(taken.map(({ type }) => type)).not.toContain('order.disputed');
    expect(await eventsOf(() => claim([{ ...refund, state: 'failed' }]))).toEqual([]);
  });

  test('tell what a placed and a cancelled order moved', async () => {
    const part = await aProduct(shop, { quantity: 5000, minimumOrder: 50 });
    const [placed, cancelled, ...rest] = await eventsOf(async () => {
      const order = await customer.orders(part);
      await customer.cancels(order);
    });
    expect(rest).toEqual([]);
    expect(placed).toMatchObject({ type: 'order.placed', part: part._id, change: -50 });
    expect(placed?.id).toBe(placed?.order);
    expect(cancelled).toMatchObject({ type: 'order.cancelled', part: part._id, change: 50 });
  });

  test('tell changes of parts and stocks with their figures', async () => {
    const part = await aProduct(shop, { quantity: 5000, price: 10 });
    const found = await eventsOf(async () => {
      await admin.patch(`/product/${part._id}`, { price: 12, name: 'New name' }, { 'if-match': '"1"' });
      await act('PUT', `/product/${part._id}`, { quantity: 20 });
      await writeReminders(shop.services);
      await act('DELETE', `/product/${part._id}`);
    });
    expect(found.map(({ type }) => type).sort()).toEqual([
      'part.changed',
      'part.deleted',
      'stock.changed',
      'stock.low',
    ]);
    expect(found[0]).toMatchObject({ before: { price: 10 }, after: { price: 12 } });
    expect(JSON.stringify(found)).not.toContain('New name');
    expect(found.find(({ type }) => type === 'stock.changed')).toMatchObject({ change: 20 - 5000 });
  });

  test('reach a reader who went on before a long transaction committed', async () => {
    const part = await aProduct(shop, { quantity: 5000 });
    const late = await customer.orders(part);
    await numberEvents(shop.services);
    const after = (await lastNumber()) ?? 0;
    // The order's row is written again by a transaction that stays open.
    await shop.db.delete(events).where(eq(events.id, late._id));
    const commit = Promise.withResolvers<void>();
    const isOpen = Promise.withResolvers<void>();
    const open = shop.db.transaction(async (tx) => {
      const [row] = await tx.select().from(orders).where(eq(orders.id, late._id));
      if (!row) throw new Error('no order');
      const id = shop.services.ids.next();
      await tx.insert(orders).values({ ...row, id, number: row.number + 5000 });
      isOpen.resolve();
      await commit.promise;
      return id;
    });
    await isOpen.promise;
    const [seen] = await eventsOf(() => customer.orders(part));
    expect(seen?.number).toBeGreaterThan(after);
    commit.resolve();
    const id = await open;
    await numberEvents(shop.services);
    expect((await read(seen?.number)).data).toMatchObject([{ type: 'order.placed', order: id }]);
  });

  test('are numbered after a pause of any length', async () => {
    const part = await aProduct(shop, { quantity: 5000 });
    const [first] = await eventsOf(() => customer.orders(part));
    const { _id } = await customer.orders(part);
    await pass(DAY_MS / 24);
    await numberEvents(shop.services);
    expect((await read(first?.number)).data).toMatchObject([{ type: 'order.placed', order: _id }]);
  });

  test('refuse a place that no event has reached', async () => {
    const { status } = await act('GET', `/events?after=${((await lastNumber()) ?? 0) + 1}`);
    expect(status).toBe(410);
  });

  test('are numbered once by many processes', async () => {
    const part = await aProduct(shop, { quantity: 5000 });
    const found = await eventsOf(async () => {
      for (let placed = 0; placed < 5; placed += 1) await customer.orders(part);
      await Promise.all(Array.from({ length: 8 }, () => numberEvents(shop.services)));
    });
    expect(found.map(({ type }) => type)).toEqual(Array(5).fill('order.placed'));
  });

  test('come in pages, from the place that the reader names', async () => {
    const part = await aProduct(shop, { quantity: 5000 });
    const [first] = await eventsOf(async () => {
      await customer.orders(part);
      await customer.orders(part);
    });
    const { body } = await act('GET', `/events?after=${first?.number}&limit=1`);
    expect(body.data).toHaveLength(1);
    expect(body.last).toBe(body.data[0].number);
    expect((await act('GET', `/events?after=${body.last}`)).body).toEqual({ data: [], last: body.last });
    const ofTypes = (types: string) => act('GET', `/events?after=${first?.number}&types=${types}`);
    // A reader of other types goes on behind what was left out.
    expect((await ofTypes('order.paid,stock.low')).body).toEqual({ data: [], last: body.last });
    expect((await ofTypes('order.paid,order.placed')).body).toEqual(body);
    for (const types of ['', 'order.', 'order.paid&types=order.placed'])
      expect((await ofTypes(types)).body.errors, types).toMatchObject([{ path: 'types' }]);
  });

  test.each(['-1', '1.5', 'x', '1e3', '9'.repeat(16), ''])('refuse the place %j', async (after) => {
    const { status, body } = await act('GET', `/events?after=${encodeURIComponent(after)}`);
    expect([status, body.errors]).toEqual([422, [{ path: 'after', message: expect.any(String) }]]);
  });

  test('end after thirty days, and readers behind them are told', async () => {
    const part = await aProduct(shop, { quantity: 5000 });
    const [old] = await eventsOf(() => customer.orders(part));
    await pass(DAY_MS / 24);
    const [last] = await eventsOf(() => customer.orders(part));
    await pass(30 * DAY_MS + 1);
    await forgetEvents(shop.services);
    expect(await act('GET', `/events?after=${old?.number}`)).toMatchObject({
      status: 410,
      body: { type: expect.stringMatching(/events-gone$/) },
    });
    expect((await read(last?.number)).data).toEqual([]);
    // What a round looks at again is not forgotten, or it would be numbered twice.
    await numberEvents(shop.services);
    expect((await read(last?.number)).data).toEqual([]);
  });

  test('get no numbers in a restored copy', async () => {
    const part = await aProduct(shop, { quantity: 5000 });
    const [order, ...rest] = await eventsOf(async () => {
      await customer.orders(part);
      expect(await numberEvents({ ...shop.services, copiedAt: clock.now() })).toBe(0);
    });
    expect([order?.type, rest]).toEqual(['order.placed', []]);
  });

  test('get numbers that no receiver has read after a restore', async () => {
    const before = (await lastNumber()) ?? 0;
    await leaveNumbersOut(shop.db);
    const part = await aProduct(shop, { quantity: 5000 });
    const [next] = await eventsOf(() => customer.orders(part));
    expect(next?.number).toBeGreaterThan(before + 9_000_000);
  });
});
