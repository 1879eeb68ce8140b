import * as z from 'zod/mini';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from './bounds.ts';
import { defineCall } from './call.ts';
import { policies } from './policies.ts';

const notBytes = `Must be a whole number from 1 to ${MAX_IMAGE_BYTES}`;
const sizeInBytes = z.pipe(
  z.string().check(z.regex(/^[0-9]{1,9}$/, notBytes)),
  z.pipe(z.transform(Number), z.number().check(z.gte(1, notBytes), z.lte(MAX_IMAGE_BYTES, notBytes))),
);

/** Signed into uploads to `direct.url`: browsers save an unchecked file and never render it. */
export const DIRECT_UPLOAD_TYPE = 'application/octet-stream';

export const openUpload = defineCall({
  method: 'POST',
  path: '/images/key',
  tag: 'Pictures',
  policy: policies.openUpload,
  summary: 'Where to send a picture',
  description:
    "Post multipart field `image` to `{url}?key={key}` within `expiresIn` seconds (ten minutes). With S3-compatible storage and the file's size in `bytes` there is also `direct.url`: PUT exactly so many bytes there as `application/octet-stream`, then send the key to `POST /images/sent`.",
  query: z.object({ bytes: z.optional(sizeInBytes) }),
  answer: z.object({
    url: z.string(),
    key: z.string(),
    expiresIn: z.int(),
    direct: z.optional(z.object({ url: z.string() })),
  }),
});

export const takeUpload = defineCall({
  method: 'POST',
  path: '/images/sent',
  tag: 'Pictures',
  policy: policies.takeUpload,
  summary: 'Take a picture that was sent to the storage',
  description:
    "Takes the file sent to `direct.url`, under the rules of `POST /images/upload`, and deletes it there. Refused when nothing was sent, the key is old or another administrator's, or there is no such storage.",
  body: z.object({ key: z.string().check(z.minLength(1), z.maxLength(300)) }),
  answer: z.object({ data: z.object({ url: z.string() }) }),
  problems: ['invalid', 'too-large'],
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
