import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartError } from '../start-error.ts';
import { describeUnreadable } from './setting.ts';
import { findSvgMistake } from './svg.ts';

export interface Logo {
  file: string;
  bytes: Buffer;
  type: 'png' | 'svg';
  /** Its address; contains its hash. */
  path: string;
  /**
   * A square PNG, drawn once for each size.
   * @param size of its side in pixels
   * @param ground colour behind it; by default transparent
   * @throws StartError for a damaged picture
   */
  draw(size: number, ground?: string): Promise<Buffer>;
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
    return describeUnreadable(error);
  }
  if (bytes.length > MAX_BYTES) return `must be a file of at most ${MAX_BYTES / 1024} kB.`;
  if (!isPng(bytes)) return findSvgMistake(bytes.toString());
  const sides = bytes.length < 24 ? [0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (sides.every((side) => side >= SIDES.min && side <= SIDES.max)) return null;
  return `must have sides of ${SIDES.min} to ${SIDES.max} pixels.`;
}

export function readLogo(file: string): Logo {
  const bytes = readFileSync(file);
  const type = isPng(bytes) ? 'png' : 'svg';
  const drawn = new Map<string, Promise<Buffer>>();
  return {
    file,
    bytes,
    type,
    path: `/assets/logo-${hashBytes(bytes)}.${type}`,
    draw(size, ground = '#ffffff00') {
      const picture = drawn.get(size + ground) ?? drawSquare(bytes, size, ground);
      drawn.set(size + ground, picture);
      return picture;
    },
  };
}

async function drawSquare(bytes: Buffer, size: number, background: string): Promise<Buffer> {
  // Loaded only for a shop with a logo of its own.
  const { default: sharp } = await import('sharp');
  try {
    const { width, height } = await sharp(bytes).metadata();
    // An SVG is drawn at its target's size, so that a small one stays sharp.
    const density = Math.min(10_000, Math.max(1, (72 * size) / Math.max(width, height)));
    const picture = sharp(bytes, { density }).resize(size, size, { fit: 'contain', background });
    return await (background.length === 7 ? picture.flatten({ background }) : picture).png().toBuffer();
  } catch (error) {
    throw new StartError('SHOP_LOGO is a damaged picture.', { cause: error });
  }
}

export const hashBytes = (bytes: Buffer | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 16);

const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(PNG_SIGNATURE);
