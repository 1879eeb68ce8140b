import { COUNTED_TO } from '@parts-forge/contract/calls/bounds';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();

test('a list counts matches up to a limit, then says more', async () => {
  const { userId } = await signedInAs(shop, 'user');
  await shop.services.database.db.execute(sql`
    insert into reviews (id, user_id, name, rating_halves, description)
    select gen_random_uuid(), ${userId}, 'Amara Okafor', 10, 'As described.' from generate_series(1, ${COUNTED_TO}::int)`);
  const countAll = async () => (await shop.request('/review?limit=1')).headers.get('x-total-count');
  expect(await countAll()).toBe('1000');
  await shop.services.changes.write(async (tx, changed) => {
    await tx.execute(sql`
      insert into reviews (id, user_id, name, rating_halves, description)
      values (gen_random_uuid(), ${userId}, 'Amara Okafor', 10, 'As described.')`);
    changed('reviews');
  });
  expect(await countAll()).toBe('1000+');
});
