import { randomUUID } from 'node:crypto';
import type { PartWithInstead } from '@parts-forge/contract/products/instead';
import type { Product } from '@parts-forge/contract/products/products';
import { describe, expect, test } from 'vitest';
import { aPicture, aProduct } from '#test/builders.ts';
import { anImport } from '#test/imports.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const aSeries = () => {
  const fits = ['12', '12 Pro', 'A3', '7', '7s', '5G'].map((model) => `${randomUUID().slice(0, 8)} ${model}`);
  const add = (wanted: Partial<Product> = {}) =>
    aProduct(shop, { kind: 'Displays', fits, quantity: 1000, minimumOrder: 50, ...wanted });
  return { fits, add };
};

const read = async ({ _id }: Pick<Product, '_id'>, quantity = 120): Promise<PartWithInstead> =>
  (await shop.request(`/product/${_id}/instead?quantity=${quantity}`)).body.data;
const readNumbers = async (part: Product, quantity?: number) =>
  (await read(part, quantity)).instead.map(({ product }) => product.number);
const remove = ({ _id }: Product) => admin.delete(`/product/${_id}`);

describe('what fits instead of a part', () => {
  test('is by models that fit, then by price, at most three', async () => {
    const { fits, add } = aSeries();
    const part = await add({ quantity: 30 });
    const four = await add({ fits: fits.slice(2), price: 5 });
    const dear = await add({ price: 90 });
    const cheap = await add({ price: 20, fits: [...fits, 'Another model'] });
    await add({ fits: fits.slice(2), price: 6 });
    const { product, instead } = await read(part);
    expect(product._id).toBe(part._id);
    expect(instead.map((each) => [each.product.number, each.fits, each.of, each.quantity])).toEqual([
      [cheap.number, 6, 6, 120],
      [dear.number, 6, 6, 120],
      [four.number, 4, 6, 120],
    ]);
  });

  test('fits more than half of the models', async () => {
    const { fits, add } = aSeries();
    const part = await add({ quantity: 30 });
    await add({ fits: fits.slice(3) });
    const most = await add({ fits: fits.slice(2) });
    expect(await readNumbers(part)).toEqual([most.number]);
  });

  test('is on sale, of the same kind, and has the wanted pieces', async () => {
    const { add } = aSeries();
    const part = await add({ quantity: 30 });
    await add({ kind: 'Batteries' });
    for (const removed of [await add(), await add(), await add()]) await remove(removed);
    await add({ quantity: 119 });
    // In steps of 100 the 120 pieces are 200.
    await add({ quantity: 199, minimumOrder: 100, orderStep: 100 });
    const other = await add({ quantity: 200, minimumOrder: 100, orderStep: 100 });
    const { instead } = await read(part);
    expect(instead).toMatchObject([{ product: { number: other.number }, quantity: 200 }]);
  });

  test('shares most attribute names, where both have attributes', async () => {
    const { add } = aSeries();
    const list = (...names: string[]) => names.map((name) => ({ name, value: 'x' }));
    const part = await add({ quantity: 30, attributes: list('Impedance', 'Size', 'Housing') });
    await add({ attributes: list('Resonance', 'Size', 'Case', 'Kind') });
    const alike = await add({ attributes: list('impedance', 'Size'), price: 30 });
    const plain = await add({ price: 40 });
    expect(await readNumbers(part)).toEqual([alike.number, plain.number]);
  });

  test('is first the named successor, of any stock, kind and models', async () => {
    const { fits, add } = aSeries();
    const successor = await add({ kind: 'Other', fits: fits.slice(4), quantity: 60 });
    const part = await add({ quantity: 30, replacedBy: successor.number });
    const cheap = await add({ price: 1 });
    const { instead } = await read(part);
    expect(instead).toMatchObject([
      { product: { number: successor.number }, fits: 2, of: 6, quantity: 60 },
      { product: { number: cheap.number }, fits: 6 },
    ]);
    await admin.put(`/product/${successor._id}`, { quantity: 10 });
    expect((await read(part)).instead[0]).toMatchObject({ quantity: 0 });
  });

  test('follows successors to the nearest with the pieces, also in a circle', async () => {
    const named = (replacedBy?: string, quantity = 1000) =>
      aProduct(shop, { quantity, minimumOrder: 50, ...(replacedBy && { replacedBy }) });
    const last = await named();
    const short = await named(last.number, 60);
    const ended = await named(short.number);
    const part = await named(ended.number);
    await admin.patch(`/product/${last._id}`, { replacedBy: part.number }, { 'if-match': '"1"' });
    expect(await readNumbers(part)).toEqual([ended.number]);
    await remove(ended);
    expect(await readNumbers(part, 60)).toEqual([short.number]);
    expect(await readNumbers(part)).toEqual([last.number]);
    // Nobody has as many: the last of the circle before the part itself.
    expect(await readNumbers(part, 2000)).toEqual([last.number]);
    await remove(last);
    expect(await readNumbers(part)).toEqual([short.number]);
    await remove(part);
    expect(await readNumbers(part)).toEqual([short.number]);
    await remove(short);
    expect(await readNumbers(part)).toEqual([]);
  });

  test('is known of a removed part, and not of an unknown one', async () => {
    const { add } = aSeries();
    const [part, other] = [await add(), await add()];
    expect(await read(part)).not.toHaveProperty('gone');
    await remove(part);
    expect((await read(part)).product).toMatchObject({ name: part.name });
    expect((await read(part)).product).not.toHaveProperty('quantity');
    expect(await read(part)).toMatchObject({
      gone: true,
      product: expect.not.objectContaining({ price: part.price }),
      instead: [{ product: { number: other.number } }],
    });
    expect((await shop.request(`/product/${randomUUID()}/instead`)).status).toBe(404);
  });

  test('is on sale when it is named, and follows its new number', async () => {
    const [part, successor, ended] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)];
    const edit = ({ _id, version }: Product, changes: Partial<Product>) =>
      admin.patch(`/product/${_id}`, changes, { 'if-match': `"${version}"` });
    await remove(ended);
    const refused = { errors: [{ path: 'replacedBy', message: 'No part on sale has this number' }] };
    const { name, price, minimumOrder, description } = part;
    const image = await aPicture(shop, 'e'.repeat(64));
    const added = { name, price, minimumOrder, description, image, quantity: 1000 };
    for (const replacedBy of ['NO-SUCH', ended.number]) {
      expect((await edit(part, { replacedBy })).body).toMatchObject(refused);
      expect((await admin.post('/product', { ...added, replacedBy })).body).toMatchObject(refused);
    }
    const head = 'number,replaced by';
    const file = `${head}\n${part.number},NO-SUCH\n${successor.number},${part.number}`;
    const { lines, problems } = await anImport(admin, file);
    expect(problems).toEqual([
      { line: 2, column: 'replaced by', message: 'No part on sale has this number' },
    ]);
    expect(lines).toHaveLength(1);
    await edit(part, { replacedBy: successor.number });
    const number = `N-${successor.number}`;
    expect((await edit(successor, { number })).status).toBe(200);
    expect((await shop.request(`/product/${part._id}`)).body.data).toMatchObject({
      replacedBy: number,
      version: part.version + 2,
    });
    expect((await read(part)).instead).toMatchObject([{ product: { number }, named: true }]);
    await remove(successor);
    // What is known already is no reason to refuse another change.
    expect((await edit({ ...part, version: part.version + 2 }, { name: 'Other' })).status).toBe(200);
  });

  test('follows each change of a stock at once', async () => {
    const { add } = aSeries();
    const [part, other] = [await add({ quantity: 30 }), await add({ quantity: 130 })];
    expect(await readNumbers(part)).toEqual([other.number]);
    await admin.put(`/product/${other._id}`, { quantity: 100 });
    expect(await readNumbers(part)).toEqual([]);
  });

  test.each(['0', '-1', '1.5', 'many', '9999999999'])('refuses %s pieces', async (quantity) => {
    const path = `/product/${randomUUID()}/instead?quantity=${quantity}`;
    expect((await shop.request(path)).status).toBe(422);
  });
});
