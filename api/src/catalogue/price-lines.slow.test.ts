import type { OwnPrice } from '@parts-forge/contract/prices/agreed-prices';
import { beforeEach, expect, test } from 'vitest';
import { aProduct, type Person, signedInAgain, signedInAs } from '#test/builders.ts';
import { aLink, openLink } from '#test/downloads.ts';
import {
  anImport,
  applyFile,
  applyPreview,
  readImport,
  readUndo,
  sendFile,
  useShopForImports,
} from '#test/imports.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { expectRefusal } from '#test/paying.ts';
import { personAt } from '#test/person.ts';
import { usePerson } from '#test/use-shop.ts';
import { awaitWaiting, whileLocked } from '#test/waiting-statements.ts';

const clock = createMovableClock();
const HEAD = 'customer,number,from,price,until';
const shop = useShopForImports({ clock });
const admin = usePerson(shop, 'admin');
beforeEach(() => {
  clock.aheadMs = 0;
});

const aCustomer = () => signedInAs(shop, 'user');
const pricesOf = async (customer: Person, part: { _id: string }): Promise<OwnPrice[]> =>
  (await customer.get(`/price?products=${part._id}`)).body.data[0]?.ownPrices ?? [];
const listIds = async (who: Person) =>
  (await who.get('/product/import')).body.data.map(({ _id }: { _id: string }) => _id);
const write = (...lines: string[]) => [HEAD, ...lines].join('\n');

test('a file of prices agrees on them with customers', async () => {
  const [ana, bo, part] = [await aCustomer(), await aCustomer(), await aProduct(shop, { price: 20 })];
  const file = write(
    `${ana.email.toUpperCase()},${part.number},,19.50,`,
    `${ana.email},${part.number},500,18,2099-12-31`,
    `${bo.email},${part.number},,17,`,
  );
  const found = await anImport(admin, file);
  expect(found).toMatchObject({ kind: 'prices', counts: { new: 3, changed: 0, warned: 0, refused: 0 } });
  expect(found.lines[1]).toMatchObject({ number: part.number, customer: ana.email, from: 500, isNew: true });
  expect(await pricesOf(ana, part)).toEqual([]);
  const done = await applyPreview(admin, found._id);
  expect(done).toMatchObject({ state: 'applied', counts: { done: 3, leftOut: 0 } });
  expect(await pricesOf(ana, part)).toEqual([
    { fromQuantity: 1, price: 19.5 },
    { fromQuantity: 500, price: 18, until: '2099-12-31' },
  ]);
  expect(await pricesOf(bo, part)).toEqual([{ fromQuantity: 1, price: 17 }]);
});

test('the file that undoes prices brings the former ones back', async () => {
  const [ana, part] = [await aCustomer(), await aProduct(shop, { price: 20 })];
  const line = `${ana.email},${part.number}`;
  await applyFile(admin, write(`${line},1,19,2099-12-31`, `${line},50,18.5,`, `${line},90,18,`));
  const before = await pricesOf(ana, part);
  const change = [`${line},1,15,(none),`, `${line},50,,,yes`, `${line},80,14,,`, `${line},90,18,,`];
  const done = await applyFile(admin, `${HEAD},remove\n${change.join('\n')}`);
  expect(done.counts).toMatchObject({ new: 1, changed: 2, unchanged: 1, done: 3, leftOut: 0 });
  expect(await pricesOf(ana, part)).toEqual([
    { fromQuantity: 1, price: 15 },
    { fromQuantity: 80, price: 14 },
    { fromQuantity: 90, price: 18 },
  ]);
  await applyFile(admin, await readUndo(shop, admin, done._id));
  expect(await pricesOf(ana, part)).toEqual(before);
});

test('a refused line of prices names its column', async () => {
  const [ana, part] = [await aCustomer(), await aProduct(shop, { price: 20 })];
  const found = await anImport(
    admin,
    `${HEAD},remove\n${[
      `nobody@shop.test,${part.number},1,9,,`,
      `${admin.email},${part.number},1,9,,`,
      `${ana.email},PF-NONE,1,9,,`,
      `${ana.email},${part.number},2,9,2020-01-01,`,
      `${ana.email},${part.number},3,,,`,
      `${ana.email},${part.number},4,,,yes`,
    ].join('\n')}`,
  );
  expect(found.problems).toEqual([
    { line: 2, column: 'customer', message: 'No customer has this e-mail address.' },
    { line: 3, column: 'customer', message: 'No customer has this e-mail address.' },
    { line: 4, column: 'number', message: 'No part has the number PF-NONE.' },
    { line: 5, column: 'until', message: 'This day has passed.' },
    { line: 6, column: 'price', message: 'The price is missing.' },
    { line: 7, column: 'remove', message: 'This customer has no such price.' },
  ]);
});

test('a price above the list or below its half has a warning', async () => {
  const [ana, part] = [await aCustomer(), await aProduct(shop, { price: 20 })];
  const line = `${ana.email},${part.number}`;
  const found = await anImport(admin, write(`${line},1,20,`, `${line},2,20.01,`, `${line},3,9.99,`));
  expect(found.lines.map(({ from, warning }) => [from, warning])).toEqual([
    [2, "The list's price is lower, so it counts."],
    [3, "The price is below half of the list's."],
    [1, undefined],
  ]);
});

