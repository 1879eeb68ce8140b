import pg from 'pg';
import { expect, test } from 'vitest';
import { startOwnedPostgres } from '#test/owned-postgres.ts';
import { cleanUps, isOpen, newFolder, settingsOfNewShop, startShopProcess } from '#test/processes.ts';

test('two shops that open an empty database together create one shop', async () => {
  const { url: DATABASE_URL } = await startOwnedPostgres();
  const DATA_DIR = newFolder();
  const start = async () =>
    startShopProcess({ ...(await settingsOfNewShop()), DATABASE_URL, DATA_DIR, SEED: 'demo', WORKERS: '2' });
  const shops = await Promise.all([start(), start()]);
  await Promise.all(shops.map(isOpen));
  const said = shops.map((shop) => shop.said()).join('');
  expect(said.match(/The first administrator signs in as/g)).toHaveLength(1);
  expect(said.match(/A customer of the demonstration signs in as/g)).toHaveLength(1);
  expect(said).not.toMatch(/error/i);

  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  cleanUps.push(() => client.end());
  const { rows } = await client.query(
    `select (select count(*) = count(distinct name) and count(*) > 0 from products) as products,
       (select count(*)::int from users where role = 'admin') as administrators,
       (select count(*) = count(distinct email) and count(*) > 0 from users where role = 'user') as customers,
       (select count(*) > 0 from orders) as orders,
       (select count(*)::int from settings where name = 'instance_id') as instances`,
  );
  expect(rows).toEqual([{ products: true, administrators: 1, customers: true, orders: true, instances: 1 }]);
});
