import { totalCents, unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Product } from '@parts-forge/contract/products/products';
import { describe, expect, test } from 'vitest';
import { aProduct, orderBody, readProduct } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { unitPriceSql, withoutTaxSql } from './take-stock.ts';

const shop = useShop();
const customer = usePerson(shop, 'user');

const breaks = [
  { quantity: 500, price: 61.2 },
  { quantity: 5000, price: 57.9 },
];
const aPartWithBreaks = () =>
  aProduct(shop, { price: 64.5, quantity: 24_800, minimumOrder: 50, orderStep: 25, priceBreaks: breaks });

const place = (product: Product, quantity: number, totalPrice: number) =>
  customer.post('/order', { ...orderBody(customer, product, quantity), totalPrice });
const readPlaced = async (id: string) => (await customer.get(`/order/${id}`)).body;

describe('the unit price of an order', () => {
  test.each([
    [475, 64.5, 30_637.5],
    [500, 61.2, 30_600],
    [4975, 61.2, 304_470],
    [5000, 57.9, 289_500],
  ])('%d pieces at $%d cost $%d', async (quantity, price, totalPrice) => {
    const placed = await place(await aPartWithBreaks(), quantity, totalPrice);
    expect(placed.status).toBe(200);
    expect(await readPlaced(placed.body.insertedId)).toMatchObject({ quantity, price, totalPrice });
  });

  test('is the lower one for a client without price breaks', async () => {
    const placed = await place(await aPartWithBreaks(), 500, 500 * 64.5);
    expect(placed.status).toBe(200);
    expect(await readPlaced(placed.body.insertedId)).toMatchObject({ price: 61.2, totalPrice: 30_600 });
  });

  test('the payment limit applies to the charged total, not the sent one', async () => {
    const product = await aProduct(shop, {
      price: 60,
      quantity: 100_000,
      priceBreaks: [{ quantity: 20_000, price: 45 }],
    });
    const placed = await place(product, 20_000, 1_200_000);
    expect(await readPlaced(placed.body.insertedId)).toMatchObject({ totalPrice: 900_000 });
    expect((await place(product, 23_000, 23_000 * 45)).body).toMatchObject({
      detail: 'Amount must be no more than $999,999.99',
    });
  });

  test("refuses a total at another quantity's price", async () => {
    const product = await aPartWithBreaks();
    for (const totalPrice of [475 * 61.2, 475 * 57.9, 475 * 64.49]) {
      const refused = await place(product, 475, totalPrice);
      expect([refused.status, refused.body.price]).toEqual([409, 64.5]);
    }
    expect((await place(product, 500, 500 * 57.9)).body).toMatchObject({ status: 409, price: 61.2 });
    expect((await readProduct(shop, product._id)).quantity).toBe(24_800);
  });
});

describe('the order step', () => {
  test("refuses other quantities with 'Please order in steps of {orderStep}'", async () => {
    const product = await aPartWithBreaks();
    const refused = await place(product, 490, 490 * 64.5);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([{ path: 'quantity', message: 'Please order in steps of 25' }]);
    expect((await readProduct(shop, product._id)).quantity).toBe(24_800);
  });

  test('the order step applies to the last pieces of the stock', async () => {
    const product = await aProduct(shop, { quantity: 110, minimumOrder: 50, orderStep: 25 });
    expect((await place(product, 110, 110 * product.price)).status).toBe(422);
    expect((await place(product, 100, 100 * product.price)).status).toBe(200);
    expect((await readProduct(shop, product._id)).quantity).toBe(10);
  });
});

describe('an order', () => {
  test('keeps its number and unit price after a price change', async () => {
    const product = await aPartWithBreaks();
    const first = await customer.orders(product, 50);
    await shop.pool.query("update products set price_cents = 9900, price_breaks = '[]' where id = $1", [
      product._id,
    ]);
    expect(await readPlaced(first._id)).toMatchObject({ price: 64.5, totalPrice: 3225 });
    const second = await place(product, 50, 50 * 99);
    const { number } = await readPlaced(second.body.insertedId);
    expect(number).toBeGreaterThan(first.number);
    expect(first.number).toBeGreaterThan(10_000);
  });

  test("carries the customer's reference of at most 60 characters", async () => {
    const product = await aProduct(shop);
    const request = { ...orderBody(customer, product), reference: '  PO 4711 ' };
    const send = (body: object) => customer.post('/order', body);
    const { insertedId } = (await send(request)).body;
    expect(await readPlaced(insertedId)).toMatchObject({ reference: 'PO 4711' });
    expect((await send({ ...request, reference: 'x'.repeat(61) })).status).toBe(422);
    const without = (await send({ ...request, reference: ' ' })).body.insertedId;
    expect(await readPlaced(without)).not.toHaveProperty('reference');
  });
});

test('the SQL statement takes tax off as the contract does', async () => {
  const rates = [0, 1, 550, 1900, 1923, 2000, 5000];
  const cases = [1, 2, 3, 50, 1030, 113_943, 99_999_999, 9_999_999_900_000_000].flatMap((cents) =>
    rates.map((rate) => ({ cents, rate })),
  );
  const { rows } = await shop.pool.query<{ net: string }>(
    `select ${withoutTaxSql('cents', 'rate')} as net
     from unnest($1::bigint[], $2::int[]) with ordinality as line (cents, rate, place) order by place`,
    [cases.map(({ cents }) => cents), cases.map(({ rate }) => rate)],
  );
  expect(rows.map(({ net }) => Number(net))).toEqual(
    cases.map(({ cents, rate }) => totalCents(1, cents, rate)),
  );
});

test('the SQL statement prices every quantity as the contract does', async () => {
  // Parts with none to five breaks, and the quantities around each.
  const parts = Array.from({ length: 200 }, (_, index) => {
    const count = index % 6;
    const priceCents = 100 + ((index * 7919) % 999_900) + 100 * count;
    const priceBreaks = Array.from({ length: count }, (_, place) => ({
      quantity: 50 + (place + 1) * (1 + ((index * 31) % 1000)),
      priceCents: priceCents - (place + 1) * (1 + (index % 17)),
    }));
    return { priceCents, priceBreaks };
  });
  const cases = parts.flatMap((part) =>
    [1, 49, 50, 51, 100_000_000, ...part.priceBreaks.flatMap(({ quantity: at }) => [at - 1, at, at + 1])].map(
      (quantity) => ({ quantity, ...part }),
    ),
  );
  const { rows } = await shop.pool.query<{ price: number }>(
    `select ${unitPriceSql('quantity', 'price_cents', 'price_breaks')} as price
     from unnest($1::int[], $2::int[], $3::jsonb[]) with ordinality as part (quantity, price_cents, price_breaks, place)
     order by place`,
    [
      cases.map(({ quantity }) => quantity),
      cases.map(({ priceCents }) => priceCents),
      cases.map(({ priceBreaks }) => JSON.stringify(priceBreaks)),
    ],
  );
  const toWire = ({ priceCents, priceBreaks }: (typeof cases)[number]) => ({
    price: priceCents / 100,
    priceBreaks: priceBreaks.map((each) => ({ quantity: each.quantity, price: each.priceCents / 100 })),
  });
  expect(cases.length).toBeGreaterThan(2000);
  expect(rows.map(({ price }) => price)).toEqual(
    cases.map((part) => unitPriceFor(part.quantity, toWire(part))),
  );
});
