import type { StockMove } from '@parts-forge/contract/events/trail';
import { describe, expect, test } from 'vitest';
import { expireOrders } from '#src/orders/expire-orders.ts';
import { createOrderPayments } from '#src/payments/order-payments.ts';
import { aProduct, readProduct, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { readCode } from '#test/paying.ts';
import { readLedger } from '#test/trail.ts';
import { preparedForEach, useShop } from '#test/use-shop.ts';
import { findStockDifferences } from './find-stock-differences.ts';

const clock = createMovableClock();

const shop = useShop({ clock, env: { PAYMENT_HOURS: '0.01' } });
// New for each test, as the test clock outruns the tokens.
const admin = preparedForEach(() => signedInAs(shop, 'admin'));
const customer = preparedForEach(() => signedInAs(shop, 'user'));

const summarize = (ledger: StockMove[]) =>
  ledger.map(({ kind, change, balance }) => `${kind} ${change} → ${balance}`);
const correct = (productId: string, quantity: number) => admin.put(`/product/${productId}`, { quantity });

async function aPaidOrder(product: Awaited<ReturnType<typeof aProduct>>, quantity: number) {
  const order = await customer.orders(product, quantity);
  await customer.pays(order);
  return order;
}

describe("a part's ledger", () => {
  test("counts the part's pieces in unpaid orders as held", async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    await customer.orders(await aProduct(shop, { quantity: 1000 }), 90);
    await aPaidOrder(product, 60);
    const cancelled = await customer.orders(product, 50);
    const readHeld = async () => (await admin.get(`/product/${product._id}/stock?limit=1`)).body.held;
    expect(await readHeld()).toBe(50);
    await customer.orders(product, 70);
    expect(await readHeld()).toBe(120);
    await customer.cancels(cancelled);
    expect(await readHeld()).toBe(70);
  });

  test('leaves out orders from before the ledger', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const old = await customer.orders(product, 50);
    const { db, pool } = shop.services.database;
    await pool.query('update orders set before_ledger = true where id = $1', [old._id]);
    // The first line of such a shop has the stock after its old orders.
    await pool.query('update products set quantity = 1000 where id = $1', [product._id]);
    expect(summarize(await readLedger(shop, product._id))).toEqual(['initial 1000 → 1000']);
    expect(await findStockDifferences(db, 100)).toEqual([]);
  });

  test('lists every stock change, newest first, with its balance', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const cancelled = await customer.orders(product, 50);
    await customer.cancels(cancelled);
    const returned = await aPaidOrder(product, 60);
    await admin.refunds(returned, { returnStock: true });
    const lost = await aPaidOrder(product, 70);
    await admin.refunds(lost, { returnStock: false });
    const shipped = await aPaidOrder(product, 80);
    await admin.accepts(shipped);
    await admin.refunds(shipped, { returnStock: true });
    await correct(product._id, 900);

    const ledger = await readLedger(shop, product._id);
    expect(summarize(ledger)).toEqual([
      'correction -30 → 900',
      'refund 80 → 930',
      'order -80 → 850',
      'order -70 → 930',
      'refund 60 → 1000',
      'order -60 → 940',
      'cancel 50 → 1000',
      'order -50 → 950',
      'initial 1000 → 1000',
    ]);
    expect((await readProduct(shop, product._id)).quantity).toBe(900);
    expect(ledger[0]?.by).toEqual({ kind: 'admin', _id: admin.userId, name: admin.name });
    expect(ledger[7]).toEqual({
      at: cancelled.createdAt,
      kind: 'order',
      change: -50,
      balance: 950,
      order: cancelled._id,
      orderNumber: cancelled.number,
      by: { kind: 'user', _id: customer.userId, name: customer.name },
    });
    expect(await findStockDifferences(shop.db, 100)).toEqual([]);
  });

  test('includes pieces returned by expired orders', async () => {
    const product = await aProduct(shop, { quantity: 500 });
    const order = await customer.orders(product, 50);
    clock.aheadMs += 40_000;
    await expireOrders(shop.services, createOrderPayments(shop.services));
    expect((await readLedger(shop, product._id))[0]).toMatchObject({
      kind: 'expiry',
      change: 50,
      balance: 500,
      order: order._id,
      orderNumber: order.number,
      by: { kind: 'system' },
    });
  });

  test('keeps pages exact while the stock changes', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    for (const quantity of [50, 51, 52, 53]) await customer.orders(product, quantity);
    const seen: string[] = [];
    let next: string | null = `/product/${product._id}/stock?limit=2`;
    while (next !== null) {
      const { status, body, headers } = await admin.get(next);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(Number(headers.get('x-total-count'))).toBe(5 + seen.length / 2);
      seen.push(...summarize(body.data));
      next = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
      await customer.orders(product, 100);
    }
    expect(seen).toEqual([
      'order -53 → 794',
      'order -52 → 847',
      'order -51 → 899',
      'order -50 → 950',
      'initial 1000 → 1000',
    ]);
  });

  test("continues after the part's deletion, as its pieces return", async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    const order = await customer.orders(product, 50);
    await admin.delete(`/product/${product._id}`);
    await customer.cancels(order);
    expect(summarize(await readLedger(shop, product._id))).toEqual([
      'cancel 50 → 1000',
      'order -50 → 950',
      'initial 1000 → 1000',
    ]);
  });

  test('answers 404 for an unknown part and refuses foreign cursors', async () => {
    const product = await aProduct(shop);
    const ask = (path: string) => admin.get(path);
    expect((await ask('/product/00000000-0000-4000-8000-000000000000/stock')).status).toBe(404);
    expect((await ask('/product/x/stock')).status).toBe(404);
    const products = await shop.request('/product?limit=1');
    const cursor = /after=([^&>]+)/.exec(products.headers.get('link') ?? '')?.[1];
    expect(readCode(await ask(`/product/${product._id}/stock?after=${cursor}`))).toBe('invalid');
  });

  test('sums up to the stock after simultaneous purchases and cancellations', async () => {
    const product = await aProduct(shop, { quantity: 2000 });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => signedInAs(shop, 'user')));
    await Promise.all(
      buyers.map(async (buyer, index) => {
        const order = await buyer.orders(product, 50);
        if (index % 2 === 0) await buyer.cancels(order);
        else if (index % 3 === 0) await correct(product._id, 1500);
      }),
    );
    const ledger = await readLedger(shop, product._id);
    const sum = ledger.reduce((pieces, { change }) => pieces + change, 0);
    expect(sum).toBe((await readProduct(shop, product._id)).quantity);
    expect(ledger.at(-1)).toMatchObject({ kind: 'initial', change: 2000, balance: 2000 });
    expect(await findStockDifferences(shop.db, 100)).toEqual([]);
  });
});

