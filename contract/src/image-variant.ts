/** The widths in pixels in which the embedded host keeps every picture, each as `.webp` and `.avif`. */
export const IMAGE_WIDTHS = [160, 320, 640, 1280] as const;

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
