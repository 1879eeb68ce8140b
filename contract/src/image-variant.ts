import type { IMAGE_WIDTHS } from './bounds.ts';

const embeddedImage = /^(?<stem>.*\/images\/(?<hash>[0-9a-f]{64}))-1280\.webp$/;

/** The address under which the embedded host gives out a picture, by the hash of what was uploaded. */
export const buildImageAddress = (hash: string): string => `/images/${hash}-1280.webp`;

/** The hash in the path of an embedded picture; null for another path. */
export const readImageHash = (path: string): string | null => {
  const hash = embeddedImage.exec(path)?.groups?.hash;
  return hash !== undefined && path === buildImageAddress(hash) ? hash : null;
};

/**
 * The address of an embedded picture in another width or format; null when the picture is of another host,
 * which has only the one.
 */
export function imageVariant(
  image: string,
  width: (typeof IMAGE_WIDTHS)[number],
  format: 'webp' | 'avif',
): string | null {
  const stem = embeddedImage.exec(image)?.groups?.stem;
  return stem === undefined ? null : `${stem}-${width}.${format}`;
}
