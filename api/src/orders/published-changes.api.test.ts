import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { hashToken } from '#src/platform/core/hash-token.ts';
import { openChangeFeed } from '#src/platform/database/change-feed.ts';
import { aProduct, batchBody, orderBody, readProduct, signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { controlSandbox } from '#test/paying.ts';
import { useShop } from '#test/use-shop.ts';
import { takeStockAndWriteOrders } from './take-stock.ts';

// Every process caches responses, and one process sends the mails: all must receive changes at once.
const shop = useShop();
beforeAll(async () => {
  await controlSandbox(shop, { webhooks: 'drop', faults: [] });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Sorted tags that another process receives from now on. */
async function receiveElsewhere(): Promise<() => string[]> {
  const received = new Set<string>();
  const feed = await openChangeFeed(shop.services.database, () => {});
  onTestFinished(() => feed.close());
  feed.subscribe((changed) => {
    if (changed !== 'all') for (const tag of changed) received.add(tag);
  });
  return () => [...received].sort();
}

test('placing an order publishes its product, the lists and a mail', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop);
  const received = await receiveElsewhere();
  const request = { method: 'POST', token: customer.token } as const;
  const body = { ...orderBody(customer, product, 50), productId: product._id.toUpperCase() };
  expect((await shop.request('/order', { ...request, body })).status).toBe(200);
  await expect.poll(received).toEqual(['mail', `product:${product._id}`, 'products']);
});

test('placing a batch publishes each product under its own number', async () => {
  const customer = await signedInAs(shop, 'user');
  const products = [await aProduct(shop), await aProduct(shop)];
  const publish = vi.spyOn(shop.services.changes, 'publishOrder');
  const received = await receiveElsewhere();
  const request = { method: 'POST', token: customer.token } as const;
  const written = products.map((product) => ({ ...product, _id: product._id.toUpperCase() }));
  const body = batchBody(
    customer,
    written.map((product) => [product, 50] as const),
  );
  expect((await shop.request('/order/batch', { ...request, body })).status).toBe(200);
  const tags = products.map(({ _id }) => `product:${_id}`).sort();
  await expect.poll(received).toEqual(['mail', ...tags, 'products']);
  const numbers = publish.mock.calls.map(([{ number }]) => number);
  expect(new Set(numbers).size).toBe(2);
  expect(Math.min(...numbers)).toBeGreaterThan(0);
});

test('accepting an order publishes a mail', async () => {
  const { order } = await aPendingOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  const publish = vi.spyOn(shop.services.changes, 'publish');
  expect((await admin.accepts(order)).status).toBe(200);
  expect(publish.mock.calls).toEqual([['mail']]);
});

test("cancelling publishes a mail only for an administrator's cancellation", async () => {
  const [admin, customer] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
  const product = await aProduct(shop);
  const received: (ReadonlySet<string> | 'all')[] = [];
  shop.services.changes.subscribe((changed) => received.push(changed));
  for (const { token } of [customer, admin]) {
    const order = await customer.orders(product);
    received.length = 0;
    expect((await shop.request(`/order/${order._id}`, { method: 'DELETE', token })).status).toBe(200);
    expect(received.some((changed) => changed !== 'all' && changed.has('mail'))).toBe(token === admin.token);
  }
});

const other = useShop({ shareDatabaseWith: shop });

test('other processes soon read an order whose notification was lost', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { quantity: 1000, minimumOrder: 1, price: 2 });
  await expect.poll(async () => (await readProduct(other, product._id)).quantity).toBe(1000);
  const order = {
    id: shop.services.ids.next(),
    userId: customer.userId,
    tokenHash: hashToken(customer.token),
    name: 'Amara Okafor',
    email: customer.email,
    address: '12 Oxford Street',
    phone: '233302771204',
    productId: product._id,
    quantity: 50,
    seenCents: 10_000,
    reference: null,
    batch: null,
    keyId: null,
    heldUntil: null,
    now: new Date(),
    today: '2026-11-29',
    key: null,
    mailId: shop.services.ids.next(),
  };
  const config = { maxUnpaidOrders: null, tax: null };
  const placed = await takeStockAndWriteOrders(shop.services.database, config, 'each', [order]);
  expect([...placed.keys()]).toEqual([order.id]);
  expect((await readProduct(other, product._id)).quantity).toBe(1000);
  // Well below the 30 s after which caches expire anyway.
  await expect
    .poll(async () => (await readProduct(other, product._id)).quantity, { interval: 10, timeout: 10_000 })
    .toBe(950);
});
