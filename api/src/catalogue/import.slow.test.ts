import { randomUUID } from 'node:crypto';
import type { Product } from '@parts-forge/contract/products';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import { forgetKeys, listJobs } from '#src/jobs.ts';
import { writeStock } from '#src/products/change-stock.ts';
import { users } from '#src/users/schema.ts';
import {
  anOrder,
  aPicture,
  aProduct,
  type Person,
  placeOrder,
  readProduct,
  signedInAs,
} from '#test/builders.ts';
import { downloadFile } from '#test/downloads.ts';
import {
  anImport,
  applyFile,
  applyPreview,
  exportCatalogue,
  readImport,
  readUndo,
  sendFile,
} from '#test/imports.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { readActivity } from '#test/trail.ts';
import { applyImports } from './apply-import.ts';
import { findWholeImport, insertImport, markApplied } from './store.ts';

const clock = createMovableClock();
let shop: TestShop;
let admin: Person;
let picture: string;
beforeAll(async () => {
  shop = await startShop({ clock });
  admin = await signedInAs(shop, 'admin');
  picture = await aPicture(shop, 'a'.repeat(64));
});
afterAll(async () => {
  expect(await findStockDifferences(shop.services.database.db, 100)).toEqual([]);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

/** Another administrator's edit. */
const edit = (product: Product, body: object) =>
  shop.request(`/product/${product._id}`, {
    method: 'PATCH',
    token: admin.token,
    headers: { 'if-match': `"${product.version}"` },
    body,
  });
const fields = ({ updatedAt: _, version: __, ...product }: Product) => product;
const findNew = async (number: string): Promise<Product> =>
  (await shop.request(`/product?q=${encodeURIComponent(number)}`)).body[0];
const writeNew = (number: string, more = '') =>
  `number,name,description,price,minimum order,stock,pictures${more && ','}${more}\n${number},Part ${number},Plain.,5.50,100,2000,${picture}`;

describe('a preview', () => {
  test('a preview shows old and new values and changes nothing', async () => {
    const part = await aProduct(shop, { price: 19.99 });
    const found = await anImport(
      shop,
      `number,name,price,add\n${part.number},Better display,21.50,500\n`,
      admin,
    );
    expect(found).toMatchObject({
      state: 'preview',
      counts: { new: 0, changed: 1, unchanged: 0, refused: 0, warned: 0, done: 0, leftOut: 0 },
      lines: [
        {
          line: 2,
          number: part.number,
          isNew: false,
          changes: [
            { column: 'name', was: part.name, will: 'Better display' },
            { column: 'price', was: '19.99', will: '21.50' },
            { column: 'stock', was: '1000', will: '1500' },
          ],
        },
      ],
    });
    expect(await readProduct(shop, part._id)).toEqual(part);
    expect(await readImport(shop, admin, found._id)).toEqual(found);
  });

  test('a preview names line, column and remedy of each problem', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const { problems, counts } = await anImport(
      shop,
      [
        'number,price,minimum order,kind,fits,pictures',
        `${part.number},"173,900",7x,Gizmos,,`,
        `${other.number},,40,,,https://elsewhere.example/a.webp`,
        'NO-SUCH-PART,5,100,,,',
        ',5,,,,',
      ].join('\n'),
      admin,
    );
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 'price'],
      [2, 'minimum order'],
      [2, 'kind'],
      [3, 'minimum order'],
      [3, 'pictures'],
      [4, 'number'],
      [5, 'number'],
    ]);
    expect(problems[0]?.message).toBe(
      '“173,900” may be 173900 or 173.900. Write two decimals, such as 173900.00.',
    );
    expect(problems[5]?.message).toBe(
      'No part has the number NO-SUCH-PART. For a new one these are missing: name, description, stock, pictures.',
    );
    expect(counts).toMatchObject({ refused: 4, changed: 0 });
  });

  test('a column that contradicts what the file lacks is named', async () => {
    const { number } = await aProduct(shop, { price: 10, priceBreaks: [{ quantity: 1000, price: 9 }] });
    const { problems } = await anImport(shop, `number,price\n${number},8`, admin);
    const message = 'Contradicts “price breaks”, which is 1000: 9.00: Must be below 8. Write both.';
    expect(problems).toEqual([{ line: 2, column: 'price', message }]);
  });

  test('two thousand different pictures take no query each', async () => {
    const query = vi.spyOn(shop.services.database.pool, 'query');
    const lines = Array.from({ length: 2000 }, (_, index) => `N-${index},/images/x${index}.webp`);
    await anImport(shop, ['number,pictures', ...lines].join('\n'), admin);
    expect(query.mock.calls.length).toBeLessThan(100);
    query.mockRestore();
  });
});

