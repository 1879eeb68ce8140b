import * as z from 'zod/mini';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';

export const openUpload = defineCall({
  method: 'POST',
  path: '/images/key',
  tag: 'Pictures',
  policy: policies.openUpload,
  summary: 'Where to send a picture',
  description: 'Post multipart field `image` to `{url}?key={key}` within `expiresIn` seconds (ten minutes).',
  answer: z.object({
    url: z.string(),
    key: z.string(),
    expiresIn: z.int(),
  }),
});

export const uploadImage = defineCall({
  method: 'POST',
  path: '/images/upload',
  tag: 'Pictures',
  policy: policies.uploadImage,
  summary: 'Send a picture',
  description:
    'JPEG, PNG, WebP, AVIF or GIF of at most 10 MiB, 50 megapixels and 16,383 pixels a side, without a minimum, decoded to be believed; a truncated file is refused. The shop encodes it again. Its own host answers `/images/<hash>-1280.webp`, for `POST /product`; other widths are 160, 320 and 640, the other ending `.avif`. Two are decoded at a time, within `PICTURE_TIMEOUT_MS` (422). Four are received; twenty wait for twenty seconds, further ones are 503.',
  query: z.object({ key: z.optional(z.string()) }),
  multipart: { field: 'image', types: IMAGE_TYPES, maxBytes: MAX_IMAGE_BYTES },
  answer: z.object({ data: z.object({ url: z.string() }) }),
  problems: ['bad-request', 'too-large', 'wrong-kind', 'invalid'],
});
