import { setTimeout as wait } from 'node:timers/promises';
import { IMAGE_WIDTHS, MAX_IMAGE_BYTES } from '@parts-forge/contract/bounds';
import { buildImageAddress, readImageHash } from '@parts-forge/contract/image-variant';
import { DIRECT_UPLOAD_TYPE } from '@parts-forge/contract/images';
import { messages } from '@parts-forge/contract/messages';
import { S3mini, S3ServiceError } from 's3mini';
import type { S3StoreConfig } from '#src/platform/core/config/pictures.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { PICTURE_ENDINGS } from './picture-files.ts';
import type { DirectUploads, PictureStore } from './picture-store.ts';
import { readBody } from './read-body.ts';

/** For one request to the storage. */
const REQUEST_TIMEOUT_MS = 8_000;
/** Before each further try of what the storage failed at, as AWS and others ask for (`InternalError`, `SlowDown`). */
const RETRY_PAUSES_MS = [200, 800];
/** For which an address is signed that the shop itself asks at once, in seconds. */
const SIGNED_SECONDS = 60;
/** Originals that browsers sent, until the shop has taken them. */
const INCOMING = 'incoming/';
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Pictures in S3-compatible storage: the shop makes the sizes and puts them there, browsers read them from
 * `publicUrl`. Names are those of the shop's own folder, so that moving there changes the beginning of an address only.
 */
export function createS3Store({ bucketUrl, publicUrl, ...keys }: S3StoreConfig): PictureStore {
  const bucket = new S3mini({ ...keys, endpoint: bucketUrl, requestAbortTimeout: REQUEST_TIMEOUT_MS });
  return {
    widths: IMAGE_WIDTHS,
    origins: [new URL(publicUrl).origin],
    async holds(address) {
      const hash = address.startsWith(`${publicUrl}/`)
        ? readImageHash(address.slice(publicUrl.length))
        : null;
      return hash !== null && (await findMissing(bucket, hash)).length === 0;
    },
    async put({ hash, files }, signal) {
      const missing = await findMissing(bucket, hash);
      for (const [ending, bytes] of files) {
        if (missing.includes(ending)) await putFile(bucket, `images/${hash}${ending}`, bytes, signal);
      }
      return publicUrl + buildImageAddress(hash);
    },
    direct: createDirectUploads(bucket),
  };
}

/** The endings of a picture whose files are not in the bucket. */
async function findMissing(bucket: S3mini, hash: string): Promise<string[]> {
  const present = await asking(() =>
    Promise.all(PICTURE_ENDINGS.map((ending) => hasObject(bucket, `images/${hash}${ending}`))),
  );
  return PICTURE_ENDINGS.filter((_, index) => present[index] !== true);
}

/**
 * AWS answers 403, not 404, for what is not there where the key may not list the bucket. A key that may not do anything
 * fails at the PUT that follows.
 */
async function hasObject(bucket: S3mini, name: string): Promise<boolean> {
  try {
    return (await bucket.objectExists(name)) === true;
  } catch (error) {
    if (error instanceof S3ServiceError && error.status === 403) return false;
    throw error;
  }
}

/** By a signed address, as the client sends no `Cache-Control`. An object is in its place whole or not at all. */
async function putFile(bucket: S3mini, name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': `image/${name.split('.').at(-1)}`, 'cache-control': FOR_EVER };
  await asking(async () => {
    const url = await bucket.getPresignedUrl('PUT', name, SIGNED_SECONDS, {}, headers);
    const answer = await fetch(url, {
      method: 'PUT',
      headers,
      body: new Uint8Array(bytes),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new StorageFailure('PUT of a picture', answer.status);
  }, signal);
}

function createDirectUploads(bucket: S3mini): DirectUploads {
  return {
    origin: bucket.endpoint.origin,
    // Size and type are signed: the storage takes no other.
    open: (name, bytes, expiresIn) =>
      bucket.getPresignedUrl(
        'PUT',
        INCOMING + name,
        expiresIn,
        {},
        { 'content-length': String(bytes), 'content-type': DIRECT_UPLOAD_TYPE },
      ),
    take: (name, signal) => takeObject(bucket, INCOMING + name, signal),
    async remove(name) {
      await asking(() => bucket.deleteObject(INCOMING + name));
    },
  };
}

/** Reads no more than a picture may have, whatever the storage says of its size. */
async function takeObject(bucket: S3mini, name: string, signal: AbortSignal): Promise<Buffer> {
  return asking(async () => {
    const url = await bucket.getPresignedUrl('GET', name, SIGNED_SECONDS);
    const answer = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    // 403 says the same where the key may not list the bucket.
    if (answer.status === 404 || answer.status === 403) throw invalidField('image', messages.imageRequired);
    if (!answer.ok) throw new StorageFailure('GET of an original', answer.status);
    const bytes = await readBody(answer, MAX_IMAGE_BYTES);
    if (bytes === null) throw new Problem('too-large');
    if (bytes.length === 0) throw invalidField('image', messages.imageRequired);
    return bytes;
  }, signal);
}

/** An answer of the storage that is none to the request. */
class StorageFailure extends Error {
  readonly status: number;
  constructor(what: string, status: number) {
    super(`${what} was answered ${status}`);
    this.status = status;
  }
}

/** Every request may be repeated: an object is in its place whole or not at all, under a name that its bytes give. */
async function repeating<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await wait(pauseMs, undefined, { signal });
    }
  }
  return ask();
}

const isPassing = (error: unknown): boolean =>
  (error instanceof StorageFailure || error instanceof S3ServiceError) &&
  (error.status === 500 || error.status === 503);

/** @throws Problem `unavailable` in place of what the storage or the way to it failed with; the signal's reason */
async function asking<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await repeating(ask, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Problem) throw error;
    // The client's message has the address that was asked; its status is enough.
    const cause = error instanceof S3ServiceError ? new Error(`the storage answered ${error.status}`) : error;
    throw new Problem('unavailable', { detail: 'Pictures cannot be kept at the moment.', cause });
  }
}
