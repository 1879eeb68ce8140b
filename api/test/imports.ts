import { type Import, WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { expect } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Answer } from './answer.ts';
import { aPicture, signedInAs } from './builders.ts';
import { downloadFile } from './downloads.ts';
import type { Person } from './person.ts';
import { startShop, type TestShop } from './start-shop.ts';

/** For all tests of a file. */
export async function openForImports(clock?: Clock) {
  const shop = await startShop({ ...(clock && { clock }) });
  return { shop, admin: await signedInAs(shop, 'admin'), picture: await aPicture(shop, 'a'.repeat(64)) };
}

/** Expects that the trail explains each stock. */
export async function closeAfterImports(shop: TestShop): Promise<void> {
  expect(await findStockDifferences(shop.db, 100)).toEqual([]);
  expect(shop.errors).toEqual([]);
  await shop.close();
}

/** A file of one part that the shop does not have. */
export const writeNew = (number: string, picture: string) =>
  `number,name,description,price,minimum order,stock,pictures\n${number},Part ${number},Plain.,5.50,100,2000,${picture}`;

/** A text is CSV, bytes are a workbook. */
export const sendFile = (who: Person, file: string | Uint8Array): Promise<Answer> =>
  who.post('/product/import?name=parts', file, {
    'content-type': typeof file === 'string' ? 'text/csv' : WORKBOOK_TYPE,
  });

/** A preview. */
export async function anImport(who: Person, file: string | Uint8Array): Promise<Import> {
  const answer = await sendFile(who, file);
  if (answer.status !== 200) throw new Error(`The file was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

export const readImport = async (who: Person, id: string, from = 0): Promise<Import> =>
  (await who.get(`/product/import/${id}?from=${from}`)).body.data;

/** Previews, applies, and waits for the end. */
export async function applyFile(who: Person, file: string | Uint8Array): Promise<Import> {
  const { _id } = await anImport(who, file);
  return applyPreview(who, _id);
}

export async function applyPreview(who: Person, id: string): Promise<Import> {
  const { status } = await who.post(`/product/import/${id}/apply`);
  expect(status).toBe(200);
  await expect.poll(async () => (await readImport(who, id)).state, { timeout: 20_000 }).toBe('applied');
  return readImport(who, id);
}

export async function exportCatalogue(shop: TestShop, who: Person, as: 'csv' | 'xlsx'): Promise<Uint8Array> {
  return (await downloadFile(shop, who, { what: 'catalogue', as })).bytes;
}

/** The file that undoes it. */
export const readUndo = async (shop: TestShop, who: Person, id: string): Promise<string> =>
  (await downloadFile(shop, who, { what: 'import', import: id, part: 'undo' })).bytes.toString();
