import { IMAGE_WIDTHS, MAX_IMAGE_BYTES } from '@parts-forge/contract/calls/bounds';
import { imageVariant } from '@parts-forge/contract/products/image-variant';
import { saveOriginal, withOriginalFile } from './original-file.ts';
import type { PictureEncoder } from './picture-encoder.ts';
import { PICTURE_ENDINGS, readPicture } from './picture-files.ts';
import { readBody } from './read-body.ts';

const REQUEST_TIMEOUT_MS = 15_000;

/**
 * Hosted services keep one file, so its sizes are made again.
 * @throws Error when it cannot be read completely
 */
export async function readFiles(
  address: string,
  folder: string,
  encoder: PictureEncoder,
  signal: AbortSignal,
): Promise<Map<string, Uint8Array>> {
  const read = (where: string) =>
    where.startsWith('/') ? readLocal(folder, where) : readByHttp(where, signal);
  const [width = 0] = IMAGE_WIDTHS;
  if (imageVariant(address, width, 'avif') === null) {
    const bytes = await read(address);
    return withOriginalFile(async (file) => {
      await saveOriginal(file, [bytes]);
      return (await encoder.encode(file, signal)).files;
    });
  }
  const files = new Map<string, Uint8Array>();
  for (const ending of PICTURE_ENDINGS) {
    files.set(ending, await read(address.replace(/-1280\.webp$/, ending)));
  }
  return files;
}

async function readLocal(folder: string, address: string): Promise<Buffer> {
  const bytes = await readPicture(folder, address.replace('/images/', ''));
  if (bytes === null) throw new Error(`${address} is not in DATA_DIR`);
  return bytes;
}

async function readByHttp(address: string, signal: AbortSignal): Promise<Buffer> {
  const answer = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  });
  if (!answer.ok) throw new Error(`${address} was answered ${answer.status}`);
  const bytes = await readBody(answer, MAX_IMAGE_BYTES);
  if (bytes === null) throw new Error(`${address} is larger than a picture may be`);
  return bytes;
}