test('applying leaves out prices that changed since the preview', async () => {
  const [ana, part] = [await aCustomer(), await aProduct(shop, { price: 20 })];
  const file = write(`${ana.email},${part.number},1,19,2099-12-31`, `${ana.email},${part.number},2,18,`);
  const found = await anImport(admin, file);
  await applyFile(admin, write(`${ana.email},${part.number},1,17,`));
  const done = await applyPreview(admin, found._id);
  expect(done.counts).toMatchObject({ done: 2, leftOut: 1 });
  expect(done.problems).toEqual([
    { line: 2, column: 'price', message: `${part.number}: The price was changed since the preview.` },
  ]);
  expect((await pricesOf(ana, part)).map(({ price }) => price)).toEqual([17, 18]);
});

test('a price that has ended is no price of the next file', async () => {
  const [ana, part] = [await aCustomer(), await aProduct(shop, { price: 20 })];
  const line = `${ana.email},${part.number}`;
  await applyFile(admin, write(`${line},1,19,2099-12-31`, `${line},2,18,2099-12-31`));
  const late = await anImport(admin, write(`${line},3,16,2099-12-31`));
  clock.aheadMs = Date.parse('2100-02-01') - Date.now();
  const [owner, buyer] = [await signedInAgain(shop, admin), await signedInAgain(shop, ana)];
  expect((await applyPreview(owner, late._id)).problems).toMatchObject([{ line: 2, column: 'until' }]);
  const head = 'customer,number,from,price,remove';
  const removal = await anImport(owner, `${head}\n${line},2,,yes`);
  expect(removal.problems).toMatchObject([{ column: 'remove' }]);
  const done = await applyFile(owner, `${head}\n${line},1,17,`);
  expect(done.counts).toMatchObject({ new: 1, done: 1, leftOut: 0 });
  expect(await pricesOf(buyer, part)).toEqual([{ fromQuantity: 1, price: 17 }]);
});

test('prices of a removed customer are not those of its address', async () => {
  const [ana, part] = [await aCustomer(), await aProduct(shop, { price: 20 })];
  const found = await anImport(admin, write(`${ana.email},${part.number},1,19,`));
  await admin.delete(`/user/${ana.email}`);
  const next = await signedInAs(shop, 'user', { email: ana.email });
  const done = await applyPreview(admin, found._id);
  expect(done.problems).toMatchObject([{ line: 2, column: 'number' }]);
  expect(await pricesOf(next, part)).toEqual([]);
});

test('files of prices forget the address of a removed customer', async () => {
  const [ana, part] = [await aCustomer(), await aProduct(shop, { price: 20 })];
  const done = await applyFile(admin, write(`${ana.email},${part.number},1,19,`));
  await admin.delete(`/user/${ana.email}`);
  expect((await readImport(admin, done._id)).lines).toMatchObject([{ customer: '', number: part.number }]);
  const undone = await anImport(admin, await readUndo(shop, admin, done._id));
  expect(undone.problems).toMatchObject([{ line: 2, column: 'customer' }]);
});

test('a file being stored forgets the address of a removed customer', async () => {
  const [ana, bo, part] = [await aCustomer(), await aCustomer(), await aProduct(shop, { price: 20 })];
  const file = write(`${ana.email},${part.number},1,19,`, `${bo.email},${part.number},1,19,`);
  const right = ['select from users where id = $1 for update', admin.userId] as const;
  const { sent } = await whileLocked(shop, right, async (client) => {
    const sent = anImport(admin, file);
    await awaitWaiting(client, 1);
    expect((await ana.delete(`/user/${ana.email}`)).status).toBe(200);
    return { sent };
  });
  const found = await sent;
  expect(found.lines.map(({ customer }) => customer)).toEqual(['', bo.email]);
  expect((await readImport(admin, found._id)).lines).toEqual(found.lines);
});

test('no key applies prices of customers, or sees them', async () => {
  const [ana, part] = [await aCustomer(), await aProduct(shop, { price: 20 })];
  const { key } = (await admin.post('/key', { name: 'ERP', scopes: ['catalogue:write'] })).body;
  const found = await anImport(admin, write(`${ana.email},${part.number},1,19,`));
  const erp = personAt(shop, { ...admin, token: key });
  const path = `/product/import/${found._id}`;
  expectRefusal(await erp.post(`${path}/apply`, {}), 403, 'not-for-keys');
  expect(await pricesOf(ana, part)).toEqual([]);
  expectRefusal(await sendFile(erp, write(`${ana.email},${part.number},1,18,`)), 403, 'not-for-keys');
  await applyPreview(admin, found._id);
  expectRefusal(await erp.get(path), 404, 'not-found');
  expect(await listIds(erp)).not.toContain(found._id);
  expect(await listIds(admin)).toContain(found._id);
  const link = await aLink(erp, { what: 'import', import: found._id, part: 'undo' });
  expect((await openLink(shop, link)).status).toBe(404);
});
