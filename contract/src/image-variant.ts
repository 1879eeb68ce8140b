import type { IMAGE_WIDTHS } from './bounds.ts';

const ownPicture = /^(.*\/images\/[0-9a-f]{64})-1280\.webp$/;

/**
 * The address of an embedded picture in another width or format; null when the picture is of another host,
 * which has only the one.
 */
export function imageVariant(
  image: string,
  width: (typeof IMAGE_WIDTHS)[number],
  format: 'webp' | 'avif',
): string | null {
  const stem = ownPicture.exec(image)?.[1];
  return stem === undefined ? null : `${stem}-${width}.${format}`;
}
