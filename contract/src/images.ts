import * as z from 'zod/mini';
import { defineCall } from './call.ts';

/** A picture's size in bytes, at most: 10 MiB (contract, "Ground rules"). */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;
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

export const openUpload = defineCall({
  method: 'POST',
  path: '/images/key',
  caller: 'admin',
  summary: 'Where to send a picture',
  description:
    'The page posts multipart field `image` to `{url}?key={key}` and reads `data.url`; `expiresIn` is in seconds.',
  answer: z.object({ url: z.string(), key: z.string(), expiresIn: z.int() }),
});

export const uploadImage = defineCall({
  method: 'POST',
  path: '/images/upload',
  caller: 'key',
  summary: 'Send a picture',
  description:
    'Multipart field `image`: JPEG, PNG, WebP, AVIF or GIF of at most 10 MiB, decoded to be believed.',
  query: z.object({ key: z.optional(z.string()) }),
  answer: z.object({ data: z.object({ url: z.string() }) }),
  problems: ['too-large', 'wrong-kind', 'invalid'],
});
