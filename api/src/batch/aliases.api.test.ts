import type { Alias } from '@parts-forge/contract/orders/aliases';
import type { BatchLine, UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import type { Product } from '@parts-forge/contract/products/products';
import { beforeEach, describe, expect, test } from 'vitest';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { downloadFile } from '#test/downloads.ts';
import { readCode } from '#test/paying.ts';
import { useShop } from '#test/use-shop.ts';
import { batchAliases } from './schema.ts';

const shop = useShop();
let customer: Person;
let admin: Person;
let display: Product;
let battery: Product;
beforeEach(async () => {
  await shop.pool.query('update products set deleted_at = now() where deleted_at is null');
  await shop.db.delete(batchAliases);
  [customer, admin] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'admin')];
  display = await aProduct(shop, { number: 'PF-D6101' });
  battery = await aProduct(shop, { number: 'PF-B4501' });
});

const put = (alias: unknown, { _id }: Pick<Product, '_id'> = display, was?: string, who = customer) =>
  who.put('/batch/alias', { alias, productId: _id, ...(was !== undefined && { was }) });
const list = async (query = '', who = customer): Promise<Alias[]> =>
  (await who.get(`/batch/alias${query}`)).body.data;
const listNames = async () =>
  Object.fromEntries((await list()).map(({ alias, product }) => [alias, product.number]));
const paste = async (text: string, who = customer) => {
  const { body } = await who.post('/batch/lines', { text });
  const lines: BatchLine[] = body.data;
  const unread: UnreadBatchLine[] = body.unread;
  const read = Object.fromEntries(lines.map(({ product, quantity }) => [product.number, quantity]));
  return { lines, read, unread };
};
const know = ({ _id, version }: Product, alsoKnownAs: string[]) =>
  admin.patch(`/product/${_id}`, { alsoKnownAs }, { 'if-match': `"${version}"` });
const sendFile = (text: string, path = '/batch/alias/file', type = 'text/csv') =>
  customer.post(path, text, { 'content-type': type });
const remove = (alias: string) => customer.delete(`/batch/alias?alias=${encodeURIComponent(alias)}`);

describe('a line with an own name', () => {
  test('finds its part in any case, width, hyphen and space', async () => {
    await put('Fr–2001 a', display);
    for (const name of [
      'FR-2001 A',
      'fr‑2001 a',
      'ＦＲ－２００１　Ａ',
      '“FR-2001 A”',
      'F\u034fR-2001\u200b A',
    ])
      expect((await paste(`${name};5`)).unread).toEqual([]);
    const { lines } = await paste('FR-2001 A;5');
    expect(lines).toMatchObject([{ product: { number: 'PF-D6101' }, quantity: 30, alias: 'Fr–2001 a' }]);
    const [named] = await list();
    expect(Date.parse(named?.lastUsedAt ?? '')).toBeGreaterThan(0);
  });

  test('stands below a header of own numbers, unless it names ours', async () => {
    await put('FR-1', display);
    expect((await paste('Qty,Own number\n5,FR-1')).read).toEqual({ 'PF-D6101': 5 });
    expect((await paste('Own number,Qty,Part no\nFR-1,7,PF-B4501')).read).toMatchObject({ 'PF-B4501': 7 });
  });

  test('may have any letters, and needs all of them', async () => {
    await put('Écran “12”, noir; (A)');
    const { read, unread } = await paste('"Écran “12”, noir; (A)";7\n"Écran “12”, noir";7');
    expect(read).toEqual({ 'PF-D6101': 7 });
    expect(unread).toEqual([
      {
        line: 2,
        text: '"Écran “12”, noir";7',
        reason: '“Écran “12”, noir” is no part number.',
        search: 'Écran “12”, noir',
        asked: { name: 'Écran “12”, noir', quantity: 7 },
      },
    ]);
  });

  test('is read by number, then own name, then everybody’s', async () => {
    await know(battery, ['gh82-1', 'fr-1']);
    await put('FR-1', display);
    expect((await paste('FR-1;5\nGH82–1;7')).read).toEqual({ 'PF-D6101': 5, 'PF-B4501': 7 });
    const later = await aProduct(shop, { number: 'FR-1' });
    expect((await paste('fr-1;9')).read).toEqual({ 'PF-D6101': 5, 'PF-B4501': 7, [later.number]: 9 });
  });

  test('is not read if two parts have its name', async () => {
    await know(display, ['GH82-2']);
    await know(battery, ['GH82-2']);
    const { read, unread } = await paste('GH82-2;5');
    expect(read).toEqual({});
    expect(unread).toMatchObject([
      {
        reason: 'PF-B4501 and PF-D6101 are both known as “GH82-2”. Write the number of one.',
        asked: { name: 'GH82-2', quantity: 5 },
      },
    ]);
    await put('GH82-2', battery);
    expect((await paste('GH82-2;5')).read).toEqual({ 'PF-B4501': 5 });
  });

  test('says that its part is no longer sold', async () => {
    await put('FR-3', display);
    await know(battery, ['FR-3']);
    await admin.delete(`/product/${display._id}`);
    const { lines, unread } = await paste('FR-3;5');
    expect(lines).toMatchObject([
      { product: { number: 'PF-D6101' }, alias: 'FR-3', gone: true, instead: [] },
    ]);
    expect(unread).toEqual([]);
    expect(await list()).toMatchObject([{ alias: 'FR-3', product: { number: 'PF-D6101', gone: true } }]);
  });

  test('is read by a removed part’s number last', async () => {
    const again = { number: 'PF-D6101', replacedBy: 'PF-B4501' };
    await admin.delete(`/product/${(await aProduct(shop, { number: 'PF-X1' }))._id}`);
    await admin.delete(`/product/${display._id}`);
    const latest = await aProduct(shop, again);
    await admin.delete(`/product/${latest._id}`);
    expect((await paste('pf-d6101;5\nPF-X1;7')).lines).toMatchObject([
      { product: { _id: latest._id }, gone: true, instead: [{ product: { number: 'PF-B4501' } }] },
      { product: { number: 'PF-X1' }, gone: true },
    ]);
    await put('PF-X1', battery);
    expect((await paste('PF-X1;9')).read).toMatchObject({ 'PF-X1': 7, 'PF-B4501': 9 });
  });

  test('finds nothing of other customers', async () => {
    await put('FR-4', display);
    const other = await signedInAs(shop, 'user');
    expect((await paste('FR-4;5', other)).unread).toMatchObject([{ reason: 'No part has this number.' }]);
    await put('FR-4', battery, undefined, other);
    expect((await paste('FR-4;5', other)).read).toEqual({ 'PF-B4501': 5 });
    expect(await list('', other)).toHaveLength(1);
    expect(await listNames()).toEqual({ 'FR-4': 'PF-D6101' });
  });
});

