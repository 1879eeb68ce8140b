import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartError } from '../start-error.ts';
import { findSvgMistake } from './svg.ts';

export interface Logo {
  bytes: Buffer;
  type: 'png' | 'svg';
  /** Its address; contains its hash. */
  path: string;
  /**
   * A square PNG, drawn once for each size.
   * @param size of its side in pixels
   * @param ground colour behind it; by default transparent
   * @param share of the side that it takes, for a margin; by default all
   * @throws StartError for a damaged picture
   */
  draw(size: number, ground?: string, share?: number): Promise<Buffer>;
}

const MAX_BYTES = 256 * 1024;
const SIDES = { min: 64, max: 2048 };
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** @returns continues after the setting's name; null for a PNG or an SVG without scripts and links */
export function findLogoMistake(path: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return `must name a readable file (${(error as NodeJS.ErrnoException).code}).`;
  }
  if (bytes.length > MAX_BYTES) return `must be a file of at most ${MAX_BYTES / 1024} kB.`;
  if (!isPng(bytes)) return findSvgMistake(bytes.toString());
  const sides = bytes.length < 24 ? [0, 0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const isInBounds = sides.every((side) => side >= SIDES.min && side <= SIDES.max);
  return isInBounds ? null : `must have sides of ${SIDES.min} to ${SIDES.max} pixels.`;
}

export function readLogo(file: string): Logo {
  const bytes = readFileSync(file);
  const type = isPng(bytes) ? 'png' : 'svg';
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const drawn = new Map<string, Promise<Buffer>>();
  return {
    bytes,
    type,
    path: `/assets/logo-${hash}.${type}`,
    draw(size, ground, share) {
      const key = `${size}${ground}${share}`;
      const picture = drawn.get(key) ?? drawSquare(bytes, size, ground, share);
      drawn.set(key, picture);
      return picture;
    },
  };
}

async function drawSquare(bytes: Buffer, size: number, ground?: string, share = 1): Promise<Buffer> {
  // Loaded only for a shop with a logo of its own.
  const { default: sharp } = await import('sharp');
  try {
    const { width = size, height = size } = await sharp(bytes).metadata();
    // An even margin keeps it in the middle.
    const margin = Math.round((size * (1 - share)) / 2);
    const inner = size - 2 * margin;
    // An SVG is drawn at its target's size, so that a small one stays sharp.
    const density = Math.min(10_000, Math.max(1, (72 * inner) / Math.max(width, height)));
    const background = ground ?? '#ffffff00';
    return await sharp(bytes, { density, limitInputPixels: SIDES.max ** 2 })
      .resize(inner, inner, { fit: 'contain', background })
      .extend({ top: margin, left: margin, bottom: margin, right: margin, background })
      .flatten(ground === undefined ? false : { background })
      .png()
      .toBuffer();
  } catch (error) {
    throw new StartError('SHOP_LOGO is a damaged picture.', { cause: error });
  }
}

const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(PNG_SIGNATURE);
