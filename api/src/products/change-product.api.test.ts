import { randomUUID } from 'node:crypto';
import { readCatalogueCsv } from '@parts-forge/contract/files/catalogue-file';
import { readRows } from '@parts-forge/contract/files/table';
import { formatVersion } from '@parts-forge/contract/products/product-changes';
import { type EditedField, NUMBER_FIELDS } from '@parts-forge/contract/products/product-fields';
import type { Product } from '@parts-forge/contract/products/products';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPicture, aProduct, readProduct } from '#test/builders.ts';
import { exportCatalogue } from '#test/imports.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
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
    alsoKnownAs: [`GH82-${number}`, 'ÉCRAN NORDA'],
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
    replacedBy: (await aProduct(shop)).number,
    expectedAt: '2033-12-24',
    attributes: [{ name: 'Panel', value: 'Flexible OLED' }],
    fits: ['Norda 12', 'Ovo 7'],
    images: [await aPicture(shop, 'c'.repeat(64)), await aPicture(shop, 'd'.repeat(64))],
  };
}

test('every field comes back in the answer, the file and the list', async () => {
  const fields = await changeAll(await aProduct(shop));
  const [image] = fields.images;
  const sent = { ...fields, image, quantity: 1000 };
  const added = await admin.post('/product', sent);
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
  test('an unknown part is 404', async () => {
    expect((await edit({ _id: randomUUID(), version: 1 }, { price: 12 })).status).toBe(404);
    const product = await aProduct(shop);
    await admin.delete(`/product/${product._id}`);
    expect((await edit(product, { price: 12 })).status).toBe(404);
  });

  test.each([
    [{ price: 0.5 }, 'price'],
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
    expectRefusal(await edit(product, { number: other.number, price: 12 }), 409, 'number-taken');
    expect(await readProduct(shop, product._id)).toEqual(product);
    expect((await edit(product, { number: other.number }, '"7"')).status).toBe(412);
    await admin.delete(`/product/${other._id}`);
    expect((await edit(product, { number: other.number })).status).toBe(200);
  });
});

