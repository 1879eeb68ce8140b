import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aProduct, orderBody, readProduct, signedInAgain } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { forgetKeysAndImports } from './jobs.ts';

const clock = createMovableClock();
const DAY_MS = 24 * 3_600_000;
// Orders never expire here.
const shop = useShop({ clock, env: { PAYMENT_HOURS: '0' } });
let admin = usePerson(shop, 'admin');
let customer = usePerson(shop, 'user');

async function passDays(days: number): Promise<void> {
  clock.aheadMs += days * DAY_MS;
  [admin, customer] = await Promise.all([signedInAgain(shop, admin), signedInAgain(shop, customer)]);
  await forgetKeysAndImports(shop.services);
}

test("a request's key is known for thirty days and then free", async () => {
  const product = await aProduct(shop);
  const [stockKey, orderKey] = [randomUUID(), randomUUID()];
  const restock = () =>
    admin.post(
      `/product/${product._id}/stock`,
      { add: 10, reason: 'restock' },
      { 'idempotency-key': stockKey },
    );
  const place = () => customer.post('/order', orderBody(customer, product), { 'idempotency-key': orderKey });
  const readStock = async () => (await readProduct(shop, product._id)).quantity;

  await restock();
  const { insertedId } = (await place()).body;
  expect(await readStock()).toBe(1000 + 10 - 50);
  await passDays(29);
  await restock();
  expect((await place()).body.insertedId).toBe(insertedId);
  expect(await readStock()).toBe(1000 + 10 - 50);
  await passDays(2);
  for (const table of ['request_keys', 'order_keys']) {
    expect((await shop.pool.query(`select from ${table}`)).rowCount, table).toBe(0);
  }
  await restock();
  expect((await place()).body.insertedId).not.toBe(insertedId);
  expect(await readStock()).toBe(1000 + 20 - 100);
});

test('the list of a browser has its id remembered for thirty days', async () => {
  const product = await aProduct(shop);
  const body = { join: randomUUID(), lines: [{ productId: product._id, quantity: 50 }] };
  const readQuantity = async () => {
    const options = { method: 'POST', token: customer.token, body };
    return (await shop.request('/batch/join', options)).body.data[0].quantity;
  };
  expect(await readQuantity()).toBe(50);
  await passDays(29);
  expect(await readQuantity()).toBe(50);
  await passDays(2);
  expect(await readQuantity()).toBe(100);
});
