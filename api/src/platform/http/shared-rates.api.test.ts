import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

/** Two processes on one database, as two workers or two machines are. */
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

/** From an address of its own, past the network. */
const ask = async (shop: TestShop, remoteAddress: string) =>
  (await shop.app.inject({ url: '/config', remoteAddress })).statusCode;

test('a hundred and twenty payments in a minute can be opened by an account in all processes together', async () => {
  const customer = await signedInAs(shops[0], 'user');
  const open = async (index: number) => {
    const shop = shops[index % 2] ?? shops[0];
    const { status } = await shop.request('/create-payment-intent', {
      method: 'POST',
      token: customer.token,
      body: { price: 1 },
    });
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: 130 }, (_, index) => open(index)));
  expect(statuses.filter((status) => status === 404)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test('an address that has asked one process too often is refused by another one soon, and others are not', async () => {
  const address = '198.51.100.7';
  for (let sent = 0; sent < 1_200; sent += 100) {
    await Promise.all(Array.from({ length: 100 }, () => ask(shops[0], address)));
  }
  expect(await ask(shops[0], address)).toBe(429);
  // The other one hears of it once the address is worth asking about: a twenty-fourth of what it may.
  const statuses: number[] = [];
  await expect
    .poll(
      async () => {
        statuses.push(await ask(shops[1], address));
        return statuses.at(-1);
      },
      { interval: 10, timeout: 20_000 },
    )
    .toBe(429);
  expect(statuses.length).toBeGreaterThan(50);
  expect(statuses.length).toBeLessThan(250);
  expect(await ask(shops[1], '198.51.100.8')).toBe(200);
});
