import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { personAt } from '#test/person.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

/** Two processes on one database, like two workers or machines. */
let shops: readonly [TestShop, TestShop];
beforeAll(async () => {
  const env = { RATE_LIMITS: 'on', WORKERS: '2' };
  const first = await startShop({ env });
  shops = [first, await startShop({ env, shareDatabaseWith: first })];
});
afterAll(async () => {
  for (const shop of shops.toReversed()) {
    expect(shop.errors).toEqual([]);
    await shop.close();
  }
});

test('all processes together open 120 payments a minute for an account', async () => {
  const customer = await signedInAs(shops[0], 'user');
  const open = async (index: number) => {
    const shop = shops[index % 2] ?? shops[0];
    const { status } = await personAt(shop, customer).post('/create-payment-intent', { price: 1 });
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: 130 }, (_, index) => open(index)));
  expect(statuses.filter((status) => status === 404)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});