describe('findStockDifferences', () => {
  test('finds the parts whose stock differs from their ledger', async () => {
    const { db, pool } = shop.services.database;
    // Enough parts for more than one statement, each with its first line.
    await pool.query(`
      with added as (
        insert into products (id, name, description, price_cents, quantity, minimum_order, image)
        select gen_random_uuid(), 'Part ' || n, 'x', 100, 1000, 50, '/images/x.webp' from generate_series(1, 900) n
        returning id, quantity
      )
      insert into trail (id, event, topic, actor, request_id, product_id, stock_change)
      select gen_random_uuid(), 'product-added', 'products', 'system', gen_random_uuid(), id, quantity from added`);
    expect(await findStockDifferences(db, 100)).toEqual([]);

    const { rows: wrong } = await pool.query<{ id: string }>(
      `update products set quantity = quantity - 7
       where id in (select id from products where name like 'Part %' order by id limit 400 offset 300) returning id`,
    );
    const reported = await findStockDifferences(db, 1000);
    expect(reported.map(({ productId }) => productId).sort()).toEqual(wrong.map(({ id }) => id).sort());
    expect(new Set(reported.map(({ stock, ledger }) => `${stock} of ${ledger}`))).toEqual(
      new Set(['993 of 1000']),
    );
    expect(await findStockDifferences(db, 3)).toHaveLength(3);
    await pool.query(
      "update products set quantity = quantity + 7 where quantity = 993 and name like 'Part %'",
    );
    expect(await findStockDifferences(db, 100)).toEqual([]);
  });
});
