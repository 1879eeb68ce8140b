import { randomUUID } from 'node:crypto';
import { readCatalogueCsv } from '@parts-forge/contract/files/catalogue-file';
import { readRows } from '@parts-forge/contract/files/table';
import { formatVersion } from '@parts-forge/contract/products/product-changes';
import { type EditedField, NUMBER_FIELDS } from '@parts-forge/contract/products/product-fields';
import type { Product } from '@parts-forge/contract/products/products';
import { describe, expect, test } from 'vitest';
import { aPicture, aProduct, readProduct } from '#test/builders.ts';
import { exportCatalogue } from '#test/imports.ts';
import { readCode } from '#test/paying.ts';
import { readActivity, readLedger } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');
const customer = usePerson(shop, 'user');

const edit = (
  { _id, version }: Pick<Product, '_id' | 'version'>,
  body: unknown,
  ifMatch = formatVersion(version),
  token = admin.token,
) => shop.request(`/product/${_id}`, { method: 'PATCH', token, body, headers: { 'if-match': ifMatch } });

/** A new value for each field; the compiler names a missing one. */
async function changeAll({ number }: Product): Promise<Pick<Product, EditedField>> {
  return {
    name: 'OLED display assembly',
    number: `D-${number}`,
    kind: 'Displays',
    description: 'Flexible.\nBonded.',
    price: 66,
    minimumOrder: 100,
    orderStep: 25,
    priceBreaks: [
      { quantity: 500, price: 62.7 },
      { quantity: 5000, price: 57.9 },
    ],
    deliveryDays: 7,
    availableUntil: 2033,
    attributes: [{ name: 'Panel', value: 'Flexible OLED' }],
    fits: ['Norda 12', 'Ovo 7'],
    images: [await aPicture(shop, 'c'.repeat(64)), await aPicture(shop, 'd'.repeat(64))],
  };
}

test('every field comes back in the answer, the file and the list', async () => {
  const fields = await changeAll(await aProduct(shop));
  const [image] = fields.images;
  const sent = { ...fields, image, quantity: 1000 };
  const added = await shop.request('/product', { method: 'POST', token: admin.token, body: sent });
  expect(await readProduct(shop, added.body.insertedId)).toMatchObject(sent);

  const edited = await aProduct(shop);
  const changes = await changeAll(edited);
  expect((await edit(edited, changes)).body.data).toMatchObject(changes);

  const { number, ...others } = changes;
  const file = readCatalogueCsv((await exportCatalogue(shop, admin, 'csv')).toString());
  expect(file.lines.find((line) => line.number === number)?.fields).toMatchObject(others);

  const { description: _, attributes: __, images: ___, ...listed } = changes;
  const { parts } = (await shop.request('/price-list.json')).body;
  expect(parts).toContainEqual(expect.objectContaining(listed));
  const table = readRows((await shop.request('/price-list.csv')).body, ',');
  const cells = table.find((row) => row.cells.includes(number))?.cells.map(Number);
  expect(cells).toEqual(expect.arrayContaining(NUMBER_FIELDS.map((field) => changes[field])));
});

describe('editing a part', () => {
  test('changes only the given fields and raises the version', async () => {
    const product = await aProduct(shop, { price: 64.5 });
    const changes = await changeAll(product);
    const { status, body } = await edit(product, changes);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...product,
      ...changes,
      image: changes.images[0],
      version: 2,
      updatedAt: body.data.updatedAt,
    });
    // The next read must not come from the cache.
    expect(await readProduct(shop, product._id)).toEqual(body.data);
    const back = await edit(body.data, { priceBreaks: [], price: 64.5 });
    expect(back.body.data).toMatchObject({ ...changes, priceBreaks: [], price: 64.5, version: 3 });
  });

  test('shows in every list at once', async () => {
    const product = await aProduct(shop, { price: 90_000 });
    const first = async () => (await shop.request('/product?sort=-price&limit=1')).body[0];
    expect((await first())._id).toBe(product._id);
    await edit(product, { name: 'Renamed part' });
    expect((await first()).name).toBe('Renamed part');
    await edit({ ...product, version: 2 }, { price: 1 });
    expect((await first())._id).not.toBe(product._id);
  });

  test('records the changed fields before and after in the trail', async () => {
    const product = await aProduct(shop, { name: 'Old name', price: 10 });
    await edit(product, {
      name: 'New name',
      minimumOrder: 50,
      attributes: [{ name: 'Panel', value: 'OLED' }],
    });
    const [entry] = await readActivity(shop, '?what=product-changed&limit=1');
    expect(entry).toMatchObject({
      by: { kind: 'admin', _id: admin.userId },
      product: { _id: product._id, name: 'New name' },
      before: { name: 'Old name', attributes: '', version: 1 },
      after: { name: 'New name', attributes: 'Panel: OLED', version: 2 },
    });
    expect(Object.keys(entry?.after ?? {}).sort()).toEqual(['attributes', 'name', 'version']);
  });

  test('keeps the version without a difference', async () => {
    const product = await aProduct(shop);
    for (const changes of [{}, { name: product.name, images: product.images, fits: [] }]) {
      expect((await edit(product, changes)).body.data).toEqual(product);
    }
  });

  test('keeps price, name and image of open orders', async () => {
    const product = await aProduct(shop, { name: 'As ordered', price: 10 });
    const order = await customer.orders(product, 50);
    await edit(product, { name: 'Renamed', price: 12 });
    const { body } = await customer.get(`/order/${order._id}`);
    expect(body).toMatchObject({ productName: 'As ordered', price: 10, totalPrice: 500 });
    const next = await customer.orders(await readProduct(shop, product._id), 50);
    expect(next).toMatchObject({ productName: 'Renamed', price: 12, totalPrice: 600 });
  });

  test('does not touch a concurrently changing stock', async () => {
    const product = await aProduct(shop, { quantity: 1000 });
    await customer.orders(product, 60);
    expect((await edit(product, { price: 30 })).body.data).toMatchObject({ quantity: 940, version: 2 });
    expect(await readLedger(shop, product._id)).toHaveLength(2);
  });
});

