import type { Proof } from '@parts-forge/contract/orders/overview';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { ProviderError } from '#src/payments/provider/provider.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import { PAPERS_SINCE } from '#src/platform/database/instance.ts';
import { setMetadata } from '#src/platform/database/metadata.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { askForDownload } from '#test/downloads.ts';
import { aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { controlSandbox, readCode, refundAtProvider } from '#test/paying.ts';
import { pendingTogether } from '#test/paying-several.ts';
import { loseEvents } from '#test/payment-provider.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';
import { proveMonth } from './prove-month.ts';

let nowMs: number;
const clock: Clock = { now: () => new Date(nowMs) };
let shop: TestShop;
let admin: Person;
beforeEach(async () => {
  nowMs = Date.parse('2026-11-30T22:00:00Z');
  shop = await startForTest({ clock });
  admin = await signedInAs(shop, 'admin');
  // A late event would repair what a test breaks.
  await loseEvents(shop);
});

/** Past the triggers, as an owner of the database could. */
const tamper = (table: string, statement: string) =>
  shop.db.transaction(async (tx) => {
    await tx.execute(sql.raw(`alter table ${table} disable trigger all`));
    await tx.execute(sql.raw(statement));
    await tx.execute(sql.raw(`alter table ${table} enable trigger user`));
  });

const prove = (month = '2026-11'): Promise<Proof> => proveMonth(shop.services, month);
const TOTAL = 1139.43;

test('a month agrees with all five sources', async () => {
  const { order: refunded } = await aPendingOrder(shop);
  await admin.refunds(refunded);
  await aPaidOrder(shop, admin);
  const { id } = await pendingTogether(shop, 3);
  // It names none of the three orders.
  await refundAtProvider(shop, id, 1000);
  const { id: disputed } = await aPendingOrder(shop);
  await controlSandbox(shop, { dispute: { intent: disputed, status: 'lost' } });
  await fetchEvents(shop.services);
  await controlSandbox(shop, { webhooks: 'deliver' });
  const { body, status } = await admin.get('/overview/month/proof?month=2026-11');
  expect(status).toBe(200);
  expect(body.differences).toEqual([]);
  expect(body.agree).toBe(true);
  const month = (await admin.get('/overview/month?month=2026-11')).body;
  const sums = {
    received: month.received,
    refunded: Math.round(100 * (month.refunded + month.lost)) / 100,
    pieces: expect.any(Number),
  };
  const sources = ['orders', 'papers', 'payments', 'provider', 'stock'];
  expect(body.sums).toEqual(sources.map((source) => ({ source, ...sums })));
});

test('a slow proof goes on after the answer, and its result stands', async () => {
  const hasty = await startForTest({ clock, env: { REQUEST_TIMEOUT_MS: '2000' }, shareDatabaseWith: shop });
  const ask = () => hasty.request('/overview/month/proof?month=2026-11', { token: admin.token });
  const slow = Promise.withResolvers<never[]>();
  const list = vi.spyOn(hasty.services.payments, 'listPayments').mockReturnValueOnce(slow.promise);
  const none = { agree: null, sums: [], differences: [], provedAt: null, running: true };
  expect((await Promise.all([ask(), ask()])).map(({ body }) => body)).toEqual([none, none]);
  slow.resolve([]);
  const done = { agree: true, provedAt: clock.now().toISOString(), running: false };
  await expect.poll(async () => (await ask()).body, { timeout: 10_000 }).toMatchObject(done);
  await ask();
  expect(list).toHaveBeenCalledTimes(1);
});

test('a slow proof that fails says so to the next request', async () => {
  const hasty = await startForTest({ clock, env: { REQUEST_TIMEOUT_MS: '2000' }, shareDatabaseWith: shop });
  const ask = () => hasty.request('/overview/month/proof?month=2026-11', { token: admin.token });
  const slow = Promise.withResolvers<never[]>();
  vi.spyOn(hasty.services.payments, 'listPayments').mockReturnValueOnce(slow.promise);
  expect((await ask()).body.running).toBe(true);
  slow.reject(new ProviderError('broken', 'The list breaks off.'));
  await expect.poll(async () => readCode(await ask())).toBe('provider-broken');
  expect((await ask()).body).toMatchObject({ agree: true, running: false });
  hasty.expectErrors([{ code: 'provider-broken', err: { message: 'The list breaks off.' } }]);
});

test('a month without movements agrees', async () => {
  const none = { received: 0, refunded: 0, pieces: 0 };
  expect(await prove('2026-10')).toEqual({
    agree: true,
    sums: ['orders', 'papers', 'payments', 'provider', 'stock'].map((source) => ({ source, ...none })),
    differences: [],
  });
});

test.each([
  [
    'orders',
    'orders',
    "update orders set settled_cents = 1000, refund_cents = 1000, refund_state = 'succeeded'",
    'refunded',
    10,
    0,
  ],
  ['payments', 'payments', 'update payments set amount_cents = 1', 'received', 0.01, TOTAL],
  ['stock', 'products', 'update products set quantity = quantity - 3', 'pieces', 940, 943],
] as const)('a change of %s by hand is a difference', async (source, table, statement, what, is, wanted) => {
  const { order, product } = await aPendingOrder(shop);
  await tamper(table, statement);
  const proof = await prove();
  expect(proof.agree).toBe(false);
  const about =
    source === 'stock'
      ? { order: null, number: null, part: product._id }
      : { order: order._id, number: order.number };
  expect(proof.differences).toEqual([{ ...about, source, what, is, wanted }]);
  const sum = proof.sums.find((each) => each.source === source);
  const papers = proof.sums.find((each) => each.source === 'papers');
  expect((sum?.[what] ?? 0) - (papers?.[what] ?? 0)).toBeCloseTo(is - wanted);
});

test('a lost paper differs from all other sources', async () => {
  const { order } = await aPendingOrder(shop);
  await tamper('invoiced_orders', 'delete from invoiced_orders');
  await tamper('invoices', 'delete from invoices');
  const { agree, differences } = await prove();
  expect(agree).toBe(false);
  const about = { order: order._id, number: order.number, wanted: 0 };
  expect(differences).toEqual(
    expect.arrayContaining([
      { ...about, source: 'orders', what: 'received', is: TOTAL },
      { ...about, source: 'payments', what: 'received', is: TOTAL },
      { ...about, source: 'provider', what: 'received', is: TOTAL },
    ]),
  );
});

test('orders from before invoices are no difference and count in weeks', async () => {
  await aPaidOrder(shop, admin);
  const { orders } = await pendingTogether(shop, 2);
  await tamper('invoiced_orders', 'delete from invoiced_orders');
  await tamper('invoices', 'delete from invoices');
  await tamper('orders', "update orders set created_at = '2026-11-24T12:00:00Z'");
  await setMetadata(shop.db, PAPERS_SINCE, '2026-11-24T12:00:00Z');
  expect((await prove()).agree).toBe(false);
  await setMetadata(shop.db, PAPERS_SINCE, '2026-11-24T12:00:01Z');
  expect((await prove()).differences).toEqual([]);
  const readWeeks = async () => (await admin.get('/overview')).body.revenue.slice(-2);
  expect(await readWeeks()).toEqual([
    { week: '2026-W48', amount: TOTAL + 150 },
    { week: '2026-W49', amount: 0 },
  ]);
  await askForDownload(admin, { what: 'invoice', order: orders[0]?._id ?? '' });
  expect((await prove()).differences).toEqual([]);
  expect(await readWeeks()).toEqual([
    { week: '2026-W48', amount: TOTAL + 100 },
    { week: '2026-W49', amount: 50 },
  ]);
});

test('notes that give all back have all pieces, which the proof compares', async () => {
  const { order, id } = await aPaidOrder(shop, admin);
  const body = { quantity: 20, returnStock: false };
  await admin.post(`/order/${order._id}/refund`, body);
  await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
  await fetchEvents(shop.services);
  const proof = await prove();
  expect(proof.differences).toEqual([]);
  expect(proof.sums.map(({ pieces }) => pieces)).toEqual([0, 0, 0, 0, 0]);
  await tamper(
    'invoices',
    `update invoices set lines = jsonb_set(lines, '{0,quantity}', '30') where refund_id is not null`,
  );
  const about = { order: order._id, number: order.number, source: 'orders', what: 'pieces' };
  expect((await prove()).differences).toEqual([{ ...about, is: 0, wanted: -10 }]);
});

test('a refund at the provider that the shop lacks is named', async () => {
  const { order, id } = await aPendingOrder(shop);
  await refundAtProvider(shop, id, 1200);
  expect(await prove()).toMatchObject({
    agree: false,
    differences: [
      { order: order._id, number: order.number, source: 'provider', what: 'refunded', is: 12, wanted: 0 },
    ],
  });
  await fetchEvents(shop.services);
});

test.each(['charge', 'refund', 'dispute'])(
  'a %s that the provider dates in another month is named',
  async (kind) => {
    const { order, id } = await aPendingOrder(shop);
    if (kind === 'refund') await admin.refunds(order);
    if (kind === 'dispute') await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
    await fetchEvents(shop.services);
    await tamper(
      'sandbox_objects',
      `update sandbox_objects set created_at = created_at + interval '3 hours',
       data = jsonb_set(data, '{created}', to_jsonb((data->>'created')::int + 10800))
     where kind = '${kind}' and data->>'payment_intent' = '${id}'`,
    );
    const moved = {
      order: order._id,
      number: order.number,
      source: 'provider',
      what: kind === 'charge' ? 'received' : 'refunded',
      month: '2026-12',
    };
    expect(await prove()).toMatchObject({ agree: true, differences: [{ ...moved, is: 0, wanted: TOTAL }] });
    expect(await prove('2026-12')).toMatchObject({
      agree: true,
      differences: [{ ...moved, is: TOTAL, wanted: 0 }],
    });
  },
);

test('a difference stands before those of dates alone', async () => {
  await aPendingOrder(shop);
  await tamper(
    'sandbox_objects',
    `update sandbox_objects set created_at = created_at + interval '3 hours',
     data = jsonb_set(data, '{created}', to_jsonb((data->>'created')::int + 10800)) where kind = 'charge'`,
  );
  const { order, id } = await aPendingOrder(shop);
  await refundAtProvider(shop, id, 1200);
  const { differences } = await prove();
  expect(differences.map(({ number, month }) => [number, month])).toEqual([
    [order.number, undefined],
    [order.number - 1, '2026-12'],
  ]);
  await fetchEvents(shop.services);
});

test('refunds are named with their own sum and month', async () => {
  const { order, id } = await aPendingOrder(shop);
  await refundAtProvider(shop, id, 1000);
  await fetchEvents(shop.services);
  nowMs = Date.parse('2027-01-30T22:00:00Z');
  const late = await refundAtProvider(shop, id, 2000);
  await refundAtProvider(shop, id, 3000);
  await fetchEvents(shop.services);
  await tamper(
    'sandbox_objects',
    `update sandbox_objects set created_at = created_at - interval '31 days',
     data = jsonb_set(data, '{created}', to_jsonb((data->>'created')::int - 2678400)) where id = '${late}'`,
  );
  const about = { order: order._id, number: order.number, source: 'provider', what: 'refunded' };
  const moved = { ...about, month: '2026-12' };
  expect((await prove()).differences).toEqual([]);
  expect((await prove('2026-12')).differences).toEqual([{ ...moved, is: 20, wanted: 0 }]);
  expect((await prove('2027-01')).differences).toEqual([{ ...moved, is: 0, wanted: 20 }]);
});

test('a refund that came back in a later month is no difference', async () => {
  const { id } = await aPendingOrder(shop);
  const refund = await refundAtProvider(shop, id, 1000);
  await fetchEvents(shop.services);
  nowMs = Date.parse('2026-12-30T22:00:00Z');
  await controlSandbox(shop, { finishRefund: { refund, status: 'failed' } });
  await fetchEvents(shop.services);
  expect((await prove()).differences).toEqual([]);
  expect((await prove('2026-12')).differences).toEqual([]);
});

test('a payment that no order has differs until it is refunded', async () => {
  const { order, id } = await aPendingOrder(shop);
  await tamper('orders', `update orders set status = 'due', transaction_id = null where id = '${order._id}'`);
  await tamper('payments', "update payments set state = 'canceled'");
  await tamper('invoiced_orders', 'delete from invoiced_orders');
  await tamper('invoices', 'delete from invoices');
  await tamper('trail', 'delete from trail');
  const { differences } = await prove();
  expect(differences.filter(({ source }) => source === 'provider')).toEqual([
    { order: order._id, number: null, source: 'provider', what: 'received', is: TOTAL, wanted: 0 },
  ]);
  await refundAtProvider(shop, id);
  expect((await prove()).differences.filter(({ source }) => source === 'provider')).toEqual([]);
});

test('a thousand payments are listed in requests of a hundred', async () => {
  const { id } = await aPendingOrder(shop);
  await shop.pool.query(
    `insert into sandbox_objects (id, kind, data, created_at)
     select 'ch_' || n, kind, data || jsonb_build_object('id', 'ch_' || n, 'payment_intent', 'pi_' || n, 'metadata', '{}'::jsonb),
       created_at from sandbox_objects, generate_series(1, 1000) n where kind = 'charge'`,
  );
  const provider = shop.services.payments;
  const listed = await provider.listPayments(new Date('2026-11-01'), new Date('2026-12-01'));
  expect(listed).toHaveLength(1001);
  expect(listed?.map((payment) => payment.id)).toContain(id);
  expect((await prove()).agree).toBe(true);
});
