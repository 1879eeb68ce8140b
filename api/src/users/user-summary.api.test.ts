import { expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const read = (email: string) => admin.get(`/user/${encodeURIComponent(email)}/summary`);

test('a summary has orders, sums, reviews and the last activity', async () => {
  const customer = await signedInAs(shop, 'user');
  const other = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { price: 20, quantity: 10_000 });
  const [due, cancelled, pending, paid, refunded] = [
    await customer.orders(product, 50),
    await customer.orders(product, 60),
    await customer.orders(product, 70),
    await customer.orders(product, 80),
    await customer.orders(product, 90),
  ];
  await other.orders(product, 100);
  await customer.cancels(cancelled);
  for (const order of [pending, paid, refunded]) await customer.pays(order);
  await admin.accepts(paid);
  await admin.post(`/order/${refunded._id}/refund`, { returnStock: true });
  const review = { email: customer.email, rating: 4.5, description: 'Consistent.' };
  await customer.post('/review', review);

  const { status, body } = await read(customer.email.toUpperCase());
  expect(status).toBe(200);
  expect(body).toEqual({
    orders: 3,
    paid: 1600,
    waiting: 1400,
    unpaid: 1000,
    refunded: 1800,
    reviews: [expect.objectContaining({ rating: 4.5, description: 'Consistent.', verified: true })],
    lastSeen: expect.any(String),
  });
  expect(body.lastSeen >= due.createdAt).toBe(true);
});

test('a new customer has a summary, and an unknown address has none', async () => {
  const { email } = await signedInAs(shop, 'user');
  expect((await read(email)).body).toMatchObject({
    orders: 0,
    paid: 0,
    waiting: 0,
    unpaid: 0,
    refunded: 0,
    reviews: [],
  });
  expect((await read('nobody@fieldrepair.example')).status).toBe(404);
});
