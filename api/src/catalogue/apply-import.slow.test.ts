import { randomUUID } from 'node:crypto';
import type { Product } from '@parts-forge/contract/products/products';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { forgetKeysAndImports, listJobs } from '#src/jobs.ts';
import { MAX_ATTEMPTS } from '#src/platform/database/claim.ts';
import { writeStock } from '#src/products/change-stock.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { users } from '#src/users/schema.ts';
import { aProduct, readProduct, signedInAs } from '#test/builders.ts';
import {
  anImport,
  applyFile,
  applyPreview,
  exportCatalogue,
  picture,
  readImport,
  readUndo,
  useShopForImports,
  writeNew,
} from '#test/imports.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { expectRefusal } from '#test/paying.ts';
import { personAt } from '#test/person.ts';
import { readActivity } from '#test/trail.ts';
import { usePerson } from '#test/use-shop.ts';
import { applyImport } from './apply-import.ts';
import { findImport, findImportRow, findUnfinishedImports, insertImport, markApplied } from './store.ts';

const clock = createMovableClock();
const shop = useShopForImports({ clock });
const admin = usePerson(shop, 'admin');

/** Another administrator's edit. */
const edit = (product: Product, body: object) =>
  admin.patch(`/product/${product._id}`, body, { 'if-match': `"${product.version}"` });
const fields = ({ updatedAt: _, version: __, ...product }: Product) => product;
const findNew = async (number: string): Promise<Product> =>
  (await shop.request(`/product?q=${encodeURIComponent(number)}`)).body[0];

