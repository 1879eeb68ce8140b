import { IMAGE_WIDTHS, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from '@parts-forge/contract/bounds';
import sharp, { type Sharp } from 'sharp';

export interface EncodedPicture {
  /** As decoded: `jpeg`, `png`, `webp`, `heif` (AVIF) or `gif`. */
  format: string;
  width: number;
  height: number;
  /** File ending, such as `-640.avif`, to its bytes. */
  files: Map<string, Uint8Array>;
}

/** Kinds of pictures as sharp names them; AVIF is HEIF with the av1 codec. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

/** A file that begins as a picture and cannot be decoded, as when its download or export was cut off. */
export class DamagedPicture extends Error {}

// One picture takes one core, and leaves nothing behind for the next one.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Decodes a picture to believe it, and makes it anew in every width and format that the pages use: upright,
 * without metadata, never larger than it was. Of an animation the first frame is taken.
 * @throws Error when it is no picture of a kind we take, or has more pixels than the bounds allow; DamagedPicture
 */
export async function encodePicture(original: Uint8Array): Promise<EncodedPicture> {
  const source = sharp(original, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' });
  // Tells what the file says of itself; nothing is decoded yet.
  const { format, compression, autoOrient } = await source.metadata().catch((cause: unknown) => {
    // A WebP or GIF that ends too early does not open; an unknown kind has another message.
    throw String(cause).includes('has corrupt header') ? new DamagedPicture(String(cause)) : cause;
  });
  if (!formats.has(format) || (format === 'heif' && compression !== 'av1'))
    throw new Error(`a ${format} is not taken`);
  const { width, height } = autoOrient;
  if (Math.max(width, height) > MAX_IMAGE_SIDE || width * height > MAX_IMAGE_PIXELS)
    throw new Error(`${width} × ${height} pixels are not taken`);

  const largest = await reduce(source.autoOrient(), Math.max(...IMAGE_WIDTHS)).catch((cause: unknown) => {
    throw new DamagedPicture(String(cause));
  });
  const files = new Map<string, Uint8Array>();
  for (const side of IMAGE_WIDTHS) {
    for (const [ending, bytes] of await encodeWidth(largest, side)) files.set(ending, bytes);
  }
  return { format, width, height, files };
}

/** Decoded once, as this is what a large picture costs; all sizes are made of the largest one. */
async function reduce(picture: Sharp, side: number): Promise<Sharp> {
  const { data, info } = await fitInside(picture, side).raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: info });
}

/** A width in both formats, one after the other, so that one upload does not take every core. */
async function encodeWidth(picture: Sharp, width: number): Promise<[ending: string, bytes: Buffer][]> {
  const sized = fitInside(picture.clone(), width);
  return [
    [`-${width}.webp`, await sized.clone().webp({ quality: 80 }).toBuffer()],
    [`-${width}.avif`, await sized.clone().avif({ quality: 55, effort: 3 }).toBuffer()],
  ];
}

const fitInside = (picture: Sharp, side: number) =>
  picture.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
