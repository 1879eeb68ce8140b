import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPicture, aProduct, readProduct } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const image = `/images/${'b'.repeat(64)}-1280.webp`;

const shop = useShop();
const admin = usePerson(shop, 'admin');
const customer = usePerson(shop, 'user');
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
    expect(first).toMatchObject({ number: expect.stringMatching(/^PF-\d{5}$/), priceBreaks: [], version: 1 });
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
      `/images/${'c'.repeat(64)}-1280.webp`,
      `${image}?x`,
      'javascript:alert(1)',
    ];
    for (const wrong of elsewhere) {
      const refused = await add(newProduct({ image: wrong }));
      expect([refused.status, refused.body.errors[0].path], wrong).toEqual([422, 'image']);
    }
  });

  test('reports all errors at once', async () => {
    const refused = await add({ name: '', price: 0, quantity: 999, minimumOrder: 49 });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual(
      expect.arrayContaining([
        { path: 'name', message: 'Name is Required' },
        { path: 'description', message: 'Description is Required' },
        { path: 'image', message: 'Image is Required' },
      ]),
    );
    expect(refused.body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      'description',
      'image',
      'minimumOrder',
      'name',
      'price',
      'quantity',
    ]);
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
    expect((await restock(product._id, customer.token)).status).toBe(403);
    expect((await restock(product._id, null)).status).toBe(401);
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
    expect((await shop.request(path, { method: 'DELETE' })).status).toBe(401);
    expect((await customer.delete(path)).status).toBe(403);
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
