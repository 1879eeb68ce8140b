const madeHere = /^(?<stem>.*\/images\/(?<hash>[0-9a-f]{64}))-1280\.webp$/;

/** The path of a picture that the shop made, by the hash of what was uploaded; on whichever host it is. */
export const buildImageAddress = (hash: string): string => `/images/${hash}-1280.webp`;

/** The hash in such a path; null for another one. */
export const readImageHash = (path: string): string | null => {
  const hash = madeHere.exec(path)?.groups?.hash;
  return hash !== undefined && path === buildImageAddress(hash) ? hash : null;
};

/**
 * The address of a picture that the shop made in another width or format; null when somebody else made it, who has only
 * the one.
 * @param width one of those that `GET /config` names
 */
export function imageVariant(image: string, width: number, format: 'webp' | 'avif'): string | null {
  const stem = madeHere.exec(image)?.groups?.stem;
  return stem === undefined ? null : `${stem}-${width}.${format}`;
}
