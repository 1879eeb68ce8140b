import type { PriceList } from '@parts-forge/contract/products/price-list';
import type { Product } from '@parts-forge/contract/products/products';
import { beforeAll, describe, expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

let part: Product;
const model = 'Vela 9/Pro & "Max"';
const promises = { deliveryDays: 3, availableUntil: 2033 };

const shop = useShop();
const taxed = useShop({ env: { SELLER_TAX_RATE: '20' }, shareDatabaseWith: shop });
const admin = usePerson(shop, 'admin');
beforeAll(async () => {
  part = await aProduct(shop, { name: '=Coil', price: 12, minimumOrder: 50 });
  const priceBreaks = [{ quantity: 500, price: 11 }];
  part = (await edit({ ...promises, priceBreaks, number: 'PF-0001', fits: [model] })).body.data;
});

const edit = (body: object) => admin.patch(`/product/${part._id}`, body, { 'if-match': `"${part.version}"` });
const readList = async (on = shop): Promise<PriceList> => (await on.request('/price-list.json')).body;

describe('the price list', () => {
  test('has price, breaks, models and promises of each part', async () => {
    const { parts, ...head } = await readList();
    expect(head).toEqual({ currency: 'USD' });
    const { _id, number, name, kind, orderStep } = part;
    expect(parts.find((each) => each._id === _id)).toEqual({
      _id,
      number,
      name,
      kind,
      orderStep,
      alsoKnownAs: [],
      replacedBy: null,
      expectedAt: null,
      ...promises,
      fits: [model],
      price: 12,
      priceBreaks: [{ quantity: 500, price: 11 }],
      minimumOrder: 50,
    });
  });

  test('has net prices that thousands of pieces can be counted by', async () => {
    const { parts, taxPercent } = await readList(taxed);
    expect(taxPercent).toBe(20);
    expect(parts.find(({ _id }) => _id === part._id)).toMatchObject({
      price: 12,
      netPrice: 10,
      priceBreaks: [{ price: 11, netPrice: 9.1666666667 }],
    });
    const { body } = await taxed.request('/price-list.csv');
    expect(body).toMatch(/,12.00,10.00,500: 11.00,.*,500: 9.1666666667,20.00,/);
  });

  test('is a table, whose texts are no formulas', async () => {
    const { body, headers } = await shop.request('/price-list.csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(body).toContain(
      `PF-0001,'=Coil,Other,"Vela 9/Pro & ""Max""",12.00,,500: 11.00,50,1,3,2033,${part._id},,`,
    );
  });

  test.each(['/price-list.json', '/price-list.csv'])('%s stays as it is after an order', async (path) => {
    const etag = (await shop.request(path)).headers.get('etag') ?? '';
    await (await signedInAs(shop, 'user')).orders(part);
    const again = await shop.request(path, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    part = (await edit({ deliveryDays: null })).body.data;
    const { status } = await shop.request(path, { headers: { 'if-none-match': etag } });
    expect(status).toBe(200);
    part = (await edit(promises)).body.data;
  });
});

describe('a promise of a part', () => {
  test.each([
    ['deliveryDays', 0],
    ['deliveryDays', 366],
    ['deliveryDays', 1.5],
    ['availableUntil', 1999],
    ['availableUntil', '2030'],
  ])('%s of %j is refused', async (field, value) => {
    const { status, body } = await edit({ [field]: value });
    expect([status, body.errors?.[0]?.path]).toEqual([422, field]);
  });
});

describe("a model's page", () => {
  const address = `/models/${encodeURIComponent(model)}`;

  test('lists its parts with price and promises', async () => {
    const { status, body } = await shop.request(address, { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
    for (const text of ['PF-0001', '$12.00', '3 working days', '2033']) expect(body).toContain(text);
  });

  test('is in the sitemap', async () => {
    expect((await shop.request('/sitemap.xml')).body).toContain(`<loc>${shop.url}${address}</loc>`);
  });

  test.each(['Unknown', 'x'.repeat(500), '%00', `${encodeURIComponent(model)}%E2%80%AE`])(
    'is missing for model %s',
    async (name) => {
      const { status } = await shop.request(`/models/${name}`, { headers: { accept: 'text/html' } });
      expect(status).toBe(404);
    },
  );
});

test('a program orders from a model in four requests', async () => {
  const customer = await signedInAs(shop, 'user');
  const { parts } = await readList();
  const found = parts.find(({ fits }) => fits.includes(model));
  const { status, body } = await customer.post('/order', {
    email: customer.email,
    address: '1 Harbour Street',
    phone: '233302771204',
    productId: found?._id,
    quantity: found?.minimumOrder,
    totalPrice: (found?.price ?? 0) * (found?.minimumOrder ?? 0),
  });
  expect([status, typeof body.insertedId]).toEqual([200, 'string']);
});
