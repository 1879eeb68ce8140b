import { afterEach, expect, test } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import { finishSeeding } from '#src/demo/finish-seeding.ts';
import { ensureFirstAdmin } from '#src/identity/administrators.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { hasAdministrator } from '#src/users/store.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { prepareDatabase } from './prepare-database.ts';

let shop: TestShop;
afterEach(() => shop.close());

const isNeeded = { adminEmail: null, adminPassword: null };

/**
 * Prepares the database as a start with this seed does. `SEED=demo` includes the history, as only this
 * machine reaches the shop.
 */
const prepare = (seed: string) =>
  prepareDatabase({
    config: readConfig({ DATA_DIR: shop.config.dataDir, SEED: seed }),
    database: shop.services.database,
    termination: new AbortController().signal,
    takeOver: null,
    say: () => {},
  });

async function finish(): Promise<void> {
  await ensureFirstAdmin(isNeeded, shop.services);
  await finishSeeding(shop.services);
}

/** Counts the shop's contents and the age of the newest part, in days. */
async function describe() {
  const { rows } = await shop.services.database.pool.query(`
    select (select count(*) from products) as parts, (select count(*) from reviews) as reviews,
      (select count(*) from orders) as orders, (select count(*) from users where role = 'user') as customers,
      (select count(*) from trail where event = 'product-added') as ledgers,
      (select extract(day from now() - max(created_at))::int from products) as days`);
  return rows[0];
}

const described: Record<string, object> = {
  demo: { parts: 26, orders: expect.toSatisfy((count) => count > 90), customers: 12, ledgers: 26, days: 61 },
  catalogue: { parts: 26, orders: 0, customers: 0, ledgers: 26, days: 0 },
  none: { parts: 0, reviews: 0, orders: 0, customers: 0, ledgers: 0, days: null },
};

const seeds = Object.keys(described);
test.each(seeds.flatMap((first) => seeds.map((second) => [first, second] as const)))(
  'an interrupted start with SEED=%s leaves nothing to one with SEED=%s',
  async (first, second) => {
    shop = await startShop();
    await prepare(first);
    await ensureFirstAdmin(isNeeded, shop.services);
    await prepare(second);
    await finish();
    expect(await describe()).toMatchObject(described[second] ?? {});
    expect(await findStockDifferences(shop.services.database.db, 100)).toEqual([]);
  },
);

test('a finished start keeps its contents under any later settings', async () => {
  shop = await startShop();
  await prepare('demo');
  await finish();
  for (const next of ['catalogue', 'none', 'demo']) {
    await prepare(next);
    await finish();
    expect(await describe(), next).toMatchObject(described.demo ?? {});
  }
});

test('a generated sign-in is announced before it is stored', async () => {
  shop = await startShop();
  const interrupt = () => {
    throw new Error('interrupted');
  };
  const { database } = shop.services;
  await expect(ensureFirstAdmin(isNeeded, shop.services, interrupt)).rejects.toThrow('interrupted');
  expect(await hasAdministrator(database.db)).toBe(false);
  const printed: unknown[] = [];
  const made = await ensureFirstAdmin(isNeeded, shop.services, (signIn) => printed.push(signIn));
  expect(printed).toEqual([made]);

  await prepare('demo');
  await expect(finishSeeding(shop.services, interrupt)).rejects.toThrow('interrupted');
  expect(await describe()).toMatchObject({ orders: 0, customers: 0, ledgers: 0 });
  await finishSeeding(shop.services);
  expect(await describe()).toMatchObject(described.demo ?? {});
});
