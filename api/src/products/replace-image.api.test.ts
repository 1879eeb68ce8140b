import { expect, test } from 'vitest';
import { withOwnConnection } from '#src/platform/database/connection.ts';
import { aProduct, readProduct } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';
import { awaitWaiting } from '#test/waiting-statements.ts';
import { replaceProductImage } from './store.ts';

// Slow machines must not fail this test.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' } });

test('replacing a picture locks parts by id, like a batch', async () => {
  const { database, changes } = shop.services;
  const [first, second] = [await aProduct(shop), await aProduct(shop)];
  const ids = [first._id, second._id].sort();
  const from = first.image;
  // A table scan would lock the part with the higher id first.
  await database.pool.query('update products set description = description where id = $1', [ids[0]]);
  await withOwnConnection(database, async (client) => {
    await client.query('begin');
    await client.query('select from products where id = $1 for no key update', [ids[0]]);
    const replaced = changes.write((tx, changed) => {
      changed('products', 'catalogue', `product:${first._id}`, `product:${second._id}`);
      return replaceProductImage(tx, from, '/images/other.webp');
    });
    await awaitWaiting(client, 1);
    await client.query('select from products where id = $1 for no key update nowait', [ids[1]]);
    await client.query('commit');
    expect((await replaced).sort()).toEqual(ids);
  });
  expect(await readProduct(shop, second._id)).toMatchObject({ image: '/images/other.webp' });
});