describe('applying', () => {
  test('applying changes, adds and leaves the trail in the maker’s name', async () => {
    const part = await aProduct(shop, { price: 20 });
    const number = `NEW-${randomUUID().slice(0, 8)}`.toUpperCase();
    const done = await applyFile(admin, `${writeNew(number)}\n${part.number},,,21,,,`);
    expect(done).toMatchObject({ state: 'applied', counts: { new: 1, changed: 1, done: 2, leftOut: 0 } });
    expect(await readProduct(shop, part._id)).toMatchObject({ price: 21, version: 2, quantity: 1000 });
    expect(await findNew(number)).toMatchObject({ number, price: 5.5, quantity: 2000, image: picture });
    const entries = await readActivity(shop);
    const entry = entries.find(({ product }) => product?._id === part._id);
    expect(entry).toMatchObject({ event: 'product-changed', by: { _id: admin.userId } });
  });

  test('applying leaves out a part that was edited since the preview', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const found = await anImport(admin, `number,add,name\n${part.number},5,A\n${other.number},5,B\n`);
    await edit(part, { price: 30 });
    const done = await applyPreview(admin, found._id);
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
    const order = await customer.orders(ordered, 50);
    const findFirst = async (query: string) => (await shop.request(`/product?${query}`)).body[0]?._id;
    const lists = ['sort=-price&limit=1', `q=${empty.number}&available=true`];
    expect((await Promise.all(lists.map(findFirst))).includes(ordered._id)).toBe(false);
    await applyFile(admin, `number,price,add\n${ordered.number},99999,\n${empty.number},,500`);
    expect(await Promise.all(lists.map(findFirst))).toEqual([ordered._id, empty._id]);
    const { body } = await customer.get(`/order/${order._id}`);
    expect(body).toMatchObject({ price: 10, totalPrice: 500 });
  });

  test('applying sets a stock only while it is as the file says', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const file = `number,stock,stock was\nPF-NONE,1,1\n${part.number},900,1000\n${other.number},900,1000`;
    const found = await anImport(admin, file);
    await admin.post(
      `/product/${other._id}/stock`,
      { add: -10, reason: 'correction' },
      { 'idempotency-key': randomUUID() },
    );
    const done = await applyPreview(admin, found._id);
    const message = `${other.number}: There are 990 in stock now.`;
    expect(done.problems[0]).toEqual({ line: 4, column: 'stock was', message });
    expect(done.problems[1]?.line).toBe(2);
    expect((await readProduct(shop, part._id)).quantity).toBe(900);
    expect((await readProduct(shop, other._id)).quantity).toBe(990);
  });

  test('a stock that is there already changes nothing', async () => {
    const part = await aProduct(shop);
    const { counts, problems } = await anImport(admin, `number,stock,stock was\n${part.number},1000,900`);
    expect([counts.unchanged, problems]).toEqual([1, []]);
  });

  test('one delivery in two previews is added once', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const lines = [`${part.number},5`, `${other.number},5`];
    const first = await anImport(admin, ['number,add', ...lines].join('\n'));
    const second = await anImport(admin, ['number,add', `${other.number},6`, lines[0]].join('\n'));
    await Promise.all([first, second].map(({ _id }) => applyPreview(admin, _id)));
    const read = async ({ _id }: Product) => (await readProduct(shop, _id)).quantity;
    expect(await read(part)).toBe(1005);
    expect([1005, 1006]).toContain(await read(other));
    const results = await Promise.all([first, second].map(({ _id }) => readImport(admin, _id)));
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
      const { ids } = shop.services;
      const clock = { now: () => new Date(Date.now() - 1000) };
      const move = { event: 'stock-restocked', productId: part._id, was: 1000, quantity: 1005 } as const;
      await writeStock({ tx, changed, note: (entry) => writeEntry(tx, entry) }, { ids, clock }, move);
      hasAdded();
      await previewed;
    });
    await added;
    const { _id, counts } = await anImport(admin, `number,add\n${part.number},5`);
    commit();
    await late;
    expect([counts.warned, (await applyPreview(admin, _id)).counts.leftOut]).toEqual([0, 1]);
    expect((await readProduct(shop, part._id)).quantity).toBe(1005);
  });

  test('pieces are added although orders moved the stock', async () => {
    const part = await aProduct(shop);
    const { _id } = await anImport(admin, `number,add\n${part.number},5`);
    await (await signedInAs(shop, 'user')).places(part);
    const { counts } = await applyPreview(admin, _id);
    expect([counts.leftOut, (await readProduct(shop, part._id)).quantity]).toEqual([0, 955]);
  });

  test('applying twice applies once', async () => {
    const part = await aProduct(shop);
    const { _id } = await anImport(admin, `number,add\n${part.number},5`);
    const apply = () => applyPreview(admin, _id);
    await Promise.all([apply(), apply(), apply()]);
    expect((await readProduct(shop, part._id)).quantity).toBe(1005);
  });

  test('the rest is left out once its administrator is none', async () => {
    const part = await aProduct(shop);
    const leaver = await signedInAs(shop, 'admin');
    const { _id } = await anImport(leaver, `number,add\n${part.number},5`);
    await markApplied(shop.db, _id, { ...leaver, key: null }, clock.now());
    await shop.db.update(users).set({ role: 'user' }).where(eq(users.id, leaver.userId));
    await shop.services.importer.run();
    const { state, problems, counts } = await readImport(admin, _id);
    expect([state, counts.leftOut]).toEqual(['applied', 1]);
    expect(problems.map(({ message }) => message)).toEqual([
      `${part.number}: Who applied the file is no administrator any more, or the key has ended.`,
    ]);
    expect((await readProduct(shop, part._id)).quantity).toBe(1000);
  });

  test('another part that took the number since is left out', async () => {
    const part = await aProduct(shop, { price: 400 });
    const { _id } = await anImport(admin, `number,price\n${part.number},4`);
    await admin.delete(`/product/${part._id}`);
    const other = await aProduct(shop, { price: 400, number: part.number });
    await applyPreview(admin, _id);
    const { problems } = await readImport(admin, _id);
    expect(problems[0]?.message).toBe(
      `${part.number}: The part was removed, or has another number, since the preview.`,
    );
    expect((await readProduct(shop, other._id)).price).toBe(400);
  });

  test('the rest is left out once its key has ended', async () => {
    const part = await aProduct(shop);
    const body = { name: 'ERP', scopes: ['catalogue:write', 'stock:write'] };
    const { data } = (await admin.post('/key', body)).body;
    const { _id } = await anImport(admin, `number,add\n${part.number},5`);
    const key = { id: data._id, scopes: data.scopes };
    await markApplied(shop.db, _id, { ...admin, key }, clock.now());
    await admin.delete(`/key/${data._id}`);
    await shop.services.importer.run();
    expect((await readImport(admin, _id)).counts.leftOut).toBe(1);
    expect((await readProduct(shop, part._id)).quantity).toBe(1000);
  });

  test("a key's import names the key in the trail", async () => {
    const part = await aProduct(shop);
    const body = { name: 'ERP nightly', scopes: ['catalogue:write', 'stock:write'] };
    const { key } = (await admin.post('/key', body)).body;
    await applyFile(personAt(shop, { ...admin, token: key }), `number,add\n${part.number},5`);
    const [entry] = await readActivity(shop, `?q=${part._id}`);
    expect(entry).toMatchObject({ event: 'stock-restocked', key: 'ERP nightly' });
  });

  test('the latest twenty previews of a person stay', async () => {
    const { number } = await aProduct(shop);
    const { _id } = await anImport(admin, `number,add\n${number},5`);
    const row = await findImportRow(shop.db, _id);
    if (!row) throw new Error('The preview was not stored.');
    const maker = { ...row, userId: randomUUID() };
    const ids = Array.from({ length: 21 }, () => shop.services.ids.next());
    for (const [age, id] of ids.entries())
      await insertImport(shop.db, { ...maker, id, createdAt: new Date(row.createdAt.getTime() + age) }, []);
    const found = await Promise.all([_id, ...ids].map((id) => findImportRow(shop.db, id)));
    expect(found.map((kept) => kept !== null)).toEqual([true, false, ...Array(20).fill(true)]);
  });

  test('names of columns are cut, and the list leaves them out', async () => {
    const { number } = await aProduct(shop);
    const file = `number,price,${'x'.repeat(5000)}\n${number},9,1`;
    expect((await applyFile(admin, file)).columns[2]?.name).toHaveLength(100);
    const { body } = await admin.get('/product/import');
    expect(body.data[0]).toMatchObject({ columns: [], notes: [] });
  });

  test('characters that no database takes are refused, or left out of names', async () => {
    const part = await aProduct(shop);
    const { problems, columns } = await anImport(admin, `number,description,\0x\n${part.number},a\0b`);
    expect(problems).toMatchObject([
      { column: 'description', message: expect.stringMatching(/cannot be shown/) },
    ]);
    expect(columns[2]).toEqual({ name: 'x', column: null });
  });

  test('a job goes on where a process was killed', async () => {
    const parts = await Promise.all(Array.from({ length: 60 }, () => aProduct(shop)));
    const file = parts.map(({ number }) => `${number},7`).join('\n');
    const { _id } = await anImport(admin, `number,add\n${file}`);
    await markApplied(shop.db, _id, { ...admin, key: null }, clock.now());
    let turns = 0;
    const killed = {
      get aborted() {
        turns += 1;
        return turns > 1;
      },
    };
    for (const row of await findUnfinishedImports(shop.db, clock.now()))
      await applyImport(shop.services, row, killed as AbortSignal);
    expect(await readImport(admin, _id)).toMatchObject({ state: 'applying', counts: { done: 50 } });
    const job = listJobs(shop.services).find(({ name }) => name === 'apply-imports');
    await job?.run();
    expect(await readImport(admin, _id)).toMatchObject({ state: 'applied', counts: { done: 60 } });
    const stocks = await Promise.all(parts.map((part) => readProduct(shop, part._id)));
    expect(new Set(stocks.map(({ quantity }) => quantity))).toEqual(new Set([1007]));
    const entries = await readActivity(shop);
    expect(entries.find(({ event }) => event === 'stock-restocked')?.by._id).toBe(admin.userId);
  });

  test('the undo file removes new parts that nobody bought', async () => {
    const numbers = ['a', 'b'].map((letter) => `NEW-${letter}${randomUUID().slice(0, 8)}`.toUpperCase());
    const [bought = '', other = ''] = numbers;
    const [head, line] = writeNew(bought).split('\n');
    const file = [head, line, writeNew(other).split('\n')[1]].join('\n');
    const { _id } = await applyFile(admin, file);
    const undo = await readUndo(shop, admin, _id);
    expect(undo).toBe(`\ufeffnumber,version,remove\r\n${bought},1,yes\r\n${other},1,yes\r\n`);
    await (await signedInAs(shop, 'user')).places(await findNew(bought));
    const preview = await anImport(admin, undo);
    expect(preview.lines.map(({ warning }) => warning)).toEqual([
      'It was bought, so it stays, without stock.',
      'The part is removed.',
    ]);
    await applyPreview(admin, preview._id);
    expect((await findNew(bought)).quantity).toBe(0);
    expect((await anImport(admin, undo)).problems).toMatchObject([
      { message: expect.stringContaining('the part was removed') },
    ]);
  });

  test('a key removes no part by file', async () => {
    const part = await aProduct(shop);
    const { _id } = await anImport(admin, `number,remove\n${part.number},yes`);
    const body = { name: 'ERP', scopes: ['catalogue:write', 'stock:write'] };
    const { key } = (await admin.post('/key', body)).body;
    const path = `/product/import/${_id}/apply`;
    const { status } = await shop.request(path, { method: 'POST', token: key });
    expect(status).toBe(403);
    expect((await readProduct(shop, part._id)).quantity).toBe(part.quantity);
  });

  test('a file names the one that it undoes', async () => {
    const { number } = await aProduct(shop);
    const { _id, undoes } = await applyFile(admin, `number,name\n${number},Other`);
    const send = async (id: string) =>
      admin.post(`/product/import?undoes=${id}`, await readUndo(shop, admin, _id), {
        'content-type': 'text/csv',
      });
    expect([undoes, (await send(_id)).body.data.undoes]).toEqual([null, _id]);
    expectRefusal(await send(randomUUID()), 404, 'not-found');
  });

  test('the undo file puts every field back', async () => {
    const part = await aProduct(shop, { priceBreaks: [{ quantity: 500, price: 9 }] });
    const { _id } = await applyFile(
      admin,
      `number,name,fits,attributes,price breaks,add,description\n${part.number},Other,A; B,Colour: red,(none),70,"Two\nlines, one comma"`,
    );
    const changed = await readProduct(shop, part._id);
    expect(changed).toMatchObject({ name: 'Other', fits: ['A', 'B'], priceBreaks: [], quantity: 1070 });
    await applyFile(admin, await readUndo(shop, admin, _id));
    expect(fields(await readProduct(shop, part._id))).toEqual(fields(part));
  });
});