describe('concurrent edits of one part', () => {
  test('the second edit is refused with the present part', async () => {
    const product = await aProduct(shop, { price: 64.5 });
    const [one, two] = await Promise.all([edit(product, { price: 66 }), edit(product, { price: 65 })]);
    const [saved, refused] = one.status === 200 ? [one, two] : [two, one];
    expect([saved.status, refused.status, readCode(refused)]).toEqual([200, 412, 'version-changed']);
    expect(refused.body.current).toEqual(saved.body.data);
    expect(await readProduct(shop, product._id)).toEqual(saved.body.data);
    expect((await edit(refused.body.current, { price: 67 })).body.data).toMatchObject({
      price: 67,
      version: 3,
    });
  });

  test.each(['"7"', '1', 'W/"1"', '*', '"1", "2"', '"x"'])(
    'If-Match: %s does not match the version',
    async (ifMatch) => {
      const product = await aProduct(shop);
      expect((await edit(product, { price: 12 }, ifMatch)).status).toBe(412);
    },
  );

  test('the ETag of a read does not match the version', async () => {
    const product = await aProduct(shop);
    const { headers } = await shop.request(`/product/${product._id}`);
    expect((await edit(product, { price: 12 }, headers.get('etag') ?? '')).status).toBe(412);
  });
});

describe('refusals of an edit', () => {
  test('the role is checked first', async () => {
    const product = await aProduct(shop);
    const path = `/product/${product._id}`;
    expect((await shop.request(path, { method: 'PATCH', body: { price: 12 } })).status).toBe(401);
    expect((await edit(product, { price: 12 }, '"1"', customer.token)).status).toBe(403);
    expect((await readProduct(shop, product._id)).version).toBe(1);
  });

  test('a missing If-Match is 428, before the content type is checked', async () => {
    const { _id } = await aProduct(shop);
    const send = (headers: Record<string, string>) => admin.patch(`/product/${_id}`, 'x', headers);
    const missing = await send({ 'content-type': 'text/plain' });
    expect([missing.status, readCode(missing)]).toEqual([428, 'header-required']);
    expect((await send({ 'content-type': 'text/plain', 'if-match': '"1"' })).status).toBe(415);
  });

  test('an unknown part is 404', async () => {
    expect((await edit({ _id: randomUUID(), version: 1 }, { price: 12 })).status).toBe(404);
    const product = await aProduct(shop);
    await admin.delete(`/product/${product._id}`);
    expect((await edit(product, { price: 12 })).status).toBe(404);
  });

  test.each([
    [{ quantity: 5 }, 'quantity'],
    [{ version: 5 }, 'version'],
    [{ colour: 'red' }, 'colour'],
    [{ price: null }, 'price'],
    [{ fits: null }, 'fits'],
    [{ name: '' }, 'name'],
    [{ price: 0.5 }, 'price'],
    [{ kind: 'Screens' }, 'kind'],
    [{ number: 'pf' }, 'number'],
    [{ images: [] }, 'images'],
    [{ images: ['https://evil.example/x.webp'] }, 'images.0'],
    [{ image: 'https://evil.example/x.webp' }, 'image'],
  ])('%j is 422', async (changes, path) => {
    const product = await aProduct(shop);
    const refused = await edit(product, changes);
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, path]);
    expect(await readProduct(shop, product._id)).toEqual(product);
  });

  test('a merged part that contradicts itself is 422', async () => {
    const product = await aProduct(shop, { price: 10 });
    const withBreak = (await edit(product, { priceBreaks: [{ quantity: 500, price: 9 }] })).body.data;
    for (const [changes, path] of [
      [{ price: 9 }, 'priceBreaks.0.price'],
      [{ minimumOrder: 500 }, 'priceBreaks.0.quantity'],
      [{ orderStep: 40 }, 'minimumOrder'],
      [{ image: product.image, images: [await aPicture(shop, 'd'.repeat(64))] }, 'images.0'],
    ] as const) {
      const refused = await edit(withBreak, changes);
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, path]);
    }
    expect(await readProduct(shop, product._id)).toEqual(withBreak);
  });

  test("another part's number is refused after the version check", async () => {
    const [product, other] = [await aProduct(shop), await aProduct(shop)];
    const refused = await edit(product, { number: other.number, price: 12 });
    expect([refused.status, readCode(refused)]).toEqual([409, 'number-taken']);
    expect(await readProduct(shop, product._id)).toEqual(product);
    expect((await edit(product, { number: other.number }, '"7"')).status).toBe(412);
    await admin.delete(`/product/${other._id}`);
    expect((await edit(product, { number: other.number })).status).toBe(200);
  });
});
