import { eq, gte } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder } from '#test/paying.ts';
import { anOpenPaymentTogether, dueOrders, pendingTogether } from '#test/paying-several.ts';
import { loseEvents } from '#test/payment-provider.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { checkConsistency } from './consistency/check-consistency.ts';
import { orders } from './orders/schema.ts';
import { payments, refunds } from './payments/schema.ts';
import { runJobs } from './platform/jobs/run-jobs.ts';

const token = 'reads-the-figures';
const shop = useShop({ env: { METRICS_TOKEN: token, CONNECTION_TIMEOUT_MS: '60000' } });
beforeAll(async () => {
  await loseEvents(shop);
});

/** Every figure by name and labels, such as `shop_orders{state="due"}`. */
async function readFigures(): Promise<Map<string, number>> {
  const { body } = await shop.request('/metrics', { token });
  const lines = String(body)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('/metrics does not exist without METRICS_TOKEN', async () => {
  const unwatched = await startForTest();
  expect((await unwatched.request('/metrics', { token })).status).toBe(404);
});

test.each([
  ['no token', {}],
  ['another one', { token: 'reads-the-figureS' }],
  ['a longer one', { token: `${token}s` }],
  ['one that begins alike', { token: token.slice(0, -1) }],
  ['another scheme', { headers: { authorization: `Basic ${token}` } }],
])('figures are 401 and undisclosed with %s', async (_what, options) => {
  const { status, body } = await shop.request('/metrics', options);
  expect([status, body.type]).toEqual([401, 'urn:parts-forge:problem:sign-in-needed']);
  expect(JSON.stringify(body)).not.toContain('shop_');
});

test("an administrator's access token does not open the figures", async () => {
  const admin = await signedInAs(shop, 'admin');
  expect((await admin.get('/metrics')).status).toBe(401);
});

test("the figures are in Prometheus's format and never cached", async () => {
  const { status, headers, body } = await shop.request('/metrics', { token });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatch(/^# HELP shop_orders .+\n# TYPE shop_orders gauge\nshop_orders\{state="due"\} \d+$/m);
});

test('the figures count orders and payments by state', async () => {
  const before = await readFigures();
  const { customer, order, product } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  const paid = await customer.orders(product);
  await customer.pays(paid);
  const refunded = await customer.orders(product);
  await customer.pays(refunded);
  await admin.refunds(refunded);
  const cancelled = await customer.orders(product);
  await customer.cancels(cancelled);
  await customer.opensPayment(order);

  const after = await readFigures();
  const rise = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN);
  expect([
    rise('shop_orders{state="due"}'),
    rise('shop_orders{state="pending"}'),
    rise('shop_orders{state="refunded"}'),
    rise('shop_orders{state="cancelled"}'),
    rise('shop_orders{state="paid"}'),
    rise('shop_payments{state="open"}'),
    rise('shop_payments{state="applied"}'),
    rise('shop_payments{state="stray"}'),
  ]).toEqual([1, 1, 1, 1, 0, 1, 2, 0]);
});

test('the figures show waiting refunds, their amount and their age', async () => {
  const { customer, order } = await aDueOrder(shop);
  const id = await customer.pays(order);
  const createdAt = new Date('2026-11-20T12:00:00Z');
  await shop.db.insert(refunds).values({
    id: shop.services.ids.next(),
    paymentId: id,
    orderId: order._id,
    amountCents: 12_345,
    state: 'failed',
    createdAt,
  });
  const figures = await readFigures();
  expect(figures.get('shop_refunds_waiting{state="failed"}')).toBe(1);
  expect(figures.get('shop_refunds_waiting_amount{state="failed"}')).toBe(123.45);
  expect(figures.get('shop_refunds_oldest_timestamp_seconds{state="failed"}')).toBe(
    createdAt.getTime() / 1000,
  );
  await shop.db.delete(refunds);
  expect((await readFigures()).has('shop_refunds_waiting{state="failed"}')).toBe(false);
});

test('the figures sum the money that came back, however many the orders', async () => {
  const { order } = await aDueOrder(shop);
  const [row] = await shop.db.select().from(orders).where(eq(orders.id, order._id));
  if (!row) throw new Error('The order is not there.');
  const closed = { status: 'pending', transactionId: 'pi_x', closed: 'refunded' } as const;
  await shop.db.insert(orders).values(
    Array.from({ length: 150 }, (_, index) => ({
      ...row,
      ...closed,
      id: shop.services.ids.next(),
      number: 1_000_000 + index,
      closedAt: new Date(),
      refundCents: row.totalCents - 101,
      refundState: 'succeeded' as const,
    })),
  );
  expect((await readFigures()).get('shop_refunds_returned_amount')).toBe(151.5);
  await shop.db.delete(orders).where(gte(orders.number, 1_000_000));
  expect((await readFigures()).get('shop_refunds_returned_amount')).toBe(0);
});

test('the figures show the result of the last consistency check', async () => {
  await checkConsistency(shop.services);
  expect((await readFigures()).get('shop_consistency_differences{check="payments"}')).toBe(0);
  await aPendingOrder(shop);
  await shop.db.update(payments).set({ amountCents: 1, paymentCents: 1 });
  await checkConsistency(shop.services);
  const figures = await readFigures();
  expect(figures.get('shop_consistency_differences{check="payments"}')).toBeGreaterThan(0);
  const age =
    Date.now() / 1000 - (figures.get('shop_consistency_checked_timestamp_seconds{check="payments"}') ?? 0);
  expect(age).toBeLessThan(60);
  // The tests before may have left a difference.
  shop.expectErrors(expect.arrayContaining([expect.objectContaining({ check: 'payments' })]));
});

test('requests to the payment provider are counted by outcome', async () => {
  const { customer, order } = await aDueOrder(shop);
  const answered =
    'shop_payment_provider_duration_seconds_count{question="createPayment",outcome="answered"}';
  const before = (await readFigures()).get(answered) ?? 0;
  await customer.opensPayment(order);
  expect((await readFigures()).get(answered)).toBe(before + 1);
  const asked = shop.services.payments.createRefund({
    paymentId: 'pi_unknown',
    amountCents: 1,
    refundId: order._id,
    shop: 'none',
    attempt: 1,
  });
  await expect(asked).rejects.toThrow();
  expect(
    (await readFigures()).get(
      'shop_payment_provider_duration_seconds_count{question="createRefund",outcome="refused"}',
    ),
  ).toBe(1);
});

test('a response from memory counts as cached', async () => {
  await shop.request('/review');
  const before = (await readFigures()).get('shop_cache_responses_total{source="cached"}') ?? Number.NaN;
  await shop.request('/review');
  await shop.request('/review');
  expect((await readFigures()).get('shop_cache_responses_total{source="cached"}')).toBe(before + 2);
});

test('no figure has the id, the email or the address of anything', async () => {
  const { customer, order } = await aPendingOrder(shop);
  await shop.request(`/user/${customer.email}?email=${customer.email}`);
  await shop.request('/some/unknown/path?secret=hidden');
  const { body } = await shop.request('/metrics', { token });
  for (const secret of [order._id, customer.email, 'fieldrepair', 'pi_', 'unknown/path', 'hidden']) {
    expect(body).not.toContain(secret);
  }
});

test('a busy database delays other figures by three seconds at most', async () => {
  const taken = await Promise.all(Array.from({ length: shop.pool.options.max }, () => shop.pool.connect()));
  const startedAt = performance.now();
  const figures = await readFigures();
  const elapsedMs = performance.now() - startedAt;
  for (const client of taken) client.release();
  // Without their own timeout, the figures would wait as long as the shop.pool.
  expect(elapsedMs).toBeLessThan(shop.pool.options.connectionTimeoutMillis ?? 0);
  expect(figures.get('shop_database_answers')).toBe(0);
  expect(figures.get('shop_database_connections{state="busy"}')).toBe(shop.pool.options.max);
  expect([...figures.keys()].filter((name) => name.startsWith('shop_orders'))).toEqual([]);
  expect(figures.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  expect((await readFigures()).get('shop_database_answers')).toBe(1);
});

test('two shops in one process count separately', async () => {
  const other = await startForTest({ env: { METRICS_TOKEN: token } });
  await aDueOrder(other);
  const { body } = await other.request('/metrics', { token });
  expect(body).toContain('shop_orders{state="due"} 1\n');
  expect((await readFigures()).get('shop_orders{state="due"}')).not.toBe(1);
});

test('a failed job is counted and logged, and the others run', async () => {
  const startedAt = Date.now() / 1000;
  const stop = await runJobs(shop.services, [
    { name: 'test-works', cron: '0 0 1 1 *', run: async () => 'done' },
    {
      name: 'test-fails',
      cron: '0 0 1 1 *',
      run: async () => {
        throw new Error('it fell over');
      },
    },
  ]);
  const figures = await vi.waitFor(
    async () => {
      const read = await readFigures();
      expect(read.get('shop_job_duration_seconds_count{name="test-works",outcome="done"}')).toBe(1);
      expect(read.get('shop_job_duration_seconds_count{name="test-fails",outcome="failed"}')).toBe(1);
      return read;
    },
    { timeout: 40_000, interval: 200 },
  );
  await stop();
  const lastDone = (name: string) =>
    figures.get(`shop_job_last_done_timestamp_seconds{name="${name}"}`) ?? Number.NaN;
  expect(lastDone('test-fails')).toBeGreaterThanOrEqual(startedAt);
  expect(lastDone('test-works')).toBeGreaterThan(lastDone('test-fails'));
  shop.expectErrors([
    expect.objectContaining({ job: 'test-fails', msg: 'a round of the regular work failed' }),
  ]);
});

test('a payment of several orders counts once', async () => {
  const before = await readFigures();
  await pendingTogether(shop, 3);
  const { customer, orders } = await dueOrders(shop, 2);
  await anOpenPaymentTogether(customer, orders);
  const after = await readFigures();
  const rise = (state: string) =>
    (after.get(`shop_payments{state="${state}"}`) ?? 0) -
    (before.get(`shop_payments{state="${state}"}`) ?? 0);
  expect([rise('applied'), rise('open')]).toEqual([1, 1]);
});
