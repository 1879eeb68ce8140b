const madeHere = /^(?<stem>.*\/images\/(?<hash>[0-9a-f]{64}))-1280\.webp$/;

/** By the hash of the uploaded file; the host may be any. */
export const buildImageAddress = (hash: string): string => `/images/${hash}-1280.webp`;

/** Null for other paths. */
export const readImageHash = (path: string): string | null => {
  const hash = madeHere.exec(path)?.groups?.hash;
  return hash !== undefined && path === buildImageAddress(hash) ? hash : null;
};

/**
 * The picture in another width or format; null for pictures with one file.
 * @param width one of those in `GET /config`
 */
export function imageVariant(image: string, width: number, format: 'webp' | 'avif'): string | null {
  const stem = madeHere.exec(image)?.groups?.stem;
  return stem === undefined ? null : `${stem}-${width}.${format}`;
}
