import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Database } from '#src/platform/database/connection.ts';
import { aProduct, readProduct, signedInAs } from '#test/builders.ts';
import { personAt } from '#test/person.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';
import { createPartReader } from './read-part.ts';
import { findProduct } from './store.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');
const customer = usePerson(shop, 'user');

const namesAt = async (path: string) =>
  (await shop.request(path)).body.map((product: { name: string }) => product.name) as string[];

describe('the list of products', () => {
  test('is newest first for everyone and takes a limit', async () => {
    const made: string[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) made.unshift((await aProduct(shop, { name })).name);
    expect((await namesAt('/product')).slice(0, 4)).toEqual(made);
    expect(await namesAt('/product?limit=3')).toEqual(made.slice(0, 3));
  });

  test('has the one part of a whole number', async () => {
    const [part] = [await aProduct(shop, { number: 'NU-1/A' }), await aProduct(shop, { number: 'NU-1/A2' })];
    const numbered = (number: string) => namesAt(`/product?number=${encodeURIComponent(number)}`);
    expect([await numbered('NU-1/A'), await numbered('nu-1/a')]).toEqual([[part.name], [part.name]]);
    expect([await numbered('NU-1'), await numbered('NU-1/%')]).toEqual([[], []]);
    expect((await shop.request('/product?number=')).status).toBe(422);
    await admin.delete(`/product/${part._id}`);
    expect(await numbered('NU-1/A')).toEqual([]);
  });

  test('finds a literal text anywhere in the name, in any case', async () => {
    await aProduct(shop, { name: 'Zinc 50%_a\\b shield' });
    expect(await namesAt(`/product?q=${encodeURIComponent('50%_A\\B')}`)).toEqual(['Zinc 50%_a\\b shield']);
    expect(await namesAt(`/product?q=${encodeURIComponent('50%xa')}`)).toEqual([]);
    // Also in words that the index is asked for.
    await aProduct(shop, { name: 'Rhodium_clad 25%tin lug' });
    for (const q of ['odium_clad', '%tin']) {
      expect(await namesAt(`/product?q=${encodeURIComponent(q)}`)).toEqual(['Rhodium_clad 25%tin lug']);
    }
    for (const q of ['rhodium%clad', 'rhodi_m', 'odium%']) {
      expect(await namesAt(`/product?q=${encodeURIComponent(q)}`)).toEqual([]);
    }
    expect(await namesAt(`/product?q=${encodeURIComponent("'; drop table products; --")}`)).toEqual([]);
  });

  test('excludes parts below their minimum order with available=true', async () => {
    await aProduct(shop, { name: 'Quartz sold out', quantity: 49, minimumOrder: 50 });
    await aProduct(shop, { name: 'Quartz in stock', quantity: 50, minimumOrder: 50 });
    expect(await namesAt('/product?q=quartz&available=true')).toEqual(['Quartz in stock']);
    expect(await namesAt('/product?q=quartz')).toHaveLength(2);
  });

  test.each([
    ['name', ['Sorted a', 'sorted B', 'Sorted c', 'Sorted d', 'Sorted d']],
    ['price', ['Sorted c', 'Sorted a', 'Sorted d', 'Sorted d', 'sorted B']],
    ['-price', ['sorted B', 'Sorted d', 'Sorted d', 'Sorted a', 'Sorted c']],
    ['newest', ['Sorted d', 'Sorted d', 'Sorted c', 'sorted B', 'Sorted a']],
  ])('paginates without loss or repetition when sorted by %s', async (sort, expected) => {
    if ((await namesAt('/product?q=sorted')).length === 0) {
      for (const [name, price] of [
        ['Sorted a', 5],
        ['sorted B', 9],
        ['Sorted c', 2],
        ['Sorted d', 7],
        ['Sorted d', 7],
      ] as const) {
        await aProduct(shop, { name, price });
      }
    }
    const seen: string[] = [];
    let path: string | undefined = `/product?q=sorted&sort=${sort}&limit=2`;
    while (path) {
      const { body, headers } = await shop.request(path);
      expect(headers.get('x-total-count')).toBe('5');
      seen.push(...body.map((product: { name: string }) => product.name));
      const link: string | null = headers.get('link');
      expect(link ?? '</').toMatch(/^<\//);
      path = /<(.+)>; rel="next"/.exec(link ?? '')?.[1];
    }
    expect(seen).toEqual(expected);
  });

  test('sorts names in natural order across pages', async () => {
    const names = ['Äpfel', 'apple', 'Apt', 'Battery 2', 'battery 9', 'Battery 10', 'Battery 10']
      .concat(['éclair', 'Eclipse', 'iPhone 9', 'iPhone 11', 'Łódź', 'zzz'])
      .map((name) => `${name} readable`);
    for (const name of names.toReversed()) await aProduct(shop, { name });
    const seen: string[] = [];
    for (let path: string | undefined = '/product?q=readable&sort=name&limit=2'; path; ) {
      const { body, headers } = await shop.request(path);
      seen.push(...body.map((product: { name: string }) => product.name));
      path = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(names);
  });
});

test('the list accepts the cursor of the longest name', async () => {
  const name = `${'𠮷'.repeat(119)}Z`;
  for (let count = 0; count < 2; count += 1) await aProduct(shop, { name });
  const { headers } = await shop.request(`/product?q=${encodeURIComponent('𠮷𠮷𠮷')}&sort=name&limit=1`);
  const next = /^<(.+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
  expect(await namesAt(next)).toEqual([name]);
});

test('an expired token can read products and reviews', async () => {
  const { _id } = await aProduct(shop);
  for (const path of ['/product', '/product?limit=3', `/product/${_id}`, '/review', '/config']) {
    for (const token of ['x'.repeat(43), customer.token, admin.token]) {
      expect((await shop.request(path, { token })).status, path).toBe(200);
    }
  }
});

describe('a single product', () => {
  test('is in the field data', async () => {
    const product = await aProduct(shop, { price: 64.5 });
    const { status, headers, body } = await shop.request(`/product/${product._id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ _id: product._id, price: 64.5, quantity: 1000, minimumOrder: 50 });
    const etag = headers.get('etag') ?? '';
    const again = await shop.request(`/product/${product._id}`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, null]);
  });

  test('is current for any spelling of its id', async () => {
    const { _id } = await aProduct(shop, { quantity: 1000 });
    const address = `/product/${_id.toUpperCase()}`;
    expect((await shop.request(address)).body.data._id).toBe(_id);
    const restocked = { method: 'PUT', token: admin.token, body: { quantity: 7 } };
    expect((await shop.request(`/product/${_id}`, restocked)).status).toBe(200);
    expect((await shop.request(address)).body.data.quantity).toBe(7);
  });

  test.each([randomUUID(), '1', "x'--", '%00', 'undefined'])('is 404 for the id %s', async (id) => {
    expect((await shop.request(`/product/${id}`)).status).toBe(404);
  });
});

/** A reader, and the ids of each of its statements. */
function aCountedReader() {
  const reads: unknown[] = [];
  const { database } = shop.services;
  const runPrepared: Database['runPrepared'] = (statement) => {
    reads.push(statement.values?.[0]);
    return database.runPrepared(statement);
  };
  return { reads, readPart: createPartReader({ runPrepared }) };
}

test('concurrent reads of parts share one statement', async () => {
  const [one, other, deleted] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)];
  const { token } = await signedInAs(shop, 'admin');
  await shop.request(`/product/${deleted._id}`, { method: 'DELETE', token });
  const { reads, readPart } = aCountedReader();
  const asked = [other._id, one._id.toUpperCase(), deleted._id, randomUUID(), other._id];
  const parts = await Promise.all(asked.map((id) => readPart(id)));
  expect(parts).toEqual([other, one, null, null, other]);
  expect(reads).toEqual([asked.map((id) => id.toLowerCase())]);
});

test('every process reads current parts after concurrent orders and restocks', async () => {
  const other = await startForTest({ shareDatabaseWith: shop });
  const admin = await signedInAs(shop, 'admin');
  const customer = await signedInAs(shop, 'user');
  const parts = [await aProduct(shop, { quantity: 5000 }), await aProduct(shop, { quantity: 5000 })];
  const expectPresent = async () => {
    for (const { _id } of parts) {
      const present = await findProduct(shop.db, _id);
      for (const one of [shop, other]) await expect.poll(() => readProduct(one, _id)).toEqual(present);
    }
  };
  for (let round = 0; round < 5; round += 1) {
    const work = parts.flatMap((part, index) =>
      [shop, other].flatMap((one) => [
        ...Array.from({ length: 6 }, () => personAt(one, customer).places(part, 50)),
        ...Array.from({ length: 6 }, () => readProduct(one, part._id)),
        one.request(`/product/${part._id}`, {
          method: 'PUT',
          token: admin.token,
          body: { quantity: 5000 + round * 10 + index },
        }),
        personAt(one, customer)
          .orders(part, 50)
          .then(({ _id }) => one.request(`/order/${_id}`, { method: 'DELETE', token: customer.token })),
        ...Array.from({ length: 6 }, () => readProduct(one, part._id)),
      ]),
    );
    await Promise.all(work);
    await expectPresent();
    // Each process must receive the other's change.
    for (const [index, part] of parts.entries())
      await personAt(index === 0 ? shop : other, customer).orders(part, 50);
    await expectPresent();
  }
});
