import * as z from 'zod/mini';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from './bounds.ts';
import { defineCall } from './call.ts';
import { policies } from './policies.ts';

export const openUpload = defineCall({
  method: 'POST',
  path: '/images/key',
  tag: 'Pictures',
  policy: policies.openUpload,
  summary: 'Where to send a picture',
  description:
    'The page posts multipart field `image` to `{url}?key={key}` and reads `data.url`; `expiresIn` is in seconds.',
  answer: z.object({ url: z.string(), key: z.string(), expiresIn: z.int() }),
});

export const uploadImage = defineCall({
  method: 'POST',
  path: '/images/upload',
  tag: 'Pictures',
  policy: policies.uploadImage,
  summary: 'Send a picture',
  description:
    'Multipart field `image`: JPEG, PNG, WebP, AVIF or GIF of at most 10 MiB, 50 megapixels and 16,383 pixels on a side, decoded to be believed. Two are decoded at a time; while eight are being taken in further ones are 503.',
  query: z.object({ key: z.optional(z.string()) }),
  multipart: { field: 'image', types: IMAGE_TYPES, maxBytes: MAX_IMAGE_BYTES },
  answer: z.object({ data: z.object({ url: z.string() }) }),
  problems: ['bad-request', 'too-large', 'wrong-kind', 'invalid'],
});
