import { IMAGE_WIDTHS } from '@parts-forge/contract/bounds';
import sharp, { type Sharp } from 'sharp';

/** Pixels of a picture, at most: 50 million, so that a small file cannot fill the memory. */
export const MAX_PIXELS = 50_000_000;

export interface EncodedPicture {
  /** As decoded: `jpeg`, `png`, `webp`, `heif` (AVIF) or `gif`. */
  format: string;
  width: number;
  height: number;
  /** File ending, such as `-640.avif`, to its bytes. */
  files: Map<string, Buffer>;
}

/** The endings of the files of every picture. */
export const PICTURE_ENDINGS: readonly string[] = IMAGE_WIDTHS.flatMap((width) => [
  `-${width}.webp`,
  `-${width}.avif`,
]);

/** Kinds of pictures as sharp names them; AVIF is HEIF with the av1 codec. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

/**
 * Decodes a picture to believe it, and makes it anew in every width and format that the pages use: upright,
 * without metadata, never larger than it was. Of an animation the first frame is taken.
 * @throws Error when it is no picture of a kind we take, or has more than `MAX_PIXELS`
 */
export async function encodePicture(original: Buffer): Promise<EncodedPicture> {
  const source = sharp(original, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
  const { format, compression, autoOrient } = await source.metadata();
  if (!formats.has(format) || (format === 'heif' && compression !== 'av1'))
    throw new Error(`a ${format} is not taken`);
  const upright = source.autoOrient();
  const files = new Map<string, Buffer>();
  for (const width of IMAGE_WIDTHS) {
    for (const [ending, bytes] of await encodeWidth(upright, width)) files.set(ending, bytes);
  }
  return { format, width: autoOrient.width, height: autoOrient.height, files };
}

/** A width in both formats, one after the other, so that one upload does not take every core. */
export async function encodeWidth(picture: Sharp, width: number): Promise<[ending: string, bytes: Buffer][]> {
  const sized = picture.clone().resize({ width, height: width, fit: 'inside', withoutEnlargement: true });
  return [
    [`-${width}.webp`, await sized.clone().webp({ quality: 80 }).toBuffer()],
    [`-${width}.avif`, await sized.clone().avif({ quality: 55, effort: 3 }).toBuffer()],
  ];
}
