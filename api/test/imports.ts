import { type Import, WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { expect } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Answer } from './answer.ts';
import { aPicture, signedInAs } from './builders.ts';
import { downloadFile } from './downloads.ts';
import type { SignedIn } from './order-calls.ts';
import { startShop, type TestShop } from './start-shop.ts';

/** For all tests of a file. */
export async function openForImports(clock?: Clock) {
  const shop = await startShop({ ...(clock && { clock }) });
  return { shop, admin: await signedInAs(shop, 'admin'), picture: await aPicture(shop, 'a'.repeat(64)) };
}

/** Expects that the trail explains each stock. */
export async function closeAfterImports(shop: TestShop): Promise<void> {
  expect(await findStockDifferences(shop.services.database.db, 100)).toEqual([]);
  expect(shop.errors).toEqual([]);
  await shop.close();
}

/** A file of one part that the shop does not have. */
export const writeNew = (number: string, picture: string) =>
  `number,name,description,price,minimum order,stock,pictures\n${number},Part ${number},Plain.,5.50,100,2000,${picture}`;

/** A text is CSV, bytes are a workbook. */
export const sendFile = (shop: TestShop, who: SignedIn, file: string | Uint8Array): Promise<Answer> =>
  shop.request('/product/import?name=parts', {
    method: 'POST',
    token: who.token,
    body: file,
    headers: { 'content-type': typeof file === 'string' ? 'text/csv' : WORKBOOK_TYPE },
  });

/** A preview. */
export async function anImport(shop: TestShop, file: string | Uint8Array, who?: SignedIn): Promise<Import> {
  const answer = await sendFile(shop, who ?? (await signedInAs(shop, 'admin')), file);
  if (answer.status !== 200) throw new Error(`The file was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

export const readImport = async (shop: TestShop, who: SignedIn, id: string, from = 0): Promise<Import> =>
  (await shop.request(`/product/import/${id}?from=${from}`, { token: who.token })).body.data;

/** Previews, applies, and waits for the end. */
export async function applyFile(shop: TestShop, who: SignedIn, file: string | Uint8Array): Promise<Import> {
  const { _id } = await anImport(shop, file, who);
  return applyPreview(shop, who, _id);
}

export async function applyPreview(shop: TestShop, who: SignedIn, id: string): Promise<Import> {
  const { status } = await shop.request(`/product/import/${id}/apply`, { method: 'POST', token: who.token });
  expect(status).toBe(200);
  await expect.poll(async () => (await readImport(shop, who, id)).state, { timeout: 20_000 }).toBe('applied');
  return readImport(shop, who, id);
}

export async function exportCatalogue(
  shop: TestShop,
  who: SignedIn,
  as: 'csv' | 'xlsx',
): Promise<Uint8Array> {
  return (await downloadFile(shop, who, { what: 'catalogue', as })).bytes;
}

/** The file that undoes it. */
export const readUndo = async (shop: TestShop, who: SignedIn, id: string): Promise<string> =>
  (await downloadFile(shop, who, { what: 'import', import: id, part: 'undo' })).bytes.toString();
