import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { buildPastPayment } from '@parts-forge/card-sandbox/past-payment';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { proveMonth } from '#src/consistency/prove-month.ts';
import { findNotes } from '#src/invoices/store.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { listRefunds, loseEvents, reconcileLater } from '#test/payment-provider.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';
import { openDatabase } from './connection.ts';
import { migrateToVersion } from './migrate.ts';

const countOfRelease =
  readdirSync(new URL('../../../migrations', import.meta.url))
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .indexOf('0033_models_by_name.sql') + 1;

const shopId = randomUUID();
const customer = randomUUID();
const product = randomUUID();
const paidAt = new Date('2026-11-24T10:00:00Z');

/** An order that 1.0.0 refunded whole; the shop asked the provider already, or is about to. */
async function insertRefunded(pool: pg.Pool, sequence: number, isAsked: boolean): Promise<[string, string]> {
  const [order, refund, invoice] = [randomUUID(), randomUUID(), randomUUID()];
  const { intentId, rows } = buildPastPayment({
    amount: 5000,
    currency: 'usd',
    description: '50 × Display',
    metadata: { orderId: order, shop: shopId, attempt: '1' },
    token: 'pm_card_visa',
    paidAt,
    ...(isAsked && { refund: { amount: 5000, metadata: { refundId: refund, shop: shopId }, at: paidAt } }),
  });
  const state = isAsked ? 'succeeded' : 'pending';
  const client = await pool.connect();
  await client.query('begin');
  await client.query(
    `insert into orders (id, number, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
       quantity, total_cents, status, transaction_id, closed, closed_at, refund_cents, refund_state)
     values ($1, $2, $3, $4, 'Display', '/images/x.webp', 100, 'Amara', 'amara@fieldrepair.example', 'Accra', '12345',
       50, 5000, 'pending', $5, 'refunded', '2026-11-24T10:00:00Z', 5000, $6)`,
    [order, 10_000 + sequence, customer, product, intentId, state],
  );
  await client.query(
    `insert into payments (id, order_id, attempt, amount_cents, payment_cents, currency, state)
     values ($1, $2, 1, 5000, 5000, 'usd', 'applied')`,
    [intentId, order],
  );
  await client.query(
    `insert into refunds (id, payment_id, order_id, amount_cents, state, provider_id, next_look_at)
     values ($1, $2, $3, 5000, $4, $5, '2026-11-24T10:00:00Z')`,
    [refund, intentId, order, state, rows.find(({ kind }) => kind === 'refund')?.id],
  );
  for (const { id, kind, data } of rows) {
    await client.query('insert into sandbox_objects (id, kind, data) values ($1, $2, $3)', [id, kind, data]);
  }
  const papers = [['invoice', invoice, null], ...(isAsked ? [['credit-note', randomUUID(), invoice]] : [])];
  for (const [series, id, invoiceId] of papers) {
    await client.query(
      `insert into invoices (id, series, year, sequence, order_id, invoice_id, issued_at, transaction_id, order_number,
         currency, total_cents, seller, buyer, lines)
       select $1, $2, 2026, $3, id, $4, '2026-11-24T10:00:00Z', transaction_id, number, 'usd', 5000,
         '{"name": "Fjord Parts AS", "address": ["Oslo"], "taxId": null, "email": null}',
         '{"name": "Amara", "email": "amara@fieldrepair.example", "address": "Accra"}',
         '[{"name": "Display", "partNumber": null, "quantity": 50, "priceCents": 100, "fromQuantity": null, "amountCents": 5000}]'
       from orders where id = $5`,
      [id, series, sequence, invoiceId, order],
    );
  }
  await client.query('commit');
  client.release();
  return [order, intentId];
}

// draw-invoice.test.ts holds the bytes of such rows.
test('an upgraded shop finishes its refund and keeps its papers', async () => {
  const place = await newEmptyDatabase();
  onTestFinished(place.drop);
  const former = openDatabase(place.connection, readConfig({}), () => {});
  await migrateToVersion(former, countOfRelease);
  const { pool } = former;
  await pool.query("insert into settings (name, value) values ('instance_id', $1)", [shopId]);
  await pool.query(`insert into users (id, email, name) values ($1, 'amara@fieldrepair.example', 'Amara')`, [
    customer,
  ]);
  await pool.query(
    `insert into products (id, name, description, price_cents, quantity, minimum_order, image)
     values ($1, 'Display', 'Flexible.', 100, 1000, 50, '/images/x.webp')`,
    [product],
  );
  const [done] = await insertRefunded(pool, 1, true);
  const [waiting, payment] = await insertRefunded(pool, 2, false);
  await pool.query(
    `insert into invoice_numbers (series, year, last, last_at)
     select series, year, max(sequence), max(issued_at) from invoices group by series, year`,
  );
  const { rows: papers } = await pool.query('select * from invoices order by id');
  await former.close();

  const clock = { aheadMs: 0, now: () => new Date(paidAt.getTime() + clock.aheadMs) };
  const shop = await startForTest({ connection: place.connection, clock, env: { SELLER_TAX_RATE: '19' } });
  const { db } = shop.services.database;
  await loseEvents(shop);
  await reconcileLater(shop, clock);
  await reconcileLater(shop, clock);
  expect(await listRefunds(shop, payment)).toMatchObject([{ amount: 5000, status: 'succeeded' }]);
  expect(await findNotes(db, waiting)).toMatchObject([
    { series: 'credit-note', sequence: 2, totalCents: 5000, taxCents: 0 },
  ]);
  expect(await findNotes(db, done)).toHaveLength(1);
  const ids = papers.map(({ id }) => id);
  const { rows } = await shop.pool.query('select * from invoices where id = any($1) order by id', [ids]);
  const added = { refund_id: null, lost: false, day: expect.anything(), tax_cents: 0, tax: null };
  expect(rows).toEqual(papers.map((paper) => ({ ...paper, time_zone: 'UTC', ...added })));
  const { differences } = await proveMonth(shop.services, '2026-11');
  // The stock has no ledger here.
  expect(differences.filter(({ source }) => source !== 'stock')).toEqual([]);
});
