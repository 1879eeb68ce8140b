import type { Order } from '@parts-forge/contract/orders/orders';
import type { Product } from '@parts-forge/contract/products/products';
import { expect, test } from 'vitest';
import { aProduct, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';

let customer: Person;
let part: Product;
const shop = useShop();

const HOUR_MS = 3_600_000;
const readHours = ({ createdAt, heldUntil = '' }: Order) =>
  (Date.parse(heldUntil) - Date.parse(createdAt)) / HOUR_MS;

async function begin() {
  customer = await signedInAs(shop, 'user');
  part = await aProduct(shop, { quantity: 1000, minimumOrder: 10 });
}
const placeFor = async (quantity: number, who = customer) => readHours(await who.orders(part, quantity));

test('more than a quarter of a part is held for an hour', async () => {
  await begin();
  expect(await placeFor(251)).toBe(1);
  expect((await readProduct(shop, part._id)).quantity).toBe(749);
});

test('a quarter of a part is held for three days', async () => {
  await begin();
  expect(await placeFor(250)).toBe(72);
});

test('several orders of one customer count together', async () => {
  await begin();
  expect(await placeFor(200)).toBe(72);
  expect(await placeFor(50)).toBe(72);
  expect(await placeFor(10)).toBe(1);
  expect(await placeFor(100, await signedInAs(shop, 'user'))).toBe(72);
});

test('cancelled orders do not count', async () => {
  await begin();
  const order = await customer.orders(part, 250);
  expect((await customer.cancels(order)).status).toBe(200);
  expect(await placeFor(250)).toBe(72);
});

test('a customer who paid once holds any share for three days', async () => {
  await begin();
  const small = await customer.orders(part, 10);
  await customer.pays(small);
  expect(await placeFor(990)).toBe(72);
});

test('one line of a batch is held for an hour', async () => {
  await begin();
  const other = await aProduct(shop, { quantity: 1000, minimumOrder: 10 });
  const lines = [
    { productId: part._id, quantity: 600, totalPrice: part.price * 600 },
    { productId: other._id, quantity: 10, totalPrice: other.price * 10 },
  ];
  const placed = await customer.post('/order/batch', {
    email: customer.email,
    address: 'Quayside 1, London',
    phone: '+44 20 7946 0000',
    lines,
  });
  expect(placed.status).toBe(200);
  const orders = await customer.get(`/order?email=${customer.email}`);
  expect(orders.body.data.map(readHours).sort()).toEqual([1, 72]);
});
