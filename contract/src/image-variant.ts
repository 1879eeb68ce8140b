const madeHere = /^(?<stem>.*\/images\/(?<hash>[0-9a-f]{64}))-1280\.webp$/;

/** Path of a picture on any host, by the hash of the uploaded file. */
export const buildImageAddress = (hash: string): string => `/images/${hash}-1280.webp`;

/** The hash in such a path; else null. */
export const readImageHash = (path: string): string | null => {
  const hash = madeHere.exec(path)?.groups?.hash;
  return hash !== undefined && path === buildImageAddress(hash) ? hash : null;
};

/**
 * Address of the same picture in another width or format; null for a picture that the shop did not resize.
 * @param width one of those in `GET /config`
 */
export function imageVariant(image: string, width: number, format: 'webp' | 'avif'): string | null {
  const stem = madeHere.exec(image)?.groups?.stem;
  return stem === undefined ? null : `${stem}-${width}.${format}`;
}
