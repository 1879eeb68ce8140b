import type { Review } from '@parts-forge/contract/products/reviews';
import { describe, expect, test } from 'vitest';
import { type Person, signedInAgain, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aDueOrder, readCode } from '#test/paying.ts';
import type { TestShop } from '#test/start-shop.ts';
import { useShop } from '#test/use-shop.ts';

const submit = (shop: TestShop, { email, token }: Person) =>
  shop.request('/review', {
    method: 'POST',
    token,
    body: { email, rating: 4, description: 'As described.' },
  });
const remove = (shop: TestShop, { token }: Person, id: string) =>
  shop.request(`/review/${id}`, { method: 'DELETE', token });
const list = async (shop: TestShop): Promise<Review[]> => (await shop.request('/review')).body;

describe('a review', () => {
  const shop = useShop();

  test('a review becomes verified in place after its customer pays', async () => {
    const { customer, order } = await aDueOrder(shop);
    const first = (await submit(shop, customer)).body.insertedId;
    const visitor = await signedInAs(shop, 'user');
    const second = (await submit(shop, visitor)).body.insertedId;
    const marks = async () =>
      (await list(shop)).filter(({ _id }) => [first, second].includes(_id)).map(({ verified }) => verified);
    expect(await marks()).toEqual([false, false]);
    await customer.pays(order);
    // Rebuilds the list.
    await submit(shop, visitor);
    expect(await marks()).toEqual([false, true]);
  });

  test("a review stays unverified after its customer's only order was cancelled", async () => {
    const { customer, order } = await aDueOrder(shop);
    await customer.cancels(order);
    const { insertedId } = (await submit(shop, customer)).body;
    expect((await list(shop)).find(({ _id }) => _id === insertedId)?.verified).toBe(false);
  });

  test('an administrator deletes a review once for all readers', async () => {
    const { insertedId } = (await submit(shop, await signedInAs(shop, 'user'))).body;
    const admin = await signedInAs(shop, 'admin');
    const removed = await remove(shop, admin, insertedId);
    expect([removed.status, removed.body]).toEqual([200, { deletedCount: 1 }]);
    expect((await list(shop)).map(({ _id }) => _id)).not.toContain(insertedId);
    expect((await remove(shop, admin, insertedId)).status).toBe(404);
  });
});

describe('rate limits', () => {
  const clock = createMovableClock();
  const shop = useShop({ clock, env: { RATE_LIMITS: 'on' } });

  test('an account may write five reviews a day, even concurrently', async () => {
    const writer = await signedInAs(shop, 'user');
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(shop, writer)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused && readCode(refused)).toBe('too-many');
    const waitSeconds = Number(refused?.headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(23 * 3600);
    expect(waitSeconds).toBeLessThanOrEqual(24 * 3600);
    expect((await submit(shop, await signedInAs(shop, 'user'))).status).toBe(200);
    // The next day, with a new token.
    clock.aheadMs = waitSeconds * 1000;
    expect((await submit(shop, await signedInAgain(shop, writer))).status).toBe(200);
  });
});