describe('an own name', () => {
  test.each([
    ['pf-d6101', 'Is the number of a part'],
    ['ＰＦ–Ｂ４５０１', 'Is the number of a part'],
    ['PF-\u200bB4501', 'Is the number of a part'],
    ['', 'Must have a letter or a digit'],
    ['\u200b\u2060', 'Must have a letter or a digit'],
    ['--- ’', 'Must have a letter or a digit'],
    ['x'.repeat(61), 'Must be no more than 60 characters'],
    ['ﷺ'.repeat(60), 'Must be no more than 60 characters'],
    ['x'.repeat(60_000), 'Must be no more than 60 characters'],
    [7, 'Must be a text'],
  ])('%j is refused', async (alias, message) => {
    const { status, body } = await put(alias, battery);
    expect([status, body.errors]).toEqual([422, [{ path: 'alias', message }]]);
    expect(await list()).toEqual([]);
  });

  test('moves to the part that was set last', async () => {
    await put('FR-5', display);
    await put('fr-5', battery);
    expect(await listNames()).toEqual({ 'fr-5': 'PF-B4501' });
  });

  test('is renamed in one step, but not to another name', async () => {
    await put('FR-6', display);
    await put('FR-7', battery);
    expect((await put('FR-7', display, 'FR-6')).body.errors).toEqual([
      { path: 'alias', message: 'Is a name of yours already' },
    ]);
    expect((await put('FR-8', display, 'FR-6')).status).toBe(200);
    expect((await put('fr-8', display, 'FR-8')).status).toBe(200);
    expect(await listNames()).toEqual({ 'FR-7': 'PF-B4501', 'fr-8': 'PF-D6101' });
    expect((await remove('FR‑8')).body).toEqual({ deletedCount: 1 });
    expect((await remove('FR-8')).body).toEqual({ deletedCount: 0 });
  });

  test('is not set for a part that is not sold', async () => {
    await admin.delete(`/product/${battery._id}`);
    expect(readCode(await put('FR-9', battery))).toBe('not-found');
  });

  test('is listed by name in pages, and found by its part', async () => {
    for (const name of ['FR-10', 'FR-9', 'Ä-1']) await put(name, display);
    await put('Z-1', battery);
    expect((await list()).map(({ alias }) => alias)).toEqual(['Ä-1', 'FR-9', 'FR-10', 'Z-1']);
    const first = await customer.get('/batch/alias?limit=3');
    const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect((await customer.get(next ?? '')).body.data).toMatchObject([{ alias: 'Z-1' }]);
    expect((await list('?q=fr-1')).map(({ alias }) => alias)).toEqual(['FR-10']);
    expect((await list('?q=b4501')).map(({ alias }) => alias)).toEqual(['Z-1']);
    expect(await list('?q=%25')).toEqual([]);
  });

  test('is exported with its account and goes with it', async () => {
    await put('FR-11', display);
    const { body } = await customer.get(`/user/${customer.email}/data`);
    expect(body.aliases).toMatchObject([{ alias: 'FR-11', product: display._id, name: display.name }]);
    await admin.delete(`/user/${customer.email}`);
    expect(await shop.db.$count(batchAliases)).toBe(0);
  });
});

