import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUnfinishedSeeding } from '#src/demo/beginning.ts';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { type Database, openDatabase } from './connection.ts';
import { migrate } from './migrate.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** A folder with the migrations before the one of this name, as the version before had them. */
function migrationsBefore(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'parts-forge-migrations-'));
  cpSync(migrations, folder, { recursive: true });
  const file = path.join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  const count = journal.entries.findIndex(({ tag }: { tag: string }) => tag.endsWith(`_${name}`));
  if (count < 0) throw new Error(`There is no migration ${name}.`);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return folder;
}

let place: Awaited<ReturnType<typeof newEmptyDatabase>>;
let database: Database;
beforeAll(async () => {
  place = await newEmptyDatabase();
  database = openDatabase(place.connection, readConfig({}), () => {});
  const folder = migrationsBefore('carry_over');
  await applyMigrations(drizzle(database.pool), {
    migrationsFolder: folder,
    migrationsSchema: 'public',
    migrationsTable: 'migrations',
  });
  rmSync(folder, { recursive: true });
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

test('what the version before had noted is understood after the upgrade', async () => {
  const { pool, db } = database;
  const [userId, productId, byHand, byShop] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await pool.query(
    `insert into settings (name, value) values ('demo_history_due', '2026-11-22T10:36:44.000Z')`,
  );
  await pool.query(`insert into users (id, email, name) values ($1, 'amara@fieldrepair.example', 'Amara')`, [
    userId,
  ]);
  await pool.query(
    `insert into products (id, name, description, price_cents, quantity, minimum_order, image)
     values ($1, 'Display', 'Flexible.', 100, 1000, 50, '/images/x.webp')`,
    [productId],
  );
  for (const [id, payment] of [
    [byHand, 'pi_1'],
    [byShop, 'pi_2'],
  ]) {
    await pool.query(
      `insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
         quantity, total_cents, status, transaction_id, refund_cents, refund_state)
       values ($1, $2, $3, 'Display', '/images/x.webp', 100, 'Amara', 'amara@fieldrepair.example', 'Accra', '12345',
         50, 5000, 'paid', $4, 4000, 'failed')`,
      [id, userId, productId, payment],
    );
  }
  await pool.query(
    `insert into payments (id, order_id, amount_cents, payment_cents, currency, state, attempt)
     values ('pi_2', $1, 5000, 5000, 'usd', 'applied', 1)`,
    [byShop],
  );
  await pool.query(
    `insert into refunds (id, payment_id, order_id, amount_cents, state, next_look_at)
     values ($1, 'pi_2', $2, 4000, 'failed', now())`,
    [randomUUID(), byShop],
  );

  await migrate(database);
  expect(await findUnfinishedSeeding(db)).toEqual({
    beginning: 'history',
    now: new Date('2026-11-22T10:36:44.000Z'),
  });
  // Nothing of the first one's money is gone; the second one's is on its way as long as the shop tries.
  const money = { refundCents: 0, unassignedCents: 4000, refundState: 'failed' };
  expect(await findOrderEvenClosed(db, byHand)).toMatchObject(money);
  expect(await findOrderEvenClosed(db, byShop)).toMatchObject({
    ...money,
    refundCents: 4000,
    unassignedCents: 0,
  });
});
