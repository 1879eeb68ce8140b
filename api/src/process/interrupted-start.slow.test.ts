import { afterEach, expect, test } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import { isSeedingDue } from '#src/demo/beginning.ts';
import { seedDemo } from '#src/demo/seed-demo.ts';
import { ensureFirstAdmin } from '#src/identity/administrators.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { hasAdministrator } from '#src/users/store.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let shop: TestShop;
afterEach(() => shop.close());

const isNeeded = { adminEmail: null, adminPassword: null };

const interrupt = () => {
  throw new Error('interrupted');
};

/** Fills the database as a start with this seed does. `SEED=demo` has a history on loopback alone. */
async function seed(seeds: string, printSignIn?: () => void): Promise<void> {
  await ensureFirstAdmin(isNeeded, shop.services);
  const config = readConfig({ DATA_DIR: shop.config.dataDir, SEED: seeds });
  await seedDemo({ ...shop.services, config }, printSignIn);
}

/** Counts the shop's contents and the age of the newest part, in days. */
async function describe() {
  const { rows } = await shop.pool.query(`
    select (select count(*) from products) as parts, (select count(*) from reviews) as reviews,
      (select count(*) from orders) as orders, (select count(*) from users where role = 'user') as customers,
      (select count(*) from trail where event = 'product-added') as ledgers,
      (select extract(day from now() - max(created_at))::int from products) as days`);
  return rows[0];
}

const described: Record<string, object> = {
  demo: { parts: 26, orders: 64, customers: 12, ledgers: 26, days: 61 },
  catalogue: { parts: 26, orders: 0, customers: 0, ledgers: 26, days: 0 },
  none: { parts: 0, reviews: 0, orders: 0, customers: 0, ledgers: 0, days: null },
};

test.each(Object.keys(described))(
  'an interrupted first start leaves nothing to one with SEED=%s',
  async (second) => {
    shop = await startShop();
    await expect(seed('demo', interrupt)).rejects.toThrow('interrupted');
    expect(await describe()).toMatchObject(described.none ?? {});
    await seed(second);
    expect(await describe()).toMatchObject(described[second] ?? {});
    expect(await findStockDifferences(shop.db, 100)).toEqual([]);
  },
);

test('a first start of 1.0.0 that was interrupted starts over', async () => {
  shop = await startShop();
  const { pool, db } = shop.services.database;
  await seed('catalogue');
  await pool.query(`insert into settings (name, value) values ('demo_unfinished', 'catalogue 2026-11-22')`);
  expect(await isSeedingDue({ seed: 'none' }, db)).toBe(true);
  await seed('demo');
  expect(await describe()).toMatchObject({ parts: 26, orders: 64, days: 61 });
  expect(await isSeedingDue({ seed: 'demo' }, db)).toBe(false);
});

test('a finished start keeps its contents under any later settings', async () => {
  shop = await startShop();
  await seed('demo');
  for (const next of ['catalogue', 'none', 'demo']) {
    await seed(next);
    expect(await describe(), next).toMatchObject(described.demo ?? {});
  }
});

test('a generated sign-in is announced before it is stored', async () => {
  shop = await startShop();
  const { database } = shop.services;
  await expect(ensureFirstAdmin(isNeeded, shop.services, interrupt)).rejects.toThrow('interrupted');
  expect(await hasAdministrator(database.db)).toBe(false);
  const printed: unknown[] = [];
  const made = await ensureFirstAdmin(isNeeded, shop.services, (signIn) => printed.push(signIn));
  expect(printed).toEqual([made]);
});