describe('a file of own names', () => {
  test('comes out as it goes in', async () => {
    const names = ['00123', '=1+1', '+49', 'A,B;C', 'Ä "5"', '-1', "'a", "''b", "'=c", '="d"', '#NV', '1e5'];
    for (const name of names) await put(name, display);
    const { bytes } = await downloadFile(shop, customer, { what: 'own-names' });
    const file = Buffer.from(bytes).toString();
    await shop.db.delete(batchAliases);
    expect((await sendFile(file)).body).toEqual({ saved: names.length, problems: [], notes: [] });
    expect(Object.keys(await listNames()).sort()).toEqual(names.sort());
  });

  test('names line and column of each problem, and sets the others', async () => {
    const { body } = await sendFile(
      `Own number;Price;Part No\nFR-1;5;pf–d6101\nFR-2;5;PF-X\n;5;PF-D6101\nPF-B4501;5;PF-D6101\nFR-3;5;\nFR-4;5;PF-B4501\nfr-4;5;PF-D6101\nFR-5;5;PF-D6101;6`,
    );
    expect(body.saved).toBe(1);
    expect(body.problems).toEqual([
      { line: 3, column: 'part number', message: 'No part has the number PF-X.' },
      { line: 4, column: 'name', message: 'Must have a letter or a digit' },
      { line: 5, column: 'name', message: 'Is the number of a part' },
      { line: 6, column: 'part number', message: 'The part number is missing.' },
      { line: 7, column: 'name', message: 'FR-4 stands in line 8, too. Keep one of them.' },
      { line: 8, column: 'name', message: 'fr-4 stands in line 7, too. Keep one of them.' },
      { line: 9, column: '', message: expect.stringMatching(/^This line has 4 cells/) },
    ]);
    expect(await listNames()).toEqual({ 'FR-1': 'PF-D6101' });
  });

  test.each([
    ['a,b\n1,2', 'The first line must name the columns “name” and “part number”.'],
    ['name,alias,sku\n1,2,3', 'The columns “name” and “alias” mean the same. Leave one of them out.'],
    ['name,sku', 'This file has no lines below its column names.'],
  ])('%j is refused', async (file, message) => {
    const { status, body } = await sendFile(file);
    expect([status, body.detail]).toEqual([422, message]);
  });

  test('sets five thousand names, and no more', async () => {
    const write = (count: number, name: string) =>
      ['name,part number', ...Array.from({ length: count }, (_, at) => `${name}-${at},PF-D6101`)].join('\n');
    expect((await sendFile(write(5000, 'A'))).body.saved).toBe(5000);
    expect((await sendFile(write(5000, 'a'))).body.saved).toBe(5000);
    expect(readCode(await put('B'))).toBe('too-many-names');
    expect(readCode(await sendFile(write(1, 'B')))).toBe('too-many-names');
    expect((await paste(`${'A-4999;1\n'.repeat(1000)}`)).read).toEqual({ 'PF-D6101': 1000 });
    expect(await shop.db.$count(batchAliases)).toBe(5000);
  });
});

test('other names of a part are found by the public search', async () => {
  await know(display, ['GH82-20438A', 'Écran Norda']);
  for (const q of ['gh82-20438a', 'GH8220438A', 'ecran norda']) {
    const { body } = await shop.request(`/product?q=${encodeURIComponent(q)}`);
    expect(body).toMatchObject([{ number: 'PF-D6101', alsoKnownAs: ['GH82-20438A', 'ÉCRAN NORDA'] }]);
  }
});

test.each([
  ['its own number', 'pf-d6101'],
  ['the number of another part', 'PF–B4501'],
])('%s is no other name of a part', async (_, name) => {
  const message = 'Is the number of a part';
  expect((await know(display, [name])).body.errors).toMatchObject([{ message }]);
  const file = await admin.post('/product/import', `number,also known as\nPF-D6101,${name}`, {
    'content-type': 'text/csv',
  });
  expect(file.body.data.problems).toEqual([{ line: 2, column: 'also known as', message }]);
});
