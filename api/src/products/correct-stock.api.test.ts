import type { Product } from '@parts-forge/contract/products/products';
import { expect, test, vi } from 'vitest';
import type { ChangeListener } from '#src/platform/database/change-feed.ts';
import { aProduct, readProduct } from '#test/builders.ts';
import { readCode } from '#test/paying.ts';
import { readActivity, readLedger } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const correct = ({ _id }: Pick<Product, '_id'>, quantity: number) =>
  admin.put(`/product/${_id}`, { quantity });

test('a correction sets the stock and records the difference', async () => {
  const product = await aProduct(shop, { quantity: 1000 });
  const { status, body } = await correct(product, 940);
  expect([status, body.data.quantity]).toEqual([200, 940]);
  expect(await readProduct(shop, product._id)).toMatchObject({ quantity: 940 });
  await correct(product, 2000);
  expect(await readLedger(shop, product._id)).toMatchObject([
    { kind: 'correction', change: 1060, balance: 2000, by: { _id: admin.userId } },
    { kind: 'correction', change: -60, balance: 940 },
    { kind: 'initial', change: 1000, balance: 1000 },
  ]);
  const [entry] = await readActivity(shop, `?q=${product._id}`);
  expect(entry).toMatchObject({
    event: 'stock-corrected',
    product: { _id: product._id },
    before: { quantity: 940 },
    after: { quantity: 2000 },
  });
});

test('concurrent corrections each have their own ledger line', async () => {
  const product = await aProduct(shop, { quantity: 1000 });
  await Promise.all([500, 700, 900].map((quantity) => correct(product, quantity)));
  const moves = await readLedger(shop, product._id);
  const { quantity } = await readProduct(shop, product._id);
  expect(moves[0]?.balance).toBe(quantity);
  expect(moves.reduce((sum, { change }) => sum + change, 0)).toBe(quantity);
});

test('an unknown or deleted part is not corrected', async () => {
  const deleted = await aProduct(shop);
  await admin.delete(`/product/${deleted._id}`);
  for (const product of [deleted, { _id: shop.services.ids.next() }]) {
    const refused = await correct(product, 10);
    expect([refused.status, readCode(refused)]).toEqual([404, 'not-found']);
  }
  expect(await readLedger(shop, deleted._id)).toHaveLength(1);
});

test('a correction publishes the part and its lists', async () => {
  const product = await aProduct(shop);
  const hear = vi.fn<ChangeListener>();
  shop.services.changes.subscribe(hear);
  await correct(product, 10);
  expect(hear).toHaveBeenCalledWith(new Set([`product:${product._id}`, 'products']), false);
});
