import { afterAll, beforeAll, expect, test } from 'vitest';
import { startShop, type TestShop } from '#test/start-shop.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

/** `Strict-Transport-Security` of a page, a call, a refusal and an address that cannot be read, with this `ORIGIN`. */
async function transportSecurity(origin: string): Promise<Set<string | null>> {
  const there = await startShop({ env: { ORIGIN: origin, PAYMENTS: 'sandbox' }, databaseOf: shop });
  try {
    const paths = ['/blogs', '/product', '/order', '/nothing', '/product/%E0%A4%A'];
    const answers = await Promise.all(paths.map((path) => there.request(path)));
    return new Set(answers.map(({ headers }) => headers.get('strict-transport-security')));
  } finally {
    await there.close();
  }
}

test('a public shop on https has browsers ask for nothing but https for a year, with every answer', async () => {
  expect(await transportSecurity('https://shop.example')).toEqual(new Set(['max-age=31536000']));
});

test.each(['http://shop.example', 'https://localhost:3000', 'https://127.0.0.1:3000', ''])(
  'a shop at %j says nothing of https',
  async (origin) => {
    expect(await transportSecurity(origin)).toEqual(new Set([null]));
  },
);