describe('applying', () => {
  test('applying changes, adds and leaves the trail in the maker’s name', async () => {
    const part = await aProduct(shop, { price: 20 });
    const number = `NEW-${randomUUID().slice(0, 8)}`.toUpperCase();
    const done = await applyFile(shop, admin, `${writeNew(number)}\n${part.number},,,21,,,`);
    expect(done).toMatchObject({ state: 'applied', counts: { new: 1, changed: 1, done: 2, leftOut: 0 } });
    expect(await readProduct(shop, part._id)).toMatchObject({ price: 21, version: 2, quantity: 1000 });
    expect(await findNew(number)).toMatchObject({ number, price: 5.5, quantity: 2000, image: picture });
    const entries = await readActivity(shop);
    const entry = entries.find(({ product }) => product?._id === part._id);
    expect(entry).toMatchObject({ event: 'product-changed', by: { _id: admin.userId } });
  });

  test('applying leaves out a part that was edited since the preview', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const found = await anImport(shop, `number,add,name\n${part.number},5,A\n${other.number},5,B\n`, admin);
    await edit(part, { price: 30 });
    const done = await applyPreview(shop, admin, found._id);
    expect(done.counts).toMatchObject({ done: 2, leftOut: 1 });
    expect(done.problems).toEqual([
      { line: 2, column: 'number', message: `${part.number}: The part was edited since the preview.` },
    ]);
    expect(await readProduct(shop, part._id)).toMatchObject({ price: 30, quantity: 1000 });
    expect(await readProduct(shop, other._id)).toMatchObject({ name: 'B', quantity: 1005 });
  });

  test('applying shows in lists, and open orders keep their price', async () => {
    const customer = await signedInAs(shop, 'user');
    const [ordered, empty] = [await aProduct(shop, { price: 10 }), await aProduct(shop, { quantity: 0 })];
    const order = await anOrder(shop, customer, ordered, 50);
    const findFirst = async (query: string) => (await shop.request(`/product?${query}`)).body[0]?._id;
    const lists = ['sort=-price&limit=1', `q=${empty.number}&available=true`];
    expect((await Promise.all(lists.map(findFirst))).includes(ordered._id)).toBe(false);
    await applyFile(shop, admin, `number,price,add\n${ordered.number},99999,\n${empty.number},,500`);
    expect(await Promise.all(lists.map(findFirst))).toEqual([ordered._id, empty._id]);
    const { body } = await shop.request(`/order/${order._id}`, { token: customer.token });
    expect(body).toMatchObject({ price: 10, totalPrice: 500 });
  });

  test('applying sets a stock only while it is as the file says', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const file = `number,stock,stock was\nPF-NONE,1,1\n${part.number},900,1000\n${other.number},900,1000`;
    const found = await anImport(shop, file, admin);
    await shop.request(`/product/${other._id}/stock`, {
      method: 'POST',
      token: admin.token,
      headers: { 'idempotency-key': randomUUID() },
      body: { add: -10, reason: 'correction' },
    });
    const done = await applyPreview(shop, admin, found._id);
    const message = `${other.number}: There are 990 in stock now.`;
    expect(done.problems[0]).toEqual({ line: 4, column: 'stock was', message });
    expect(done.problems[1]?.line).toBe(2);
    expect((await readProduct(shop, part._id)).quantity).toBe(900);
    expect((await readProduct(shop, other._id)).quantity).toBe(990);
  });

  test('a stock that is there already changes nothing', async () => {
    const part = await aProduct(shop);
    const { counts, problems } = await anImport(
      shop,
      `number,stock,stock was\n${part.number},1000,900`,
      admin,
    );
    expect([counts.unchanged, problems]).toEqual([1, []]);
  });

  test('one delivery in two previews is added once', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const lines = [`${part.number},5`, `${other.number},5`];
    const first = await anImport(shop, ['number,add', ...lines].join('\n'), admin);
    const second = await anImport(shop, ['number,add', `${other.number},6`, lines[0]].join('\n'), admin);
    await Promise.all([first, second].map(({ _id }) => applyPreview(shop, admin, _id)));
    const read = async ({ _id }: Product) => (await readProduct(shop, _id)).quantity;
    expect(await read(part)).toBe(1005);
    expect([1005, 1006]).toContain(await read(other));
    const results = await Promise.all([first, second].map(({ _id }) => readImport(shop, admin, _id)));
    expect(results.map(({ counts }) => counts.leftOut).sort()).toEqual([0, 2]);
    const remedy =
      'Somebody changed the stock since the preview. If these pieces are still missing, add such lines by a file of their own.';
    const problems = results.flatMap((result) => result.problems);
    expect(problems.map(({ column, message }) => [column, message]).sort()).toEqual([
      ['add', `${part.number}: ${remedy}`],
      ['add', `${other.number}: ${remedy}`],
    ]);
  });

  test('pieces that another transaction was adding are not added again', async () => {
    const part = await aProduct(shop);
    const { promise: previewed, resolve: commit } = Promise.withResolvers<void>();
    const { promise: added, resolve: hasAdded } = Promise.withResolvers<void>();
    const late = shop.services.changes.write(async (tx, changed) => {
      const now = new Date(Date.now() - 1000);
      const move = { entryId: randomUUID(), now, productId: part._id, was: 1000, quantity: 1005 };
      await writeStock(tx, { ...move, event: 'stock-restocked' });
      changed(`product:${part._id}`, 'products');
      hasAdded();
      await previewed;
    });
    await added;
    const { _id, counts } = await anImport(shop, `number,add\n${part.number},5`, admin);
    commit();
    await late;
    expect([counts.warned, (await applyPreview(shop, admin, _id)).counts.leftOut]).toEqual([0, 1]);
    expect((await readProduct(shop, part._id)).quantity).toBe(1005);
  });

  test('pieces are added although orders moved the stock', async () => {
    const part = await aProduct(shop);
    const { _id } = await anImport(shop, `number,add\n${part.number},5`, admin);
    await placeOrder(shop, await signedInAs(shop, 'user'), part);
    const { counts } = await applyPreview(shop, admin, _id);
    expect([counts.leftOut, (await readProduct(shop, part._id)).quantity]).toEqual([0, 955]);
  });

  test('applying twice applies once', async () => {
    const part = await aProduct(shop);
    const { _id } = await anImport(shop, `number,add\n${part.number},5`, admin);
    const apply = () => applyPreview(shop, admin, _id);
    await Promise.all([apply(), apply(), apply()]);
    expect((await readProduct(shop, part._id)).quantity).toBe(1005);
  });

  test('the rest is left out once its administrator is none', async () => {
    const part = await aProduct(shop);
    const leaver = await signedInAs(shop, 'admin');
    const { _id } = await anImport(shop, `number,add\n${part.number},5`, leaver);
    await markApplied(shop.services.database.db, _id, { ...leaver, key: null }, clock.now());
    await shop.services.database.db.update(users).set({ role: 'user' }).where(eq(users.id, leaver.userId));
    await applyImports(shop.services);
    const { state, problems, counts } = await readImport(shop, admin, _id);
    expect([state, counts.leftOut]).toEqual(['applied', 1]);
    expect(problems.map(({ message }) => message)).toEqual([
      `${part.number}: Who applied the file is no administrator any more, or the key has ended.`,
    ]);
    expect((await readProduct(shop, part._id)).quantity).toBe(1000);
  });

  test('another part that took the number since is left out', async () => {
    const part = await aProduct(shop, { price: 400 });
    const { _id } = await anImport(shop, `number,price\n${part.number},4`, admin);
    await shop.request(`/product/${part._id}`, { method: 'DELETE', token: admin.token });
    const other = await aProduct(shop, { price: 400, number: part.number });
    await applyPreview(shop, admin, _id);
    const { problems } = await readImport(shop, admin, _id);
    expect(problems[0]?.message).toBe(
      `${part.number}: The part was removed, or has another number, since the preview.`,
    );
    expect((await readProduct(shop, other._id)).price).toBe(400);
  });

  test('the rest is left out once its key has ended', async () => {
    const part = await aProduct(shop);
    const body = { name: 'ERP', scopes: ['catalogue:write', 'stock:write'] };
    const { data } = (await shop.request('/key', { method: 'POST', token: admin.token, body })).body;
    const { _id } = await anImport(shop, `number,add\n${part.number},5`, admin);
    const key = { id: data._id, scopes: data.scopes };
    await markApplied(shop.services.database.db, _id, { ...admin, key }, clock.now());
    await shop.request(`/key/${data._id}`, { method: 'DELETE', token: admin.token });
    await applyImports(shop.services);
    expect((await readImport(shop, admin, _id)).counts.leftOut).toBe(1);
    expect((await readProduct(shop, part._id)).quantity).toBe(1000);
  });

  test("a key's import names the key in the trail", async () => {
    const part = await aProduct(shop);
    const body = { name: 'ERP nightly', scopes: ['catalogue:write', 'stock:write'] };
    const { key } = (await shop.request('/key', { method: 'POST', token: admin.token, body })).body;
    await applyFile(shop, { ...admin, token: key }, `number,add\n${part.number},5`);
    const [entry] = await readActivity(shop, `?q=${part._id}`);
    expect(entry).toMatchObject({ event: 'stock-restocked', key: 'ERP nightly' });
  });

  test('the latest twenty previews of a person stay', async () => {
    const { db } = shop.services.database;
    const { number } = await aProduct(shop);
    const { _id } = await anImport(shop, `number,add\n${number},5`, admin);
    const row = await findWholeImport(db, _id);
    if (!row) throw new Error('The preview was not stored.');
    const maker = { ...row, userId: randomUUID() };
    const ids = Array.from({ length: 21 }, () => shop.services.ids.next());
    for (const [age, id] of ids.entries())
      await insertImport(db, { ...maker, id, createdAt: new Date(row.createdAt.getTime() + age) });
    const found = await Promise.all([_id, ...ids].map((id) => findWholeImport(db, id)));
    expect(found.map((kept) => kept !== null)).toEqual([true, false, ...Array(20).fill(true)]);
  });

  test('names of columns are cut, and the list leaves them out', async () => {
    const { number } = await aProduct(shop);
    const file = `number,price,${'x'.repeat(5000)}\n${number},9,1`;
    expect((await applyFile(shop, admin, file)).columns[2]?.name).toHaveLength(100);
    const { body } = await shop.request('/product/import', { token: admin.token });
    expect(body.data[0]).toMatchObject({ columns: [], notes: [] });
  });

  test('characters that no database takes are left out of texts', async () => {
    const part = await aProduct(shop);
    const { lines } = await anImport(shop, `number,description\n${part.number},a\0b`, admin);
    expect(lines[0]?.changes).toMatchObject([{ column: 'description', will: 'ab' }]);
  });

  test('a job goes on where a process was killed', async () => {
    const parts = await Promise.all(Array.from({ length: 60 }, () => aProduct(shop)));
    const file = parts.map(({ number }) => `${number},7`).join('\n');
    const { _id } = await anImport(shop, `number,add\n${file}`, admin);
    await markApplied(shop.services.database.db, _id, { ...admin, key: null }, clock.now());
    let turns = 0;
    const killed = {
      get aborted() {
        turns += 1;
        return turns > 2;
      },
    };
    await applyImports(shop.services, killed as AbortSignal);
    expect(await readImport(shop, admin, _id)).toMatchObject({ state: 'applying', counts: { done: 50 } });
    const job = listJobs(shop.services).find(({ name }) => name === 'apply-imports');
    await job?.run();
    expect(await readImport(shop, admin, _id)).toMatchObject({ state: 'applied', counts: { done: 60 } });
    const stocks = await Promise.all(parts.map((part) => readProduct(shop, part._id)));
    expect(new Set(stocks.map(({ quantity }) => quantity))).toEqual(new Set([1007]));
    const entries = await readActivity(shop);
    expect(entries.find(({ event }) => event === 'stock-restocked')?.by._id).toBe(admin.userId);
  });

  test('the undo file takes the stock of a new part', async () => {
    const number = `NEW-${randomUUID().slice(0, 8)}`.toUpperCase();
    const { _id } = await applyFile(shop, admin, writeNew(number));
    const undo = await readUndo(shop, admin, _id);
    expect(undo).toBe(`\ufeffnumber,add\r\n${number},-2000\r\n`);
    await applyFile(shop, admin, undo);
    expect((await findNew(number)).quantity).toBe(0);
  });

  test('the undo file puts every field back', async () => {
    const part = await aProduct(shop, { priceBreaks: [{ quantity: 500, price: 9 }] });
    const { _id } = await applyFile(
      shop,
      admin,
      `number,name,fits,attributes,price breaks,add,description\n${part.number},Other,A; B,Colour: red,(none),70,"Two\nlines, one comma"`,
    );
    const changed = await readProduct(shop, part._id);
    expect(changed).toMatchObject({ name: 'Other', fits: ['A', 'B'], priceBreaks: [], quantity: 1070 });
    await applyFile(shop, admin, await readUndo(shop, admin, _id));
    expect(fields(await readProduct(shop, part._id))).toEqual(fields(part));
  });
});