describe('an exported catalogue', () => {
  test.each(['csv', 'xlsx'] as const)('an exported %s changes nothing when it is imported', async (as) => {
    const odd = await aProduct(shop, { name: `=A1 ${as}`, priceBreaks: [{ quantity: 600, price: 1.05 }] });
    for (const number of ['00123', '90.750', '1E5', '-A1', '+5'].map(
      (each) => `${each}${as === 'csv' ? '' : '0'}`,
    ))
      await applyFile(admin, writeNew(number));
    await edit(odd, {
      description: '=1+1; then, “quotes” "and"\nlines\n\'=A1',
      attributes: [
        { name: 'Size: a;b\\', value: '=A1; -B\\' },
        { name: 'N', value: ':' },
      ],
      fits: ["'=A1", 'a;b', 'c:d', 'Norda 12'],
    });
    const content = await exportCatalogue(shop, admin, as);
    const found = await anImport(admin, as === 'csv' ? new TextDecoder().decode(content) : content);
    expect(found.problems).toEqual([]);
    expect(found.lines).toEqual([]);
    expect(found.counts).toMatchObject({ new: 0, changed: 0, refused: 0 });
    expect(found.counts.unchanged).toBeGreaterThan(5);
  });
});

test('an applied file is kept for thirty days, a preview for one', async () => {
  const { number } = await aProduct(shop);
  const preview = await anImport(admin, `number,add\n${number},5`);
  const applied = await applyFile(admin, `number,add\n${number},5`);
  const passHours = async (hours: number) => {
    clock.aheadMs += hours * 3_600_000;
    await forgetKeysAndImports(shop.services);
    const found = [preview, applied].map(({ _id }) => findImportRow(shop.db, _id));
    return (await Promise.all(found)).map((row) => row !== null);
  };
  expect(await passHours(23)).toEqual([true, true]);
  expect(await passHours(2)).toEqual([false, true]);
  expect(await passHours(28 * 24)).toEqual([false, true]);
  expect(await passHours(2 * 24)).toEqual([false, false]);
});

