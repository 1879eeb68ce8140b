import { IMAGE_WIDTHS, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from '@parts-forge/contract/calls/bounds';
import sharp, { type Sharp } from 'sharp';

export interface EncodedPicture {
  /** `jpeg`, `png`, `webp`, `heif` (AVIF) or `gif`. */
  format: string;
  width: number;
  height: number;
  /** By file ending, such as `-640.avif`. */
  files: Map<string, Uint8Array>;
}

/** sharp's names; AVIF is HEIF with the av1 codec. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

export class DamagedPicture extends Error {}

sharp.concurrency(1);
sharp.cache(false);

/**
 * Upright, without metadata, never enlarged. Animations keep one frame.
 * @throws Error for an unsupported picture or too many pixels; DamagedPicture
 */
export async function encodePicture(original: Uint8Array): Promise<EncodedPicture> {
  const source = sharp(original, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' });
  const { format, compression, autoOrient } = await source.metadata().catch((cause: unknown) => {
    // Other messages mean an unknown kind.
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

/** Decoding is expensive, so the largest size is the source of all others. */
async function reduce(picture: Sharp, side: number): Promise<Sharp> {
  const { data, info } = await fitInside(picture, side).raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: info });
}

/** Sequential, so that one upload does not use every core. */
async function encodeWidth(picture: Sharp, width: number): Promise<[ending: string, bytes: Buffer][]> {
  const sized = fitInside(picture.clone(), width);
  return [
    [`-${width}.webp`, await sized.clone().webp({ quality: 80 }).toBuffer()],
    [`-${width}.avif`, await sized.clone().avif({ quality: 55, effort: 3 }).toBuffer()],
  ];
}

const fitInside = (picture: Sharp, side: number) =>
  picture.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