describe('an exported catalogue', () => {
  test.each(['csv', 'xlsx'] as const)('an exported %s changes nothing when it is imported', async (as) => {
    const odd = await aProduct(shop, { name: `=A1 ${as}`, priceBreaks: [{ quantity: 600, price: 1.05 }] });
    for (const number of ['00123', '90.750', '1E5', '-A1', '+5'].map(
      (each) => `${each}${as === 'csv' ? '' : '0'}`,
    ))
      await applyFile(shop, admin, writeNew(number));
    await edit(odd, {
      description: '=1+1; then, “quotes” "and"\nlines\n\'=A1',
      attributes: [
        { name: 'Size: a;b\\', value: '=A1; -B\\' },
        { name: 'N', value: ':' },
      ],
      fits: ["'=A1", 'a;b', 'c:d', 'Norda 12'],
    });
    const content = await exportCatalogue(shop, admin, as);
    const found = await anImport(shop, as === 'csv' ? new TextDecoder().decode(content) : content, admin);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual([]);
    expect(found.counts).toMatchObject({ new: 0, changed: 0, refused: 0 });
    expect(found.counts.unchanged).toBeGreaterThan(5);
  });
});

describe('a warning', () => {
  test('a price that moves by half and repeated pieces are warned of', async () => {
    const [part, other] = [await aProduct(shop, { price: 10 }), await aProduct(shop, { price: 10 })];
    const third = await aProduct(shop, { price: 10, priceBreaks: [{ quantity: 500, price: 9 }] });
    await applyFile(shop, admin, `number,add\n${other.number},40`);
    const { lines, counts } = await anImport(
      shop,
      `number,price,price breaks,add\n${part.number},16,,1\n${other.number},11,,40\n${third.number},10,500: 4.00,`,
      admin,
    );
    expect(lines.map(({ warning }) => warning)).toEqual([
      'The price moves by more than half.',
      'The same pieces were added within 24 hours.',
      'The price moves by more than half.',
    ]);
    expect(counts.warned).toBe(3);
  });

  test.each([
    ['00123', '123'],
    ['1E5', '1.00E+05'],
    ['90.750', '90.75'],
  ])('the name %s that a spreadsheet made %s is warned of', async (name, written) => {
    const part = await aProduct(shop, { name });
    const { lines } = await anImport(shop, `number,name\n${part.number},${written}`, admin);
    expect(lines[0]?.warning).toBe('A spreadsheet may have changed the name.');
  });

  test.each(['4-MAR', '03.04.2026', '2026-04-03', '03. APR'])(
    'a new part with the number %s is warned of',
    async (number) => {
      const { lines } = await anImport(shop, writeNew(number), admin);
      expect(lines[0]?.warning).toBe('A spreadsheet may have made the number a date.');
    },
  );

  test('an edit after the file was written is warned of', async () => {
    const part = await aProduct(shop, { price: 10 });
    const file = `number,price,version\n${part.number},11,${part.version}`;
    expect((await anImport(shop, file, admin)).counts.warned).toBe(0);
    const { _id } = await applyFile(shop, admin, file);
    const undo = await readUndo(shop, admin, _id);
    expect((await anImport(shop, undo, admin)).counts).toMatchObject({ changed: 1, warned: 0 });
    await applyFile(shop, admin, `number,price\n${part.number},12`);
    for (const older of [file, undo]) {
      const { lines } = await anImport(shop, older, admin);
      expect(lines[0]?.warning).toBe('The part was edited after this file was written.');
    }
  });

  test.each(['version', 'stock was'])('a line with “%s” makes no new part', async (column) => {
    const [head, line] = writeNew('12. MAI').split('\n');
    const { problems } = await anImport(shop, `${head},${column}\n${line},5`, admin);
    expect(problems.map(({ message }) => message)).toEqual([
      'No part has the number 12. MAI: a spreadsheet changed it, or the part was removed.',
    ]);
  });

  test('phone models that no part has had are named', async () => {
    const { number } = await aProduct(shop);
    const model = `Norda ${randomUUID().slice(0, 8)}`;
    const file = `number,fits\n${number},${model}`;
    expect((await anImport(shop, file, admin)).notes).toEqual([`New phone models: ${model}.`]);
    await applyFile(shop, admin, file);
    expect((await anImport(shop, file, admin)).notes).toEqual([]);
  });

  test('a number that a spreadsheet changed is no new part', async () => {
    for (const number of ['007123', '70.750', '7E5']) await applyFile(shop, admin, writeNew(number));
    const { problems } = await anImport(shop, `number,price\n7123,9\n70.75,9\n7.00E+05,9\n700000,9`, admin);
    expect(problems.map(({ line, message }) => [line, /write ([^ ]+)\.$/.exec(message)?.[1]])).toEqual([
      [2, '007123'],
      [3, '70.750'],
      [4, '7E5'],
      [5, '7E5'],
    ]);
  });
});

