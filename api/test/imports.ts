import { type Import, WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { buildImageAddress } from '@parts-forge/contract/products/image-variant';
import { afterAll, beforeAll, expect } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import type { Answer } from './answer.ts';
import { aPicture } from './builders.ts';
import { downloadFile } from './downloads.ts';
import type { Person } from './person.ts';
import type { ShopOptions, TestShop } from './start-shop.ts';
import { useShop } from './use-shop.ts';

/** Known to each of these shops. */
export const picture = buildImageAddress('a'.repeat(64));

/** In the end its trail explains each stock. */
export function useShopForImports(options: ShopOptions = {}): TestShop {
  const shop = useShop(options);
  beforeAll(() => aPicture(shop, 'a'.repeat(64)));
  afterAll(async () => expect(await findStockDifferences(shop.db, 100)).toEqual([]));
  return shop;
}

/** A file of one part that the shop does not have. */
export const writeNew = (number: string, pictures = picture) =>
  `number,name,description,price,minimum order,stock,pictures\n${number},Part ${number},Plain.,5.50,100,2000,${pictures}`;

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
