import type { DownloadRequest } from '@parts-forge/contract/files/downloads';
import type { Order } from '@parts-forge/contract/orders/orders';
import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import type { Answer } from './answer.ts';
import type { Person } from './person.ts';
import type { TestShop } from './start-shop.ts';

export const askForDownload = (who: Person, body: DownloadRequest): Promise<Answer> =>
  who.post('/downloads', body);

export async function aLink(who: Person, body: DownloadRequest): Promise<string> {
  const answer = await askForDownload(who, body);
  if (answer.status !== 200) throw new Error(`The file was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.url;
}

export async function openLink(shop: TestShop, link: string) {
  const response = await fetch(shop.url + link);
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

export const downloadFile = async (shop: TestShop, who: Person, body: DownloadRequest) =>
  openLink(shop, await aLink(who, body));

/** Text of each page, and the metadata. */
export async function readPdf(bytes: Buffer) {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document);
  const { info } = await getMeta(document);
  return { pages: text, info };
}

export const downloadPdf = async (
  shop: TestShop,
  who: Person,
  order: Order,
  what: 'invoice' | 'credit-note' = 'invoice',
) => {
  const file = await downloadFile(shop, who, { what, order: order._id });
  return { ...file, ...(await readPdf(file.bytes)) };
};