describe('a file of another program', () => {
  /** As bytes, sent as CSV. */
  const sendBytes = async (content: Uint8Array) => {
    const { body } = await shop.request('/product/import', {
      method: 'POST',
      token: admin.token,
      body: content,
      headers: { 'content-type': 'text/csv' },
    });
    return body.data;
  };
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

  test.each<[string, (number: string) => Uint8Array, string]>([
    ['UTF-8 with a mark', (number) => Buffer.from(`\ufeffnumber,name\n${number},Écran`), 'Écran'],
    ['spaced names', (number) => Buffer.from(` Number , Name \r\n ${number} ,  Écran `), 'Écran'],
    ['Windows-1252', (number) => Buffer.from(`number;name\n${number};\xc9cran \x80`, 'latin1'), 'Écran €'],
    ['UTF-16', (number) => utf16(`number\tname\r\n${number}\tÉcran 6.1"\r\n`), 'Écran 6.1"'],
    ['big UTF-16', (number) => utf16(`number,name\n${number},Écran`).swap16(), 'Écran'],
    ['a separator line', (number) => Buffer.from(`sep=;\nnumber;name\n${number};"Écran; 6"`), 'Écran; 6'],
    ['lone returns', (number) => Buffer.from(`number,name\r${number},Écran`), 'Écran'],
    [
      'inch marks',
      (number) => Buffer.from(`number,name\n${number},Display 12" wide, 2`.slice(0, -3)),
      'Display 12" wide',
    ],
    ['guarded text', (number) => Buffer.from(`number,name\n'${number},"'=SUM(A1)"`), '=SUM(A1)'],
    ['doubled guards', (number) => Buffer.from(`number,name\n="${number}",''=1`), "'=1"],
  ])('%s is read', async (_, write, name) => {
    const { number } = await aProduct(shop);
    const { problems, lines } = await sendBytes(write(number));
    expect(problems).toEqual([]);
    expect(lines[0].changes).toEqual([expect.objectContaining({ column: 'name', will: name })]);
  });

  test('quotes that a backslash escapes are refused', async () => {
    const { number } = await aProduct(shop);
    const { problems } = await sendBytes(Buffer.from(`number,name\n${number},"a \\"b\\", c"`));
    expect(problems[0].message).toBe(
      'A quote in this line does not end its cell. Nothing from here on is read.',
    );
  });

  test('an empty cell takes nothing from the line above', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const { lines } = await sendBytes(
      Buffer.from(`number,name,fits\n${part.number},A,B\n${other.number},,C`),
    );
    expect(lines[1].changes.map(({ column }: { column: string }) => column)).toEqual(['fits']);
  });
});

