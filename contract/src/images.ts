import * as z from 'zod/mini';
import { defineCall } from './call.ts';

/** A picture's size in bytes, at most: 10 MiB (contract, "Ground rules"). */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;
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
  problems: ['bad-request', 'too-large', 'wrong-kind', 'invalid'],
});
