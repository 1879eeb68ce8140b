import sharp from 'sharp';
import type { Answer } from './answer.ts';
import type { Person } from './person.ts';
import type { TestShop } from './start-shop.ts';

/** A PNG of one colour with a text beside it, sides in pixels. */
export const drawPicture = (width: number, height = 40): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#c96730' } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .png()
    .toBuffer();

export const asBlob = (bytes: Uint8Array, type = 'image/png'): Blob =>
  new Blob([new Uint8Array(bytes)], { type });

export function pictureForm(bytes: Uint8Array, type?: string): FormData {
  const form = new FormData();
  form.set('image', asBlob(bytes, type), 'part.png');
  return form;
}

/** @returns the address that takes the administrator's pictures for ten minutes */
export async function openUpload(shop: TestShop, { token }: Pick<Person, 'token'>): Promise<string> {
  const { body } = await shop.request('/images/key', { method: 'POST', token });
  return `${body.url}?key=${body.key}`;
}

export const sendPicture = async (
  shop: TestShop,
  admin: Pick<Person, 'token'>,
  bytes: Uint8Array,
  type?: string,
): Promise<Answer> =>
  shop.request(await openUpload(shop, admin), { method: 'POST', body: pictureForm(bytes, type) });