describe('a refused file', () => {
  test.each([
    [
      '',
      'No line of at most 200 cells names the columns. Write “number” and other columns into the first line.',
    ],
    ['number,price', 'This file has no lines below its column names.'],
    [
      'number,price,unit price\nPF-1,2,3',
      'The columns “price” and “unit price” mean the same. Leave one of them out.',
    ],
    ['number,qty,order id\nPF-1,2,3', 'This is a file of orders: its quantities left the stock.'],
    [`number,add\n${'PF-1,1\n'.repeat(10_001)}`, 'A file has at most 10,000 lines. Split it.'],
    [
      'PK\u0003\u0004 no workbook',
      'This workbook is damaged or no XLSX file. Save it again, or save it as CSV.',
    ],
  ])('the file is refused, %#', async (file, message) => {
    const { status, body } = await sendFile(shop, admin, file.slice(0, 200_000));
    expect([status, body.errors]).toEqual([422, [{ path: 'file', message }]]);
  });

  test('a file of another kind is refused', async () => {
    const send = (type: string) =>
      shop.request('/product/import', {
        method: 'POST',
        token: admin.token,
        body: '{}',
        headers: { 'content-type': type },
      });
    expect((await send('application/json')).status).toBe(415);
    expect((await send('text/html')).status).toBe(415);
    // Curl and Windows name other types for a file that the shop reads.
    for (const type of ['application/octet-stream', 'application/vnd.ms-excel'])
      expect((await send(type)).body.detail, type).toMatch(/names the columns/);
  });
});

