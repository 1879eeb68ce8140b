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
    'The page posts multipart field `image` to `{url}?key={key}` and reads `data.url`; `expiresIn` is in seconds. Where pictures are kept in S3-compatible storage and `bytes` says how large the file is, it may send the file itself to `direct.url` by PUT with the type `application/octet-stream` instead, and then the key to `POST /images/sent`.',
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
    'With the key of `POST /images/key`, after the file was sent to its `direct.url`. The shop reads it there, makes its sizes and removes it; what is taken as a picture is as for `POST /images/upload`. A key of another administrator is wrong, as is every key where pictures are not kept in such a storage.',
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
    'Multipart field `image`: JPEG, PNG, WebP, AVIF or GIF of at most 10 MiB, 50 megapixels and 16,383 pixels on a side, decoded to be believed. Two are decoded at a time; four are taken in at a time, twenty wait for a place, further ones are 503.',
  query: z.object({ key: z.optional(z.string()) }),
  multipart: { field: 'image', types: IMAGE_TYPES, maxBytes: MAX_IMAGE_BYTES },
  answer: z.object({ data: z.object({ url: z.string() }) }),
  problems: ['bad-request', 'too-large', 'wrong-kind', 'invalid'],
});
