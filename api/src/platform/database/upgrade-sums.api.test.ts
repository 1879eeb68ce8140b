import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOrderTotals } from '#src/orders/order-sums.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { type Database, openDatabase } from './connection.ts';
import { migrate, migrateToVersion } from './migrate.ts';

const migrations = readdirSync(new URL('../../../migrations', import.meta.url))
  .filter((file) => file.endsWith('.sql'))
  .toSorted();

let place: Awaited<ReturnType<typeof newEmptyDatabase>>;
let database: Database;
beforeEach(async () => {
  place = await newEmptyDatabase();
  database = openDatabase(place.connection, readConfig({}), () => {});
  const count = migrations.findIndex((file) => file.endsWith('_unassigned_in_sums.sql'));
  expect(count).toBeGreaterThan(0);
  await migrateToVersion(database, count);
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

interface Money {
  paymentId: string;
  refundCents?: number;
  unassignedCents?: number;
  refundState?: string;
}

/** Orders of $50 each, paid and accepted, with the amounts that an earlier version stored. */
async function insertOrders(moneys: readonly Money[]): Promise<string[]> {
  const { pool } = database;
  const [userId, productId] = [randomUUID(), randomUUID()];
  await pool.query("insert into users (id, email, name) values ($1, 'amara@fieldrepair.example', 'Amara')", [
    userId,
  ]);
  await pool.query(
    `insert into products (id, name, description, price_cents, quantity, minimum_order, image)
     values ($1, 'Display', 'Flexible.', 100, 1000, 50, '/images/x.webp')`,
    [productId],
  );
  const ids = moneys.map(() => randomUUID()).toSorted();
  for (const [index, { paymentId, refundCents = 0, unassignedCents = 0, refundState }] of moneys.entries()) {
    await pool.query(
      `insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
         quantity, total_cents, status, transaction_id, refund_cents, unassigned_cents, refund_state)
       values ($1, $2, $3, 'Display', '/images/x.webp', 100, 'Amara', 'amara@fieldrepair.example', 'Accra', '12345',
         50, 5000, 'paid', $4, $5, $6, $7)`,
      [ids[index], userId, productId, paymentId, refundCents, unassignedCents, refundState ?? null],
    );
  }
  return ids;
}

async function readSums() {
  const { refunded, refundedCents } = await readOrderTotals(database.db);
  const { rows } = await database.db.execute<{ cents: string }>(
    sql`select sum(revenue_cents) as cents from order_sums`,
  );
  return { refunded, refundedCents, revenueCents: Number(rows[0]?.cents) };
}

test('unassigned money of several orders counts once after the upgrade', async () => {
  const unassigned = { paymentId: 'pi_1', unassignedCents: 3000, refundState: 'succeeded' };
  const failed = { paymentId: 'pi_2', unassignedCents: 700, refundState: 'failed' };
  await insertOrders([unassigned, { ...unassigned, refundCents: 1000 }, failed, failed]);
  expect(await readSums()).toEqual({ refunded: 1, refundedCents: 1000, revenueCents: 19_000 });
  await migrate(database);
  const sums = { refunded: 2, refundedCents: 4000, revenueCents: 16_000 };
  expect(await readSums()).toEqual(sums);
  await database.db.execute(sql`select sum_orders()`);
  expect(await readSums()).toEqual(sums);
});

test('a failed refund is out of the sums after the upgrade', async () => {
  const moneys = ['failed', 'failed', 'pending'].map((refundState, index) => ({
    paymentId: `pi_${index}`,
    refundCents: 5000,
    refundState,
  }));
  const ids = await insertOrders(moneys);
  // 1000 of the second one was refunded before its refund was requested.
  for (const [index, amountCents] of [5000, 4000, 5000].entries()) {
    const { paymentId, refundState } = moneys[index] as (typeof moneys)[number];
    await database.pool.query(
      `insert into payments (id, order_id, amount_cents, payment_cents, currency, state, attempt)
       values ($1, $2, 5000, 5000, 'usd', 'applied', 1)`,
      [paymentId, ids[index]],
    );
    await database.pool.query(
      `insert into refunds (id, payment_id, order_id, amount_cents, state, next_look_at)
       values ($1, $2, $3, $4, $5, now())`,
      [randomUUID(), paymentId, ids[index], amountCents, refundState],
    );
  }
  expect(await readSums()).toEqual({ refunded: 3, refundedCents: 15_000, revenueCents: 0 });
  await migrate(database);
  const sums = { refunded: 2, refundedCents: 6000, revenueCents: 9000 };
  expect(await readSums()).toEqual(sums);
  await database.db.execute(sql`select sum_orders()`);
  expect(await readSums()).toEqual(sums);
});