test('the problems of a file are a file', async () => {
  const { _id } = await anImport(shop, 'number,price\nPF-NONE,5', admin);
  const { bytes } = await downloadFile(shop, admin, { what: 'import', import: _id, part: 'problems' });
  expect(bytes.toString()).toMatch(/^\ufeffLine,Column,Problem\r\n2,number,"No part has the number PF-NONE/);
});

test('the latest files are listed', async () => {
  const { number } = await aProduct(shop);
  const { _id } = await applyFile(shop, admin, `number,price\n${number},5`);
  await anImport(shop, `number,price\n${number},6`, admin);
  const { body } = await shop.request('/product/import', { token: admin.token });
  expect(body.data[0]).toMatchObject({ _id, name: 'parts', state: 'applied', lines: [], problems: [] });
});

test('an unknown import is not found', async () => {
  for (const path of ['', '/apply']) {
    const method = path === '' ? 'GET' : 'POST';
    const answer = await shop.request(`/product/import/${randomUUID()}${path}`, {
      method,
      token: admin.token,
    });
    expect(answer.status).toBe(404);
  }
});

test('an applied file is kept for thirty days, a preview for one', async () => {
  const { number } = await aProduct(shop);
  const preview = await anImport(shop, `number,add\n${number},5`, admin);
  const applied = await applyFile(shop, admin, `number,add\n${number},5`);
  const passHours = async (hours: number) => {
    clock.aheadMs += hours * 3_600_000;
    await forgetKeys(shop.services);
    const found = [preview, applied].map(({ _id }) => findWholeImport(shop.services.database.db, _id));
    return (await Promise.all(found)).map((row) => row !== null);
  };
  expect(await passHours(23)).toEqual([true, true]);
  expect(await passHours(2)).toEqual([false, true]);
  expect(await passHours(28 * 24)).toEqual([false, true]);
  expect(await passHours(2 * 24)).toEqual([false, false]);
});
