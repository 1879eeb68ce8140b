import type { Product } from '@parts-forge/contract/products/products';
import { beforeEach, describe, expect, test } from 'vitest';
import { aProduct, orderBody, type Person, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { useShop } from '#test/use-shop.ts';

const clock = createMovableClock();
const shop = useShop(() => ({ clock, env: { SHOP_TIME_ZONE: 'Europe/Berlin' } }));
let admin: Person;
let customer: Person;
beforeEach(async () => {
  [admin, customer] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
});

const breaks = [
  { quantity: 500, price: 61.2 },
  { quantity: 5000, price: 57.9 },
];
const aPart = () => aProduct(shop, { price: 64.5, quantity: 24_800, priceBreaks: breaks });
const agree = ({ _id }: Product, price: number, more: object = {}, { email } = customer) =>
  admin.put('/agreed-price', { customer: email, productId: _id, fromQuantity: 50, price, ...more });
const readOwn = async (parts: readonly Product[], person = customer) =>
  (await person.get(`/price?products=${parts.map(({ _id }) => _id)}`)).body.data;
const place = (part: Product, quantity: number, price: number, person = customer) =>
  person.post('/order', {
    ...orderBody(person, part, quantity),
    totalPrice: Math.round(quantity * price * 100) / 100,
  });

describe('an agreed price', () => {
  test('is what its customer pays, and nobody else', async () => {
    const part = await aPart();
    expect((await agree(part, 60)).status).toBe(200);
    const placed = await place(part, 50, 60);
    expect((await customer.get(`/order/${placed.body.insertedId}`)).body).toMatchObject({ price: 60 });
    const other = await signedInAs(shop, 'user');
    expect((await place(part, 50, 60, other)).body).toMatchObject({ status: 409, price: 64.5 });
    expect(await readOwn([part], other)).toEqual([]);
  });
});
