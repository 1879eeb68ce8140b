import { expect, test } from 'vitest';
import { hashToken } from '#src/platform/core/hash-token.ts';
import { aProduct, readProduct, signedInAs } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';
import { takeStockAndWriteOrders } from './take-stock.ts';

const shop = useShop();
const other = useShop({ shareDatabaseWith: shop });

test('other processes soon read an order whose notification was lost', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { quantity: 1000, minimumOrder: 1, price: 2 });
  await expect.poll(async () => (await readProduct(other, product._id)).quantity).toBe(1000);
  const order = {
    id: shop.services.ids.next(),
    userId: customer.userId,
    tokenHash: hashToken(customer.token),
    name: 'Amara Okafor',
    email: customer.email,
    address: '12 Oxford Street',
    phone: '233302771204',
    productId: product._id,
    quantity: 50,
    seenCents: 10_000,
    reference: null,
    batch: null,
    keyId: null,
    heldUntil: null,
    now: new Date(),
    key: null,
    mailId: shop.services.ids.next(),
  };
  const limits = { maxUnpaid: null, lockTimeoutMs: null, tax: null };
  const placed = await takeStockAndWriteOrders(shop.services.database, [order], limits);
  expect([...placed.keys()]).toEqual([order.id]);
  expect((await readProduct(other, product._id)).quantity).toBe(1000);
  // Well below the 30 s after which caches expire anyway.
  await expect
    .poll(async () => (await readProduct(other, product._id)).quantity, { interval: 10, timeout: 10_000 })
    .toBe(950);
});