test('a file that always fails is given up and delays no other', async () => {
  const owner = await signedInAs(shop, 'admin');
  const [bad, good] = [await aProduct(shop), await aProduct(shop)];
  const found = await anImport(owner, `number,price\n${bad.number},7`);
  // As a fault of the shop would: the database refuses such a price.
  await shop.db.execute(sql`update product_import_lines
    set change = jsonb_set(change, '{will,price}', '1e12') where import_id = ${found._id}`);
  const { importer } = shop.services;
  await markApplied(shop.db, found._id, { ...owner, key: null }, clock.now());
  await importer.run();
  await applyFile(owner, `number,price\n${good.number},7`);
  expect((await readProduct(shop, good._id)).price).toBe(7);
  expect(await readImport(owner, found._id)).toMatchObject({ state: 'applying', counts: { done: 0 } });
  for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt += 1) {
    clock.aheadMs += 4 * 3_600_000;
    await importer.run();
  }
  expect(shop.errors.splice(0)).toMatchObject([{ msg: 'an import could not be applied' }]);
  const ended = await findImport(shop.db, found._id, 0);
  expect(ended).toMatchObject({ state: 'applied', counts: { done: 1, leftOut: 1 } });
  const message = `${bad.number}: The shop failed 12 times to apply the rest of the file. Its log has the cause.`;
  expect(ended?.problems).toEqual([{ line: 2, column: 'number', message }]);
});
