import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(async () => {
  // No address is a failure of ours.
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('a path with a part that is longer than any of ours names nothing', async () => {
  const { token } = await signedInAs(shop, 'admin');
  const answer = await fetch(`${shop.url}/product/${'a'.repeat(801)}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
});

test.each([
  '/sandbox/stripe/v1/payment_intents/pi_%00',
  '/sandbox/stripe/v1/elements/%00',
  '/sandbox/%00',
  '/product/%00',
  '/user/%00',
  '/images/%00.webp',
  '/%00',
])('a path with a null byte names nothing: %s', async (path) => {
  expect(
    (await fetch(shop.url + path, { headers: { authorization: 'Bearer pk_test_sandbox' } })).status,
  ).toBe(404);
});

test.each(['0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-01-01T24:00:00.000Z'])(
  'a cursor at a moment that there is not is refused: %s',
  async (moment) => {
    const cursor = [moment, '01890000-0000-7000-8000-000000000000'];
    const after = Buffer.from(JSON.stringify(cursor)).toString('base64url');
    for (const path of ['/product', '/review']) {
      expect((await shop.request(`${path}?after=${after}`)).status).toBe(422);
    }
  },
);