describe('managing products', () => {
  const image = `/images/${'b'.repeat(64)}-1280.webp`;
  beforeAll(async () => {
    await aPicture(shop, 'b'.repeat(64));
  });

  const newProduct = (more: object = {}) => ({
    name: 'Vapour chamber',
    description: 'Copper, 0.4 mm.\nTwo layers.',
    price: 4.2,
    quantity: 1000,
    minimumOrder: 50,
    image,
    ...more,
  });
  const add = (body: unknown, token: string | null = admin.token) =>
    shop.request('/product', { method: 'POST', token, body });

  describe('adding a product', () => {
    test("puts an administrator's product first in the list", async () => {
      const added = await add(newProduct());
      expect(added.status).toBe(200);
      expect(await readProduct(shop, added.body.insertedId)).toMatchObject({
        name: 'Vapour chamber',
        description: 'Copper, 0.4 mm.\nTwo layers.',
        price: 4.2,
        image,
      });
      expect((await shop.request('/product?limit=1')).body[0]._id).toBe(added.body.insertedId);
      expect((await add(newProduct(), null)).status).toBe(401);
      const refused = await add(newProduct(), customer.token);
      expect([refused.status, refused.body.title]).toEqual([403, 'Need Admin to access the page']);
    });

    test('stores number, kind, models, attributes, pictures, step and price breaks', async () => {
      await aPicture(shop, 'd'.repeat(64));
      const facts = {
        number: 'PF-V100',
        kind: 'Housing',
        fits: ['Norda 12'],
        attributes: [{ name: 'Thickness', value: '0.4 mm' }],
        images: [image, `/images/${'d'.repeat(64)}-1280.webp`],
        orderStep: 25,
        priceBreaks: [{ quantity: 500, price: 3.9 }],
      };
      const { insertedId } = (await add(newProduct(facts))).body;
      expect(await readProduct(shop, insertedId)).toMatchObject({ ...facts, image, version: 1 });
      const elsewhere = await add(newProduct({ images: [image, 'https://evil.example/x.webp'] }));
      expect([elsewhere.status, elsewhere.body.errors[0].path]).toEqual([422, 'images.1']);
    });

    test("defaults to the shop's next number and other defaults", async () => {
      const first = await readProduct(shop, (await add(newProduct())).body.insertedId);
      expect(first).toMatchObject({ kind: 'Other', fits: [], attributes: [], images: [image], orderStep: 1 });
      expect(first).toMatchObject({
        number: expect.stringMatching(/^PF-\d{5}$/),
        priceBreaks: [],
        version: 1,
      });
      const last = Number(first.number.slice(3));
      const taken = `PF-${String(last + 1).padStart(5, '0')}`;
      expect((await add(newProduct({ number: taken }))).status).toBe(200);
      const next = await readProduct(shop, (await add(newProduct())).body.insertedId);
      expect(next.number).toBe(`PF-${String(last + 2).padStart(5, '0')}`);
    });

    test("refuses another part's number, also for concurrent additions", async () => {
      const number = 'PF-TWICE';
      const answers = await Promise.all(Array.from({ length: 4 }, () => add(newProduct({ number }))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.type).toBe(
        'urn:parts-forge:problem:number-taken',
      );
      const id = answers.find(({ status }) => status === 200)?.body.insertedId;
      await admin.delete(`/product/${id}`);
      expect((await add(newProduct({ number }))).status).toBe(200);
    });

    test('gives concurrent additions different numbers, despite a number by hand', async () => {
      const [{ number }] = (await shop.request('/product?limit=1&q=vapour')).body;
      const added = await Promise.all([
        ...Array.from({ length: 6 }, () => add(newProduct())),
        add(newProduct({ number: `${number}-X` })),
      ]);
      const made = await Promise.all(added.map(({ body }) => readProduct(shop, body.insertedId)));
      expect(new Set(made.map((product) => product.number)).size).toBe(7);
    });

    test("accepts only the image host's pictures, with or without origin", async () => {
      expect(
        (await readProduct(shop, (await add(newProduct({ image: shop.url + image }))).body.insertedId)).image,
      ).toBe(image);
      const elsewhere = [
        'https://evil.example/x.webp',
        `https://evil.example${image}`,
        `/images/${'f'.repeat(64)}-1280.webp`,
        `${image}?x`,
        'javascript:alert(1)',
      ];
      for (const wrong of elsewhere) {
        const refused = await add(newProduct({ image: wrong }));
        expect([refused.status, refused.body.errors[0].path], wrong).toEqual([422, 'image']);
      }
    });
  });

  describe('the bounds of a new product', () => {
    const huge = { price: 1, quantity: 100_000_000 };
    test.each([
      ['name', ['x', 'x'.repeat(120), '💠'.repeat(120)], ['', ' ', 'x'.repeat(121), 7, null]],
      ['description', ['x', 'x'.repeat(2000)], ['', '\n', 'x'.repeat(2001), []]],
      ['price', [1, 1.01, 100_000], [0.99, 100_000.01, 1.005, '1', null, true]],
      ['quantity', [1000, 100_000_000], [999, 100_000_001, 1000.5, '1000', null]],
      ['minimumOrder', [50, 1000], [49, 1001, 50.5, '50', null]],
      ['image', [image], ['', `${image}${'x'.repeat(2048)}`, 7]],
    ])('apply to %s', async (field, taken, refused) => {
      for (const value of taken) {
        expect((await add(newProduct({ [field]: value }))).status, `${field} ${value}`).toBe(200);
      }
      for (const value of refused) {
        const { status, body } = await add(newProduct({ [field]: value }));
        expect(status, `${field} ${value}`).toBe(422);
        expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([field]);
      }
    });

    test('limit the minimum order to a million', async () => {
      expect((await add(newProduct({ ...huge, minimumOrder: 1_000_000 }))).status).toBe(200);
      expect((await add(newProduct({ ...huge, minimumOrder: 1_000_001 }))).status).toBe(422);
    });
  });

  describe('restocking', () => {
    const restock = (id: string, token: string | null, body: unknown = { quantity: 5 }) =>
      shop.request(`/product/${id}`, { method: 'PUT', token, body });

    test("applies an administrator's number", async () => {
      const product = await aProduct(shop);
      const { status, body } = await restock(product._id, admin.token, { quantity: 70_000 });
      expect([status, body.data.quantity]).toEqual([200, 70_000]);
      expect((await readProduct(shop, product._id)).quantity).toBe(70_000);
      for (const quantity of [0, 100_000_000]) {
        expect((await restock(product._id, admin.token, { quantity })).body.data.quantity).toBe(quantity);
      }
    });

    test('returns the unchanged product to a customer who ordered it', async () => {
      const product = await aProduct(shop);
      await customer.orders(product);
      const { status, body } = await restock(product._id, customer.token, { quantity: 100_000 });
      expect([status, body.data.quantity]).toEqual([200, 950]);
      expect((await readProduct(shop, product._id)).quantity).toBe(950);
    });

    test('is refused to others', async () => {
      const product = await aProduct(shop);
      expect((await restock(randomUUID(), admin.token)).status).toBe(404);
      for (const quantity of [-1, 0.5, '5', 100_000_001]) {
        expect((await restock(product._id, admin.token, { quantity })).status).toBe(422);
      }
      expect((await readProduct(shop, product._id)).quantity).toBe(1000);
    });
  });

  describe('deleting a product', () => {
    test("removes it from every list but keeps orders' name and image", async () => {
      const product = await aProduct(shop, { name: 'Short-lived part' });
      const order = await customer.orders(product);
      const path = `/product/${product._id}`;
      expect((await admin.delete(path)).body).toEqual({
        deletedCount: 1,
      });
      expect((await shop.request(path)).status).toBe(404);
      expect((await shop.request('/product?q=short-lived')).body).toEqual([]);
      expect((await admin.delete(path)).status).toBe(404);
      const { body } = await customer.get(`/order/${order._id}`);
      expect(body).toMatchObject({ productName: 'Short-lived part', image: product.image });
    });
  });
});
